import { cx } from "class-variance-authority";
import { type ReactNode, Suspense, useId } from "react";
import type { Lesson } from "#contract/catalogue.ts";
import { late } from "#ui/feedback/late.tsx";
import { PartLoading } from "#ui/feedback/part.tsx";
import { Icon } from "#ui/icon.tsx";
import { useKeptChoice } from "../kept-choice.ts";
import type { Playhead } from "../playhead.ts";

const [Transcript, fetchTranscript] = late("the transcript", () => import("../transcript/transcript.tsx"));
const [LessonNotes, fetchLessonNotes] = late("your notes", () => import("../notes/lesson-notes.tsx"));

type Part = "none" | "transcript" | "notes";

interface BesidePlayerProps {
  /** Null without a video that the student may watch. */
  lesson: Lesson | null;
  playhead: Playhead;
  /** Where the lesson would begin to play, in seconds. */
  begin: number;
  /** Plays the lesson from this second. */
  onSeek: (second: number) => void;
  /** False in a preview. */
  hasNotes: boolean;
  /** The player. */
  children: ReactNode;
}

/**
 * The player, and beside it on wide screens, below it on others, the transcript and the notes. One of them may be open,
 * which this browser keeps.
 */
export function BesidePlayer({ lesson, playhead, begin, onSeek, hasNotes, children }: BesidePlayerProps) {
  const id = useId();
  const [kept, choose] = useKeptChoice<Part>("beside-player", "none");
  const open = kept === "notes" && !hasNotes ? "none" : kept;
  const isOpen = open !== "none";
  if (!lesson) return children;

  const toggle = (part: Part, label: string, fetch: () => unknown) => (
    <button
      type="button"
      aria-expanded={open === part}
      aria-controls={open === part ? id : undefined}
      onPointerEnter={fetch}
      onFocus={fetch}
      onClick={() => choose(open === part ? "none" : part)}
      className={cx(
        "inline-flex min-h-12 flex-1 items-center justify-center gap-2 border-b-4 px-3 pt-1 font-bold text-sm hover:bg-sunken focus-visible:-outline-offset-4",
        open === part ? "border-tag" : "border-transparent",
      )}
    >
      {label}
      <Icon name={open === part ? "up" : "down"} className="size-3" />
    </button>
  );
  return (
    <div className="@container">
      <div
        data-beside={isOpen ? "" : undefined}
        className={cx(isOpen && "@min-[56rem]:grid @min-[56rem]:grid-cols-[minmax(0,1fr)_22rem] print:block!")}
      >
        <div className="min-w-0 print:hidden">{children}</div>
        <div
          className={cx(
            "min-w-0",
            isOpen && "relative border-line border-b @min-[56rem]:border-b-0 @min-[56rem]:border-l",
          )}
        >
          <div className={cx("flex flex-col", isOpen && "@min-[56rem]:absolute @min-[56rem]:inset-0 print:static!")}>
            <div className="flex shrink-0 border-line border-b print:hidden">
              {toggle("transcript", "Transcript", fetchTranscript)}
              {hasNotes && toggle("notes", "Notes", fetchLessonNotes)}
            </div>
            {isOpen && (
              <section
                id={id}
                aria-label={open === "notes" ? "Notes" : "Transcript"}
                className="flex min-h-0 grow flex-col overflow-y-auto p-[min(1rem,16px)] print:overflow-visible"
              >
                <Suspense fallback={<PartLoading what={`the ${open}`} className="h-36" />}>
                  {open === "notes" ? (
                    <LessonNotes key={lesson.id} lesson={lesson} playhead={playhead} begin={begin} />
                  ) : (
                    <Transcript key={lesson.id} lessonId={lesson.id} playhead={playhead} onSeek={onSeek} />
                  )}
                </Suspense>
              </section>
            )}
          </div>
        </div>
      </div>
    </div>
  );
}
