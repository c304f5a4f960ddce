import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { UpgradePanel } from "#app/access/upgrade-panel.tsx";
import type { Lesson, Module } from "#contract/catalogue.ts";
import type { LessonRecord, Records } from "#contract/lesson-start.ts";
import { planName } from "#ui/academy.ts";
import { Badge, OpensAt } from "#ui/badge.tsx";
import { Progress } from "#ui/feedback/progress.tsx";
import { formatLength } from "#ui/format/lesson-lengths.ts";
import { Icon } from "#ui/icon.tsx";
import { usePassedChecks } from "./checks/check-queries.ts";
import { lessonQuery } from "./current-lesson.ts";
import { progressOf } from "./progress/numbers.ts";

interface ModuleCardsProps {
  modules: readonly Module[];
  records: Records;
  currentLessonId: string | undefined;
}

/** The accessible modules as expandable cards with their lessons. */
export function ModuleCards({ modules, records, currentLessonId }: ModuleCardsProps) {
  return (
    <section aria-labelledby="modules-title" className="grid gap-4">
      <h2 id="modules-title" className="wide text-heading">
        Modules
      </h2>
      {modules.length === 0 && <p className="text-ink-soft">There are no modules yet.</p>}
      {modules.map((module) => (
        <ModuleCard key={module.id} module={module} records={records} currentLessonId={currentLessonId} />
      ))}
    </section>
  );
}

interface ModuleCardProps extends Omit<ModuleCardsProps, "modules"> {
  module: Module;
  /** Replaces the list of lessons. */
  children?: ReactNode;
}

/** A module as an expandable card: its contents, its progress, its lessons. */
export function ModuleCard({ module, records, currentLessonId, children }: ModuleCardProps) {
  const isCurrent = module.lessons.some(({ id }) => id === currentLessonId);
  const { percent, lessonsDone, lessonsTotal } = progressOf([module], records);
  return (
    <details
      open={isCurrent}
      data-module={module.id}
      className={cx("fold group rounded-md border-[1.5px] bg-surface", isCurrent ? "border-ink" : "border-line-strong")}
    >
      <summary className="grid list-none grid-cols-[min(2.25rem,36px)_1fr_auto] items-center gap-x-[min(0.75rem,12px)] gap-y-3 p-[min(1rem,16px)] sm:p-5">
        <span aria-hidden="true" className="narrow text-title leading-none">
          {module.position}
        </span>
        <h3 className="font-bold text-[min(1rem,7vw)] leading-tight">{module.title}</h3>
        <Icon name="plus" className="size-4 transition-transform duration-300 ease-shop group-open:rotate-45" />
        <div className="col-span-full flex flex-wrap items-center gap-x-4 gap-y-2">
          {lessonsTotal > 0 && (
            <>
              <Progress value={percent} label={`${module.title}: completed`} className="max-w-40 grow" />
              <span className="printed">
                {lessonsDone} of {lessonsTotal}
              </span>
            </>
          )}
          <ModuleBadge module={module} isCompleted={percent === 100} />
        </div>
      </summary>
      <div className="grid gap-4 px-[min(1rem,16px)] pb-4 sm:px-5 sm:pb-5">
        {children || (
          <>
            <p className="max-w-[72ch] text-ink-soft text-sm">{module.description}</p>
            <ol className="border-line border-t">
              {module.lessons.map((lesson) => (
                <LessonLine
                  key={lesson.id}
                  lesson={lesson}
                  record={records.get(lesson.id)}
                  isCurrent={lesson.id === currentLessonId}
                />
              ))}
            </ol>
            {!module.isUnlocked && (
              <UpgradePanel
                tier={module.requiredTier}
                what={lessonsTotal > 0 ? "The rest of this module" : "This module"}
              />
            )}
          </>
        )}
      </div>
    </details>
  );
}

function ModuleBadge({ module, isCompleted }: { module: Module; isCompleted: boolean }) {
  if (isCompleted) return <Badge tone="success">Completed</Badge>;
  const hasPreview = module.lessons.some(({ isUnlocked }) => isUnlocked);
  return (
    <>
      {!module.isUnlocked && (
        <Badge>{hasPreview ? "Free preview" : `Opens with ${planName(module.requiredTier)}`}</Badge>
      )}
      {module.comingSoon && (
        <Badge tone="kraft">
          <OpensAt at={module.opensAt} />
        </Badge>
      )}
    </>
  );
}

interface LessonLineProps {
  lesson: Lesson;
  record: LessonRecord | undefined;
  isCurrent: boolean;
}

function LessonLine({ lesson, record, isCurrent }: LessonLineProps) {
  const state = stateOf(lesson, record);
  const isPassed = usePassedChecks().get(lesson.id);
  const line = (
    <>
      <LessonMark state={state} />
      <span className={cx("grow basis-24 leading-snug", isCurrent && "font-bold")}>{lesson.title}</span>
      <span className="printed ml-auto text-right text-ink-soft">
        <span className="block">{lesson.comingSoon ? <OpensAt at={lesson.opensAt} /> : state}</span>
        {lesson.duration > 0 && !lesson.comingSoon && <span className="block">{formatLength(lesson)}</span>}
        {record?.isChanged && lesson.isUnlocked && !lesson.comingSoon && (
          <span className="block text-ink">Changed</span>
        )}
        {isPassed !== undefined && <span className="block">{isPassed ? "Check passed" : "Includes a check"}</span>}
      </span>
    </>
  );
  const lineStyle = "flex min-h-12 flex-wrap items-center gap-x-3 px-1 py-2";
  return (
    <li className="border-line border-b last:border-b-0">
      {lesson.isUnlocked && (!lesson.comingSoon || lesson.opensAt) ? (
        <Link
          to={lessonQuery(lesson.id)}
          preventScrollReset
          aria-current={isCurrent || undefined}
          className={cx(lineStyle, "hover:bg-sunken", isCurrent && "bg-sunken")}
        >
          {line}
        </Link>
      ) : (
        <div className={cx(lineStyle, "text-ink-soft")}>{line}</div>
      )}
    </li>
  );
}

function stateOf(lesson: Lesson, record: LessonRecord | undefined): string {
  if (lesson.comingSoon) return "Coming soon";
  if (!lesson.isUnlocked) return "Locked";
  if (record?.isCompleted) return "Completed";
  return record ? "In progress" : "Not started";
}

/** A checkbox, or a padlock. */
function LessonMark({ state }: { state: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 20 20" className="size-5 shrink-0 fill-none stroke-2">
      {state === "Locked" ? (
        <path d="M3 9h14v10H3zM6 9V6a4 4 0 0 1 8 0v3" className="stroke-line-strong" />
      ) : (
        <path d="M1 1h18v18H1z" className="stroke-line-strong" />
      )}
      {state === "Completed" && <path d="m4 10 4 5 8-11" className="stroke-[2.5] stroke-scan" />}
    </svg>
  );
}
