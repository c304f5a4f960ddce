import { useEffect, useRef } from "react";
import type { Module } from "#contract/catalogue.ts";
import { PageLink } from "../navigation.tsx";
import { usePlace } from "../router.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button, buttonStyle } from "../ui/button.tsx";
import type { CourseProgress } from "./course-progress.ts";
import { type CurrentLesson, lessonQuery } from "./current-lesson.ts";
import { LessonPlayer } from "./lesson-player.tsx";
import { lessonAfter } from "./progress-numbers.ts";
import { UpgradePanel } from "./upgrade-panel.tsx";

interface LessonPanelProps {
  current: CurrentLesson;
  modules: readonly Module[];
  progress: CourseProgress;
}

/** The lesson on screen: its video, how far it is, and the way on. */
export function LessonPanel({ current: { lesson, module }, modules, progress }: LessonPanelProps) {
  const record = progress.records.get(lesson.id);
  const next = lessonAfter(modules, lesson.id);
  const panel = useBroughtIntoView(lesson.id);
  const isPlayable = lesson.isUnlocked && !lesson.comingSoon;
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-labelledby="lesson-title"
      className="scroll-mt-4 overflow-hidden rounded-md border-2 border-ink bg-surface"
    >
      {isPlayable ? (
        <LessonPlayer key={lesson.id} lesson={lesson} record={record} onNote={(note) => progress.note(lesson, note)} />
      ) : (
        <div className="grid aspect-video max-h-96 w-full place-items-center bg-rail p-6 text-center text-rail-ink">
          <p className="wide text-title">{lesson.isUnlocked ? "Coming soon" : "Locked"}</p>
        </div>
      )}
      <div className="grid gap-5 p-5 sm:p-7">
        <div className="grid gap-3">
          <div className="flex min-h-7 flex-wrap items-center gap-3">
            <p className="printed text-ink-soft">Module {module.position}</p>
            {isPlayable &&
              (record?.isCompleted ? <Badge tone="success">Completed</Badge> : <Badge tone="tag">In Progress</Badge>)}
          </div>
          <h2 id="lesson-title" className="wide text-title">
            {lesson.title}
          </h2>
          <p className="max-w-[62ch] text-ink-soft">{lesson.description}</p>
        </div>
        {isPlayable && (
          <div className="flex flex-wrap items-center gap-3">
            <Button
              variant={record?.isCompleted ? "outline" : "tag"}
              onClick={() => progress.setCompleted(lesson, !record?.isCompleted)}
            >
              {record?.isCompleted ? "Mark as not completed" : "Mark as Completed"}
            </Button>
            {next && (
              <PageLink to={lessonQuery(next.id)} className={buttonStyle({ variant: "outline" })}>
                Next lesson
              </PageLink>
            )}
            {progress.hasUnsaved && (
              <p role="status" className="text-fine text-ink-soft">
                Your progress is not saved yet. We keep trying.
              </p>
            )}
          </div>
        )}
        {!lesson.isUnlocked && <UpgradePanel tier={module.requiredTier} what="This lesson" />}
        {lesson.isUnlocked && lesson.comingSoon && <p>This lesson is being made. It appears here once it is ready.</p>}
      </div>
    </section>
  );
}

/** Whoever chooses a lesson further down finds it on screen, and the keyboard with it. */
function useBroughtIntoView(lessonId: string) {
  const element = useRef<HTMLElement>(null);
  const shown = useRef(lessonId);
  const { search } = usePlace();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only an address that was followed brings a lesson here
  useEffect(() => {
    if (shown.current === lessonId) return;
    shown.current = lessonId;
    element.current?.scrollIntoView();
    element.current?.focus({ preventScroll: true });
  }, [lessonId, search]);
  return element;
}
