import { type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import { href } from "#contract/addresses.ts";
import type { Module } from "#contract/catalogue.ts";
import { type Tier, tierOpens } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { formatWatchTime } from "#ui/format/durations.ts";
import { formatCountOf } from "#ui/format/numbers.ts";
import { toast } from "#ui/toast/toast.ts";
import type { ProgressNumbers } from "../progress/numbers.ts";
import { unfinishedModule } from "../progress/unfinished-module.ts";

interface FinishProps {
  modules: readonly Module[];
  numbers: ProgressNumbers;
  tier: Tier;
  /** Whether the last lesson was completed on this page. */
  isNew: boolean;
}

/** The end of the course, or of what the plan opens so far: what was done, and what comes next. */
export default function Finish({ modules, numbers, tier, isNew }: FinishProps) {
  const next = unfinishedModule(modules);
  useEffect(() => {
    if (!isNew) return;
    toast({ title: "You’ve completed every lesson", description: "See what comes next at the top of this page." });
  }, [isNew]);
  return (
    <section
      aria-labelledby="finish-title"
      className="grid overflow-hidden print:hidden rounded-md border-2 border-edge bg-surface lg:grid-cols-2"
    >
      <div className="grid content-between gap-8 bg-tag p-5 text-tag-ink sm:p-8">
        <h2 id="finish-title" className="wide text-title">
          {!next
            ? "You’ve finished the course"
            : next.isUnlocked
              ? "You’ve finished every lesson so far"
              : "You’ve finished every lesson in your plan"}
        </h2>
        <ul className="flex flex-wrap gap-x-6 gap-y-1 font-semibold">
          <li>{formatCountOf(numbers.lessonsDone, "lesson")} completed</li>
          <li>{formatWatchTime(numbers.secondsWatched)} watched</li>
        </ul>
      </div>
      <div className="grid content-start gap-1 p-5 sm:p-8">
        <h3 className="font-bold text-heading">What comes next</h3>
        <ul>
          <Step
            title="Your certificate"
            action={
              <Link to={href.certificate()} className={buttonStyle({ variant: "tag", size: "small" })}>
                Go to certificate
              </Link>
            }
          >
            Watch the lessons, pass their checks, and confirm your name. Then download and share it.
          </Step>
          <Step
            title="Talk to a coach"
            action={
              <Link to={href.coaching()} className={buttonStyle({ variant: "outline", size: "small" })}>
                Go to coaching
              </Link>
            }
          >
            {tierOpens(tier, "premium")
              ? "Bring the numbers of one product, and go through them together."
              : `Coaching comes with ${planName("premium")} and ${planName("vip")}.`}
          </Step>
          {next && <NextModule module={next} />}
        </ul>
      </div>
    </section>
  );
}

function NextModule({ module: { position, title, isUnlocked, comingSoon, requiredTier } }: { module: Module }) {
  const label = planName(requiredTier);
  return (
    <Step
      title={`Module ${position}: ${title}`}
      action={
        !isUnlocked && (
          <a href={href.pricing(requiredTier)} className={buttonStyle({ variant: "outline", size: "small" })}>
            See {label}
          </a>
        )
      }
    >
      {isUnlocked
        ? "Coming soon. Its lessons appear here when they’re ready."
        : comingSoon
          ? `Coming soon with ${label}.`
          : `Opens with ${label}.`}
    </Step>
  );
}

function Step({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 sm:flex-nowrap border-line border-b py-4 last:border-b-0">
      <div className="max-w-[44ch]">
        <p className="font-bold">{title}</p>
        <p className="text-ink-soft text-sm">{children}</p>
      </div>
      {action}
    </li>
  );
}
