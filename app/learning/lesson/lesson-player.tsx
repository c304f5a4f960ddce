import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { messageOf } from "#app/api/api.ts";
import type { Lesson, Playback } from "#contract/catalogue.ts";
import { useHydrated } from "#ui/browser-state.ts";
import { Button } from "#ui/controls/button.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import type { Media, PlaybackPosition } from "#ui/player/media.ts";
import { playbackQuery } from "../course-queries.ts";
import type { ProgressNote } from "../progress/notes.ts";
import { type LessonRecord, resumeAt } from "../progress/numbers.ts";
import { LessonCover } from "./lesson-cover.tsx";
import { useWatching } from "./watching.ts";

const loadPlayer = () => import("#ui/player/player.tsx");
const Player = lazy(loadPlayer);

interface LessonPlayerProps {
  lesson: Pick<Lesson, "id" | "title" | "duration" | "thumbnail">;
  /** As it was when the lesson was opened; what changes later does not move the player. */
  record: LessonRecord | undefined;
  /** Seconds at which to begin, where the address says so; null: where it was left. */
  startAt: number | null;
  /** It was asked for by a press that meant this video. */
  startsPlaying?: boolean;
  onNote: (note: ProgressNote, isDue: boolean) => void;
  onPlay: () => void;
}

/**
 * The lesson's video. Give it the lesson's id and `startAt` as key: everything in it belongs to one lesson. Where it came
 * as HTML it is a picture to press, since the player is large and not everybody who reads the page plays it.
 */
export function LessonPlayer({ startsPlaying = false, ...props }: LessonPlayerProps) {
  const isHydrated = useHydrated();
  const [state, setState] = useState(isHydrated ? "open" : "covered");
  if (state === "covered") {
    return (
      <LessonCover
        lesson={props.lesson}
        isLargest
        className={`${frame} block focus-visible:-outline-offset-4`}
        onPlay={() => setState("pressed")}
      />
    );
  }
  const isPressed = startsPlaying || state === "pressed";
  const player = <OpenPlayer {...props} startsPlaying={isPressed} />;
  return isPressed ? <FocusedPlayer>{player}</FocusedPlayer> : player;
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
  const playback = useQuery(playbackQuery(lesson.id));
  const [position, setPosition] = useState<PlaybackPosition>(() => ({
    at: startAt ?? resumeAt(record, lesson.duration),
    isPlaying: startsPlaying,
  }));
  const { isBroken, onError, retry } = useRenewal(playback.data, playback.refetch, setPosition);
  const watching = useWatching(onNote);
  const isElsewhere = useDocumentFor(playback.data);
  // While the address is on its way, so that the two do not wait for each other.
  useEffect(() => void loadPlayer(), []);

  if (playback.isError || isBroken) {
    return (
      <Broken
        sentence={messageOf(playback.error, "The video could not be played. Check your connection and try again.")}
        isPending={playback.isFetching}
        onRetry={retry}
      />
    );
  }
  // An address that was fetched a while ago may have expired: the new one is waited for.
  const isOld = playback.isStale && playback.isFetching;
  if (!playback.data || isOld || isElsewhere) return <OnItsWay lesson={lesson} />;
  const { kind, url, posterUrl, captionsUrl } = playback.data;
  return (
    <Suspense fallback={<OnItsWay lesson={lesson} />}>
      <Player
        key={playback.dataUpdatedAt}
        label={`Lesson: ${lesson.title}`}
        kind={kind}
        src={url}
        poster={posterUrl}
        captions={captionsUrl}
        position={position}
        {...watching}
        onPlay={(media) => {
          watching.onPlay(media);
          onPlay();
        }}
        onError={onError}
      />
    </Suspense>
  );
}

const frame = "aspect-video w-full";

/** Its picture, where it has one: the same that the player begins with. */
function OnItsWay({ lesson: { thumbnail } }: Pick<LessonPlayerProps, "lesson">) {
  return thumbnail ? (
    <img src={thumbnail} alt="" className={`${frame} bg-rail object-contain`} />
  ) : (
    <Skeleton className={frame} />
  );
}

/** Milliseconds in which a signed address that was just renewed cannot have expired again. */
const renewalLasts = 60_000;

/** What to do when the video fails: a signed address is renewed at the same second, anything else is told. */
function useRenewal(
  playback: Playback | undefined,
  refetch: () => Promise<unknown>,
  setPosition: (position: PlaybackPosition) => void,
) {
  const [isBroken, setIsBroken] = useState(false);
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);

  async function onError(media: Media): Promise<void> {
    setPosition({ at: media.currentTime, isPlaying: !media.paused });
    const maySucceed = isSigned(playback) && performance.now() - renewedAt.current > renewalLasts;
    renewedAt.current = performance.now();
    if (maySucceed) await refetch();
    else setIsBroken(true);
  }

  async function retry(): Promise<void> {
    await refetch();
    setIsBroken(false);
  }

  return { isBroken, onError, retry };
}

function isSigned(playback: Playback | undefined): boolean {
  return playback !== undefined && "expiresAt" in playback && playback.expiresAt !== null;
}

/**
 * Whether this document may show videos from other sites: it keeps, for life, the content security policy of the page
 * that it was loaded as, and only pages with lessons let such videos in.
 */
function mayShowVideosOfOthers(): boolean {
  return document.documentElement.hasAttribute("data-lessons");
}

/** Whether the video plays from elsewhere and this document may not show it: then the same address is loaded anew. */
function useDocumentFor(playback: Playback | undefined): boolean {
  const isElsewhere = playback !== undefined && !playback.url.startsWith("/") && !mayShowVideosOfOthers();
  useEffect(() => {
    if (isElsewhere) window.location.reload();
  }, [isElsewhere]);
  return isElsewhere;
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
