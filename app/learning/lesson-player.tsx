import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, type SyntheticEvent, useEffect, useRef, useState } from "react";
import type { Lesson } from "#contract/catalogue.ts";
import { messageOf } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { playbackQuery } from "./course-queries.ts";
import type { ProgressNote } from "./progress-notes.ts";
import { type LessonRecord, resumeAt } from "./progress-numbers.ts";
import { createWatchRecorder } from "./watch-recorder.ts";
import type { Stretch } from "./watched.ts";

const Player = lazy(() => import("../ui/player.tsx"));

interface LessonPlayerProps {
  lesson: Lesson;
  /** As it was when the lesson was opened; what changes later does not move the player. */
  record: LessonRecord | undefined;
  onNote: (note: ProgressNote) => void;
}

/** The lesson's video. Give it the lesson's id as key: everything in it belongs to one lesson. */
export function LessonPlayer({ lesson, record, onNote }: LessonPlayerProps) {
  const playback = useQuery(playbackQuery(lesson.id));
  const [isBroken, setIsBroken] = useState(false);
  const [startAt, setStartAt] = useState(() => resumeAt(record, lesson.duration));
  const handlers = useRecorder(lesson, record, onNote);

  if (playback.isError || isBroken) {
    return (
      <Broken
        sentence={messageOf(playback.error, "The video could not be played. Check your connection and try again.")}
        isPending={playback.isFetching}
        onRetry={async () => {
          await playback.refetch();
          setIsBroken(false);
        }}
      />
    );
  }
  if (!playback.data) return <Skeleton className="aspect-video w-full" />;
  return (
    <Suspense fallback={<Skeleton className="aspect-video w-full" />}>
      <Player
        label={`Lesson: ${lesson.title}`}
        src={playback.data.url}
        poster={playback.data.posterUrl}
        captions={playback.data.captionsUrl}
        startAt={startAt}
        {...handlers}
        onError={(event) => {
          setStartAt(event.currentTarget.currentTime);
          setIsBroken(true);
        }}
      />
    </Suspense>
  );
}

/** Feeds what the video element tells to the recorder, and lets it save when the lesson is left. */
function useRecorder(lesson: Lesson, record: LessonRecord | undefined, onNote: (note: ProgressNote) => void) {
  const save = useRef(onNote);
  useEffect(() => {
    save.current = onNote;
  });
  const [recorder] = useState(() =>
    createWatchRecorder({
      duration: lesson.duration,
      record,
      save: (note) => save.current(note),
      now: () => performance.now(),
    }),
  );

  useEffect(() => {
    // Before the page's own listeners, which send what was noted by then.
    const hidden = () => document.visibilityState === "hidden" && recorder.stop();
    window.addEventListener("pagehide", recorder.stop, { capture: true });
    document.addEventListener("visibilitychange", hidden, { capture: true });
    return () => {
      window.removeEventListener("pagehide", recorder.stop, { capture: true });
      document.removeEventListener("visibilitychange", hidden, { capture: true });
      recorder.stop();
    };
  }, [recorder]);

  const see = ({ currentTarget: video }: SyntheticEvent<HTMLVideoElement>) => {
    if (!video.seeking) recorder.saw(stretchesOf(video.played), video.currentTime);
  };
  const stop = (event: SyntheticEvent<HTMLVideoElement>) => {
    see(event);
    recorder.stop();
  };
  const end = (event: SyntheticEvent<HTMLVideoElement>) => {
    see(event);
    recorder.end();
  };
  return { onTimeUpdate: see, onPause: stop, onSeeked: stop, onEnded: end };
}

/** What the browser has really played, which leaves out what was skipped. */
function stretchesOf(played: TimeRanges): Stretch[] {
  return Array.from({ length: played.length }, (_, at) => ({ from: played.start(at), to: played.end(at) }));
}

function Broken({ sentence, isPending, onRetry }: { sentence: string; isPending: boolean; onRetry: () => void }) {
  return (
    <div role="alert" className="grid aspect-video w-full place-items-center bg-rail p-6 text-rail-ink">
      <div className="grid justify-items-center gap-4 text-center">
        <p className="max-w-[40ch]">{sentence}</p>
        <Button variant="tag" pending={isPending} onClick={onRetry}>
          Retry
        </Button>
      </div>
    </div>
  );
}
