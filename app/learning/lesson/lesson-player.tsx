import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Lesson } from "#contract/catalogue.ts";
import { useHydrated } from "#ui/browser-state.ts";
import { playbackQuery } from "../course-queries.ts";
import type { ProgressNote } from "../progress/notes.ts";
import { type LessonRecord, resumeAt } from "../progress/numbers.ts";
import { LessonCover } from "./lesson-cover.tsx";
import { VideoPlayer, videoFrame } from "./video-player.tsx";
import { useWatching } from "./watching.ts";

interface LessonPlayerProps {
  lesson: Pick<Lesson, "id" | "title" | "duration" | "thumbnail">;
  /** As it was when the lesson was opened; what changes later does not move the player. */
  record: LessonRecord | undefined;
  /** Seconds at which to begin, where the address says so; null: where it was left. */
  startAt: number | null;
  /** It was asked for by a press that meant this video. */
  startsPlaying?: boolean;
  /** Although it starts playing: the keyboard is somewhere else. */
  leavesFocus?: boolean;
  onNote: (note: ProgressNote, isDue: boolean) => void;
  onPlay: () => void;
}

/**
 * The lesson's video. Give it the lesson's id and `startAt` as key: everything in it belongs to one lesson. Where it came
 * as HTML it is a picture to press, since the player is large and not everybody who reads the page plays it.
 */
export function LessonPlayer({ startsPlaying = false, leavesFocus = false, ...props }: LessonPlayerProps) {
  const isHydrated = useHydrated();
  const [state, setState] = useState(isHydrated ? "open" : "covered");
  if (state === "covered") {
    return (
      <LessonCover
        lesson={props.lesson}
        isLargest
        className={`${videoFrame} block focus-visible:-outline-offset-4`}
        onPlay={() => setState("pressed")}
      />
    );
  }
  const isPressed = startsPlaying || state === "pressed";
  const player = <OpenPlayer {...props} startsPlaying={isPressed} />;
  return isPressed && !leavesFocus ? <FocusedPlayer>{player}</FocusedPlayer> : player;
}

/** Takes the keyboard over from the button that was pressed, which is gone. */
function FocusedPlayer({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.focus(), []);
  return (
    <div ref={frame} tabIndex={-1}>
      {children}
    </div>
  );
}

function OpenPlayer({ lesson, record, startAt, startsPlaying = false, onNote, onPlay }: LessonPlayerProps) {
  const watching = useWatching(onNote);
  return (
    <VideoPlayer
      label={`Lesson: ${lesson.title}`}
      playback={playbackQuery(lesson.id)}
      picture={lesson.thumbnail}
      begin={{ at: startAt ?? resumeAt(record, lesson.duration), isPlaying: startsPlaying }}
      {...watching}
      onPlay={(media) => {
        watching.onPlay(media);
        onPlay();
      }}
    />
  );
}
