import { useQuery } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { type ComponentProps, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { asksForLessMotion, playerChoicesQuery } from "#app/access/player-choices.ts";
import { UpgradePanel } from "#app/access/upgrade-panel.tsx";
import { Button } from "#ui/controls/button.tsx";
import { usePassedChecks } from "../checks/check-queries.ts";
import type { CurrentLesson } from "../current-lesson.ts";

/** Seconds between the end of a lesson and the start of the next. */
const offerSeconds = 5;

interface AfterLessonProps {
  /** The finished lesson. */
  lessonId: string;
  next: CurrentLesson;
  /** Whether the student's stored choice of autoplay applies. A preview has none. */
  hasChoices: boolean;
  onGoOn: () => void;
  /** The student declined. */
  onCancel: () => void;
  /** The student does something else. */
  onStay: () => void;
}

/** Shown over a finished lesson: the next lesson, which starts by itself, or the plan that unlocks it. */
export default function AfterLesson({ next, hasChoices, ...answers }: AfterLessonProps) {
  const { data } = useQuery({ ...playerChoicesQuery, enabled: hasChoices });
  const playsNext = hasChoices ? data?.playsNext : true;
  // Read once at the lesson's end, so that the offer does not vanish while it is read.
  const [prefersReducedMotion] = useState(asksForLessMotion);
  const { lesson, module } = next;
  if (!lesson.isUnlocked) {
    return (
      <OfferFrame>
        <UpgradePanel tier={module.requiredTier} what={`The next lesson, ${lesson.title},`} />
        <Button variant="outline" size="small" className="justify-self-start text-rail-ink" onClick={answers.onCancel}>
          Close
        </Button>
        <StatusText>{`The lesson has ended. The next one, ${lesson.title}, isn’t in your plan.`}</StatusText>
      </OfferFrame>
    );
  }
  return playsNext && !prefersReducedMotion ? <Offer title={lesson.title} {...answers} /> : null;
}

interface OfferProps extends Pick<AfterLessonProps, "lessonId" | "onGoOn" | "onCancel" | "onStay"> {
  title: string;
}

function Offer({ title, lessonId, onGoOn, onCancel, onStay }: OfferProps) {
  const slip = useRef<HTMLElement>(null);
  const hasOpenCheck = usePassedChecks().get(lessonId) === false;
  const countdown = useCountdown(onGoOn);
  useOtherActivity(slip, onStay, onCancel);
  return (
    <OfferFrame ref={slip} onFocus={countdown.stop}>
      <div aria-hidden className="grid gap-0.5">
        <p className="text-sm">{countdown.isStopped ? "Next lesson" : `Next lesson in ${countdown.seconds}`}</p>
        <p className="line-clamp-2 font-bold leading-tight sm:wide sm:text-heading">{title}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        {hasOpenCheck && (
          <Button
            variant="tag"
            size="small"
            onClick={() => {
              onStay();
              const check = document.getElementById("check-title");
              check?.scrollIntoView();
              check?.focus({ preventScroll: true });
            }}
          >
            Go to check
          </Button>
        )}
        <Button
          variant={hasOpenCheck ? "outline" : "tag"}
          size="small"
          className={cx(hasOpenCheck && "text-rail-ink")}
          onClick={onGoOn}
        >
          Play now
        </Button>
        <Button variant="outline" size="small" className="text-rail-ink" onClick={onCancel}>
          Cancel
        </Button>
      </div>
      <StatusText>{`The lesson has ended. The next one, ${title}, starts in ${offerSeconds} seconds.`}</StatusText>
    </OfferFrame>
  );
}

function OfferFrame(props: ComponentProps<"section">) {
  // Leaves full screen, which shows only the player.
  useEffect(() => {
    if (document.fullscreenElement) void document.exitFullscreen();
  }, []);
  return (
    // Leaves the player's controls uncovered.
    <div className="pointer-events-none absolute inset-x-0 top-0 grid aspect-video items-end pb-11 sm:pb-16">
      <section
        {...props}
        aria-label="Next lesson"
        className="pointer-events-auto grid max-h-full gap-2 overflow-y-auto bg-rail px-5 py-3 text-rail-ink sm:mx-7 sm:gap-3 sm:max-w-xl sm:rounded-sm sm:py-5"
      />
    </div>
  );
}

/** Screen readers announce a status only when its text changes, so the text is set after the first render. */
function StatusText({ children }: { children: string }) {
  const [words, setWords] = useState("");
  useEffect(() => setWords(children), [children]);
  return (
    <p role="status" className="sr-only">
      {words}
    </p>
  );
}

/** The remaining whole seconds. Stops when the keyboard focus reaches the buttons. */
function useCountdown(onEnd: () => void) {
  const [seconds, setSeconds] = useState(offerSeconds);
  const [isStopped, setIsStopped] = useState(false);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (isStopped) return;
    const endsAt = performance.now() + offerSeconds * 1000;
    const timer = setInterval(() => {
      const left = Math.ceil((endsAt - performance.now()) / 1000);
      setSeconds(Math.max(0, left));
      if (left > 0) return;
      clearInterval(timer);
      end();
    }, 250);
    return () => clearInterval(timer);
  }, [isStopped]);
  return { seconds, isStopped, stop: () => setIsStopped(true) };
}

const focusKeys = new Set(["Tab", "Shift", "Control", "Alt", "Meta"]);

/** Calls `onUse` when the student uses anything outside of `within`, or neither sees it nor the page. */
function useOtherActivity(within: RefObject<HTMLElement | null>, onUse: () => void, onEscape: () => void): void {
  const use = useEffectEvent(onUse);
  const leave = useEffectEvent(onEscape);
  useEffect(() => {
    const listening = new AbortController();
    const options = { capture: true, passive: true, signal: listening.signal };
    const isWithin = ({ target }: Event) => target instanceof Node && within.current?.contains(target) === true;
    const unlessWithin = (event: Event) => !isWithin(event) && use();
    for (const event of ["pointerdown", "wheel"]) document.addEventListener(event, unlessWithin, options);
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && isWithin(event)) leave();
      else if (!focusKeys.has(event.key)) unlessWithin(event);
    };
    document.addEventListener("keydown", onKey, options);
    const leaveUnseen = () => document.visibilityState === "hidden" && use();
    document.addEventListener("visibilitychange", leaveUnseen, options);
    leaveUnseen();
    // Who writes a note, or has scrolled to the check, may pause to think. Full screen moves what is behind it.
    if (document.activeElement?.matches("textarea, input:not([type=checkbox], [type=radio])")) use();
    const seen = new IntersectionObserver((changes) => {
      if (!changes.at(-1)?.isIntersecting && !document.fullscreenElement) use();
    });
    if (within.current) seen.observe(within.current);
    return () => {
      listening.abort();
      seen.disconnect();
    };
  }, [within]);
}
