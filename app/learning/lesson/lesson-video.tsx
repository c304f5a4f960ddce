import { useRef, useState } from "react";
import type { Lesson, Module } from "#contract/catalogue.ts";
import { countedLessons, type LessonRecord } from "#contract/lesson-start.ts";
import { Button } from "#ui/controls/button.tsx";
import { introPlaybackQuery } from "../course-queries.ts";
import type { Playhead } from "../playhead.ts";
import type { ProgressNote } from "../progress/notes.ts";
import { LessonPlayer } from "./lesson-player.tsx";
import { isIntroSeen, noteIntroSeen } from "./seen-intros.ts";
import { VideoPlayer } from "./video-player.tsx";

interface LessonVideoProps {
  lesson: Lesson;
  module: Module;
  record: LessonRecord | undefined;
  startAt: number | null;
  /** Read once when the video is opened. */
  startsPlaying: boolean;
  onNote: (note: ProgressNote, isDue: boolean) => void;
  onPlay: () => void;
  onSeek: () => void;
  onEnded: () => void;
  playhead: Playhead;
}

type Part = { is: "intro"; startsPlaying: boolean } | { is: "lesson"; startsPlaying: boolean; leavesFocus: boolean };

/**
 * The lesson's video. Before a module's first lesson, its introduction, until the student has seen or skipped it or
 * begun the lesson. Introductions do not count as progress. The key is the player's.
 */
export function LessonVideo({ module, startsPlaying, ...video }: LessonVideoProps) {
  const { lesson, record, startAt } = video;
  const { introVideo } = module;
  const opensModule = countedLessons([module])[0]?.id === lesson.id;
  const frame = useRef<HTMLDivElement>(null);
  const [part, setPart] = useState<Part>(() =>
    introVideo !== null && opensModule && !record && startAt === null && !isIntroSeen(module.id, introVideo)
      ? { is: "intro", startsPlaying }
      : { is: "lesson", startsPlaying, leavesFocus: false },
  );
  if (introVideo === null || !opensModule) return <LessonPlayer {...video} startsPlaying={part.startsPlaying} />;

  function goOn(): void {
    noteIntroSeen(module.id, introVideo ?? "");
    const leavesFocus = !frame.current?.contains(document.activeElement);
    setPart({ is: "lesson", startsPlaying: true, leavesFocus });
  }

  return (
    <div ref={frame}>
      {part.is === "intro" ? (
        <VideoPlayer
          label={`Introduction: ${module.title}`}
          title={`Introduction to ${module.title}`}
          playback={introPlaybackQuery(module.id)}
          begin={{ at: 0, isPlaying: part.startsPlaying }}
          onEnded={goOn}
        />
      ) : (
        <LessonPlayer {...video} startsPlaying={part.startsPlaying} leavesFocus={part.leavesFocus} />
      )}
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b px-5 py-2 sm:px-7">
        <p className="text-ink-soft text-sm">
          {part.is === "intro"
            ? `Introduction to module ${module.position}`
            : `Module ${module.position} has an introduction.`}
        </p>
        {part.is === "intro" ? (
          <Button variant="outline" size="small" onClick={goOn}>
            Skip introduction
          </Button>
        ) : (
          <Button variant="quiet" size="small" onClick={() => setPart({ is: "intro", startsPlaying: true })}>
            Watch introduction
          </Button>
        )}
      </div>
    </div>
  );
}
