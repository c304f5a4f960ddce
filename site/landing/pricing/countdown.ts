import { useEffect, useState } from "react";
import type { Offer, OfferOnPages } from "#contract/offer.ts";

/**
 * Seconds left, `elapsed` milliseconds after the page was opened at the instant `now`; 0 once a real end has passed.
 * @internal
 */
export function secondsLeft(countdown: Offer["countdown"], now: number, elapsed: number): number {
  if (countdown.kind === "until") return Math.max(0, Math.ceil((Date.parse(countdown.endsAt) - now) / 1000));
  const cycle = countdown.startSeconds + 1;
  return countdown.startSeconds - (Math.floor(elapsed / 1000) % cycle);
}

/** 86387 → "23:59:47"; days are counted in hours. */
export function formatCountdown(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/**
 * The offer as it stands now: null when it is off or over, else the time left, counted each second. A real end is
 * known only in the browser; until then `left` is null.
 */
export function useOffer(offer: OfferOnPages | null): { left: number | null } | null {
  const countdown = offer?.countdown;
  const [left, setLeft] = useState(countdown?.kind === "daily" ? countdown.startSeconds : null);
  useEffect(() => {
    if (!countdown) return;
    // Counted from the opening of the page, however late its code comes.
    const count = () => setLeft(secondsLeft(countdown, Date.now(), performance.now()));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [countdown]);
  const isOver = countdown?.kind === "until" && left === 0;
  return offer?.enabled && !isOver ? { left } : null;
}
