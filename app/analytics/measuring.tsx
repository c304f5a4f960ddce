import { Suspense, useEffect, useState } from "react";
import { measuring } from "#content/measuring.ts";
import { href } from "#contract/addresses.ts";
import { Button } from "#ui/controls/button.tsx";
import { optional } from "#ui/feedback/optional.ts";
import { pixelId } from "./analytics.ts";
import { forgetAnnouncements, useAnnouncements } from "./announcements.ts";
import { answerConsent, type Consent, useConsent } from "./consent.ts";
import { holdBack } from "./held-back.ts";

const MetaPixel = optional(() => import("./meta-pixel.ts"));

/** Asks for consent, and measures only after it. Rendered where a pixel is configured. */
export default function Measuring() {
  const consent = useConsent();
  const [isReconsidered, setIsReconsidered] = useState(false);
  useEffect(() => {
    const askAgain = ({ target }: MouseEvent) => {
      if ((target as Element).closest("[data-privacy-choices]")) setIsReconsidered(true);
    };
    window.addEventListener("click", askAgain);
    document.documentElement.toggleAttribute("data-measured", Boolean(pixelId()));
    return () => window.removeEventListener("click", askAgain);
  }, []);
  const id = pixelId();
  function decide(answer: Consent): void {
    if (answer === "granted" && consent !== "granted") forgetAnnouncements();
    answerConsent(answer);
    setIsReconsidered(false);
  }
  return (
    <>
      {consent === "granted" && !id && <HoldBack />}
      {consent === "granted" && id && (
        <Suspense>
          <MetaPixel id={id} />
        </Suspense>
      )}
      {consent === "declined" && <Discard />}
      {id && (consent === null || isReconsidered) && <Question onAnswer={decide} />}
    </>
  );
}

/** Pages with a card form load no pixel, so their events wait for the next page. */
function HoldBack() {
  useAnnouncements(holdBack);
  return null;
}

function Discard() {
  useAnnouncements(discard);
  return null;
}

function discard(): void {}

function Question({ onAnswer }: { onAnswer: (answer: Consent) => void }) {
  return (
    <section
      aria-labelledby="measuring-title"
      className="question-bar fixed inset-x-0 bottom-0 z-50 max-h-[60dvh] overflow-y-auto border-ink border-t-2 bg-surface px-(--margin) py-5 text-ink"
    >
      <div className="mx-auto grid max-w-(--measure) items-center gap-x-10 gap-y-4 lg:grid-cols-[1fr_auto]">
        <div>
          <h2 id="measuring-title" className="font-bold">
            {measuring.question}
          </h2>
          <p className="max-w-[80ch] text-ink-soft text-sm">
            {measuring.explanation}{" "}
            <a href={`${href.privacyPolicy()}#measurement`} className="underline underline-offset-4">
              {measuring.more}
            </a>
          </p>
        </div>
        <div className="grid grid-cols-2 gap-3">
          <Button variant="outline" onClick={() => onAnswer("declined")}>
            {measuring.decline}
          </Button>
          <Button variant="outline" onClick={() => onAnswer("granted")}>
            {measuring.accept}
          </Button>
        </div>
      </div>
    </section>
  );
}
