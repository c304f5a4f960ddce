import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { Lesson } from "#contract/catalogue.ts";
import { type LessonRecord, resumeAt } from "#contract/lesson-start.ts";
import type { Media } from "#ui/player/media.ts";
import { playbackQuery } from "../course-queries.ts";
import type { Playhead } from "../playhead.ts";
import type { ProgressNote } from "../progress/notes.ts";
import { VideoPlayer } from "./video-player.tsx";
import { useWatching } from "./watching.ts";

interface LessonPlayerProps {
  lesson: Pick<Lesson, "id" | "title" | "duration" | "thumbnail">;
  /** The record when the lesson was opened. Later changes do not move the player. */
  record: LessonRecord | undefined;
  /** The second named in the URL. Null to resume where the student left off. */
  startAt: number | null;
  /** Whether the student pressed a button for this video. */
  startsPlaying: boolean;
  /** Keeps the focus where it is, although the video starts playing. */
  leavesFocus?: boolean;
  onNote: (note: ProgressNote, isDue: boolean) => void;
  onPlay: () => void;
  onSeek?: () => void;
  onEnded?: () => void;
  /** Learns where the player is. */
  playhead?: Playhead;
}

/** The lesson's video. Its key must be the lesson's id and `startAt`, because its state belongs to one lesson. */
export function LessonPlayer({ leavesFocus = false, ...props }: LessonPlayerProps) {
  const player = <OpenPlayer {...props} />;
  return props.startsPlaying && !leavesFocus ? <FocusedPlayer>{player}</FocusedPlayer> : player;
}

/** Takes the focus from the pressed button, which is gone. */
function FocusedPlayer({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => frame.current?.focus(), []);
  return (
    <div ref={frame} tabIndex={-1}>
      {children}
    </div>
  );
}

function OpenPlayer({
  lesson,
  record,
  startAt,
  startsPlaying,
  onNote,
  onPlay,
  onSeek,
  onEnded,
  playhead,
}: LessonPlayerProps) {
  const queryClient = useQueryClient();
  const { queryKey } = playbackQuery(lesson.id);
  const videoId = useRef<string>(undefined);
  const watching = useWatching((note, isDue) => {
    // A signed address that is renewed may be that of another video, which this player does not show.
    videoId.current ??= queryClient.getQueryData(queryKey)?.videoId;
    onNote({ ...note, videoId: videoId.current }, isDue);
  });
  const move = (media: Media) => playhead?.moved(lesson.id, media);
  useEffect(() => playhead?.closed, [playhead]);
  return (
    <VideoPlayer
      label={`Lesson: ${lesson.title}`}
      title={lesson.title}
      playback={playbackQuery(lesson.id)}
      picture={lesson.thumbnail}
      begin={{ at: startAt ?? resumeAt(record, lesson.duration), isPlaying: startsPlaying }}
      {...watching}
      onReady={move}
      onPlay={(media) => {
        watching.onPlay(media);
        onPlay();
      }}
      onTimeUpdate={(media) => {
        watching.onTimeUpdate(media);
        move(media);
      }}
      onSeeking={(media) => {
        watching.onSeeking(media);
        move(media);
        onSeek?.();
      }}
      onSeeked={(media) => {
        watching.onSeeked(media);
        move(media);
        onSeek?.();
      }}
      onEnded={(media) => {
        watching.onEnded(media);
        onEnded?.();
      }}
    />
  );
}
