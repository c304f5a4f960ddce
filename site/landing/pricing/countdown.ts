import { useEffect, useState } from "react";
import type { Offer, OfferOnPages } from "#contract/offer.ts";

/**
 * The remaining seconds at the instant `now`, `elapsed` milliseconds after the page was opened. 0 after a real end.
 * @internal
 */
export function secondsLeft(countdown: Offer["countdown"], now: number, elapsed: number): number {
  if (countdown.kind === "until") return Math.max(0, Math.ceil((Date.parse(countdown.endsAt) - now) / 1000));
  const cycle = countdown.startSeconds + 1;
  return countdown.startSeconds - (Math.floor(elapsed / 1000) % cycle);
}

/** 86387 → "23:59:47". Days are shown as hours. */
export function formatCountdown(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

/**
 * The current offer with its remaining time, updated every second. Null when it is off or over. A real end depends on
 * the browser's clock, so `left` is null until then.
 */
export function useOffer(offer: OfferOnPages | null): { left: number | null } | null {
  const countdown = offer?.countdown;
  const [left, setLeft] = useState(countdown?.kind === "daily" ? countdown.startSeconds : null);
  useEffect(() => {
    if (!countdown) return;
    // Counts from the opening of the page, even if this code loads late.
    const count = () => setLeft(secondsLeft(countdown, Date.now(), performance.now()));
    count();
    const timer = setInterval(count, 1000);
    return () => clearInterval(timer);
  }, [countdown]);
  const isOver = countdown?.kind === "until" && left === 0;
  return offer?.enabled && !isOver ? { left } : null;
}
