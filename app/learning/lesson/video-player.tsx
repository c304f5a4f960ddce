import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { messageOf } from "#app/api/api.ts";
import type { VideoPlayback } from "#contract/catalogue.ts";
import { Button } from "#ui/controls/button.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import type { Media, MediaHandlers, PlaybackPosition } from "#ui/player/media.ts";
import { PlayCover } from "./lesson-cover.tsx";

const loadPlayer = () => import("#ui/player/player.tsx");
const Player = lazy(loadPlayer);

export const videoFrame = "aspect-video w-full";

interface VideoPlayerProps<Playback extends VideoPlayback> extends Omit<MediaHandlers, "onError"> {
  /** Names the player for screen readers. */
  label: string;
  title: string;
  /** Where it plays from. */
  playback: UseQueryOptions<Playback, Error, Playback, string[]>;
  /** Shown while the player is on its way. */
  picture?: string | null;
  begin: PlaybackPosition;
}

/** A video of the course, once its address is known: a signed one is renewed, and what fails says so. */
export function VideoPlayer<Playback extends VideoPlayback>(props: VideoPlayerProps<Playback>) {
  const { label, title, playback: query, picture = null, begin, ...handlers } = props;
  const playback = useQuery(query);
  const [position, setPosition] = useState(begin);
  const { isBroken, onError, retry } = useRenewal(playback.data, playback.refetch, setPosition);
  const isElsewhere = useDocumentFor(playback.data);
  const { frame, isCovered, uncover } = useCover(begin);
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
  if (!playback.data || isOld || isElsewhere) return <OnItsWay picture={picture} />;
  const { kind, url, posterUrl, captionsUrl } = playback.data;
  if (isCovered && isFromElsewhere(playback.data)) {
    return (
      <PlayCover
        title={title}
        className={`${videoFrame} block focus-visible:-outline-offset-4`}
        onPlay={() => {
          setPosition({ ...position, isPlaying: true });
          uncover();
        }}
      >
        {posterUrl && <img src={posterUrl} alt="" className="size-full object-cover" />}
      </PlayCover>
    );
  }
  return (
    <div ref={frame} tabIndex={-1}>
      <Suspense fallback={<OnItsWay picture={picture ?? posterUrl} />}>
        <Player
          key={playback.dataUpdatedAt}
          label={label}
          kind={kind}
          src={url}
          poster={posterUrl}
          captions={captionsUrl}
          position={position}
          {...handlers}
          onError={onError}
        />
      </Suspense>
    </div>
  );
}

/**
 * A video from elsewhere is a picture until somebody plays it, so that nobody else learns who opened a lesson. The keyboard
 * goes on from the button to the player.
 */
function useCover(begin: PlaybackPosition) {
  const frame = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"covered" | "pressed" | "open">(begin.isPlaying ? "open" : "covered");
  useEffect(() => {
    if (state === "pressed") frame.current?.focus();
  }, [state]);
  return { frame, isCovered: state === "covered", uncover: () => setState("pressed") };
}

/** Its picture, where it has one: the same that the player begins with. */
function OnItsWay({ picture }: { picture: string | null }) {
  return picture ? (
    <img src={picture} alt="" className={`${videoFrame} bg-rail object-contain`} />
  ) : (
    <Skeleton className={videoFrame} />
  );
}

/** Milliseconds in which a signed address that was just renewed cannot have expired again. */
const renewalLasts = 60_000;

/** What to do when the video fails: a signed address is renewed at the same second, anything else is told. */
function useRenewal(
  playback: VideoPlayback | undefined,
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

function isSigned(playback: VideoPlayback | undefined): boolean {
  return playback !== undefined && "expiresAt" in playback && playback.expiresAt !== null;
}

/**
 * Whether this document may show videos from other sites: it keeps, for life, the content security policy of the page
 * that it was loaded as, and only pages with lessons let such videos in.
 */
function mayShowVideosOfOthers(): boolean {
  return document.documentElement.hasAttribute("data-lessons");
}

function isFromElsewhere({ url }: VideoPlayback): boolean {
  return !url.startsWith("/");
}

/** Whether the video plays from elsewhere and this document may not show it: then the same address is loaded anew. */
function useDocumentFor(playback: VideoPlayback | undefined): boolean {
  const isElsewhere = playback !== undefined && isFromElsewhere(playback) && !mayShowVideosOfOthers();
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
