import { cx } from "class-variance-authority";
import { type ComponentType, Suspense } from "react";
import type { Module } from "#contract/catalogue.ts";
import type { Tier } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { Barcode } from "#ui/brand/bars.tsx";
import { Progress } from "#ui/feedback/progress.tsx";
import { formatWatchTime } from "#ui/format/durations.ts";
import { NextStep } from "../checks/next-step.tsx";
import { useCurrentLesson } from "../current-lesson.ts";
import { FinishWhenDone } from "../finish/finish-when-done.tsx";
import { LessonPanel } from "../lesson/lesson-panel.tsx";
import { ModuleCards } from "../module-cards.tsx";
import { accessibleModules, type ProgressNumbers, progressOf } from "../progress/numbers.ts";
import type { CourseProgress } from "../progress/progress.ts";

export interface CourseContentProps {
  modules: readonly Module[];
  progress: CourseProgress;
  /** Null in the preview. */
  tier: Tier | null;
  /** Renders the modules outside of the plan, if there are any. */
  LockedModules: ComponentType<{ modules: readonly Module[] }>;
}

/** The current lesson, the progress, and the modules. In server-rendered pages each part hydrates separately. */
export function CourseContent({ modules, progress, tier, LockedModules }: CourseContentProps) {
  const current = useCurrentLesson(modules, progress.records);
  const numbers = progressOf(modules, progress.records);
  const open = accessibleModules(modules);
  const locked = modules.filter((module) => !open.includes(module));
  return (
    <div className="grid gap-3 sm:gap-6">
      <WelcomeCard percent={numbers.percent} openCount={open.length} totalCount={modules.length} tier={tier} />
      <FinishWhenDone modules={modules} numbers={numbers} tier={tier} />
      <div className="grid items-start gap-6 print:block print:*:mb-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr] xl:grid-cols-[minmax(0,1fr)_26rem] lg:has-data-beside:grid-cols-1">
        <div data-lesson="" className={cx("min-w-0", locked.length === 0 && "lg:sticky lg:top-6 lg:row-span-2")}>
          {current ? (
            <Suspense>
              <LessonPanel current={current} modules={modules} progress={progress} />
            </Suspense>
          ) : (
            <p className="rounded-md border border-line bg-surface p-7 text-ink-soft">There are no lessons yet.</p>
          )}
        </div>
        <div className="grid gap-6 print:hidden lg:row-span-2">
          <Suspense>
            <YourProgress numbers={numbers}>
              <NextStep modules={modules} records={progress.records} />
            </YourProgress>
            <ModuleCards modules={open} records={progress.records} currentLessonId={current?.lesson.id} />
          </Suspense>
        </div>
        {locked.length > 0 && (
          <Suspense>
            <LockedModules modules={locked} />
          </Suspense>
        )}
      </div>
    </div>
  );
}

interface WelcomeCardProps {
  percent: number;
  /** The number of modules with at least one lesson to watch. */
  openCount: number;
  totalCount: number;
  tier: Tier | null;
}

/** On phones a thin line, so that the video is on the first screen. */
function WelcomeCard({ percent, openCount, totalCount, tier }: WelcomeCardProps) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1.5 print:hidden sm:grid sm:grid-cols-[minmax(0,1fr)_auto] sm:items-stretch sm:overflow-hidden sm:rounded-md sm:border-2 sm:border-edge sm:bg-surface">
      <Progress value={percent} label="Completed" className="h-1.5! sm:hidden" />
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-ink-soft text-sm sm:px-6 sm:py-3 sm:text-base">
        <span>
          {openCount} of {totalCount} modules {tier ? "accessible" : "with lessons to try"}
        </span>
        <Barcode value={tier ? planName(tier) : "preview"} className="h-5 w-24 text-line-strong max-sm:hidden" />
      </p>
      <p className="flex items-baseline gap-1.5 text-sm sm:gap-3 sm:bg-tag sm:px-6 sm:py-3 sm:text-base sm:text-tag-ink">
        <span className="font-bold sm:narrow sm:text-title sm:leading-none">{percent}%</span>
        <span className="sm:font-semibold">complete</span>
      </p>
    </div>
  );
}

function YourProgress({ numbers, children }: { numbers: ProgressNumbers; children: React.ReactNode }) {
  return (
    <section aria-labelledby="your-progress" className="rounded-md border-[1.5px] border-line-strong bg-surface p-5">
      <h2 id="your-progress" className="wide text-heading">
        Your Progress
      </h2>
      <Progress value={numbers.percent} label="Course completed" className="mt-4" />
      <dl className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(min(4.5rem,100%),1fr))] gap-3">
        <Figure name="Lessons done">
          {numbers.lessonsDone} of {numbers.lessonsTotal}
        </Figure>
        <Figure name="Complete">{numbers.percent}%</Figure>
        <Figure name="Watched">{formatWatchTime(numbers.secondsWatched)}</Figure>
      </dl>
      {children}
    </section>
  );
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col-reverse justify-end">
      <dt className="text-fine text-ink-soft">{name}</dt>
      <dd className="narrow text-xl leading-tight">{children}</dd>
    </div>
  );
}
