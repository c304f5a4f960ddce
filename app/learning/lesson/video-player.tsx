import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import { messageOf } from "#app/api/api.ts";
import type { VideoPlayback } from "#contract/catalogue.ts";
import { Button } from "#ui/controls/button.tsx";
import { late } from "#ui/feedback/late.tsx";
import type { Media, MediaHandlers, PlaybackPosition } from "#ui/player/media.ts";
import { allowsExternalVideos, PlayCover, PlayerLoading, videoFrame } from "./lesson-cover.tsx";

const [Player, loadPlayer] = late("the player", () => import("#ui/player/player.tsx"));

interface VideoPlayerProps<Playback extends VideoPlayback> extends Omit<MediaHandlers, "onError"> {
  /** The player's accessible name. */
  label: string;
  title: string;
  /** The query for the playback URL. */
  playback: UseQueryOptions<Playback>;
  /** Shown while the player loads. */
  picture?: string | null;
  begin: PlaybackPosition;
}

/** A video of the course. Loads its URL, renews a signed one, and shows failures. */
export function VideoPlayer<Playback extends VideoPlayback>(props: VideoPlayerProps<Playback>) {
  const { label, title, playback: query, picture = null, begin, ...handlers } = props;
  const playback = useQuery({ ...query, ...renewal });
  const [beganStale] = useState(playback.isStale);
  const [position, setPosition] = useState(begin);
  const { isBroken, renewals, onError, retry } = useRenewal(playback.data, playback.refetch, setPosition);
  const isBlockedHere = useDocumentFor(playback.data);
  const { frame, isCovered, uncover } = useCover(begin);
  // Loads the player in parallel with the URL.
  useEffect(() => void loadPlayer(), []);

  if (playback.isError || isBroken) {
    return (
      <Broken
        sentence={messageOf(playback.error, "We couldn’t play the video. Check your connection and try again.")}
        isPending={playback.isFetching}
        onRetry={retry}
      />
    );
  }
  // A cached URL may have expired, so this waits for the new one.
  const isOld = beganStale && playback.isFetching && !playback.isFetchedAfterMount;
  if (!playback.data || isOld || isBlockedHere) return <PlayerLoading picture={picture} />;
  const { kind, url, videoId, posterUrl, captions } = playback.data;
  if (isCovered && isExternal(playback.data)) {
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
      <Suspense fallback={<PlayerLoading picture={picture ?? posterUrl} />}>
        <Player
          key={`${renewals} ${videoId}`}
          label={label}
          kind={kind}
          src={url}
          poster={posterUrl}
          captions={captions}
          position={position}
          {...handlers}
          onError={onError}
        />
      </Suspense>
    </div>
  );
}

/**
 * Shows an image instead of an external video until the student plays it, so that the other site does not learn who
 * opened a lesson. Then moves the focus from the button to the player.
 */
function useCover(begin: PlaybackPosition) {
  const frame = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"covered" | "pressed" | "open">(begin.isPlaying ? "open" : "covered");
  useEffect(() => {
    if (state === "pressed") frame.current?.focus();
  }, [state]);
  return { frame, isCovered: state === "covered", uncover: () => setState("pressed") };
}

/** In milliseconds. Leaves time for further attempts: the addresses of our own videos expire after half an hour. */
const renewEvery = 9 * 60_000;

/**
 * Renews the address of an uploaded video while it plays, also in a tab in the background. Other signed addresses are
 * valid longer than their video.
 */
const renewal = {
  refetchInterval({ state }: { state: { data: VideoPlayback | undefined; dataUpdatedAt: number } }): number | false {
    if (!state.data || isExternal(state.data) || !isSigned(state.data)) return false;
    return Math.max(30_000, state.dataUpdatedAt + renewEvery - Date.now());
  },
  refetchIntervalInBackground: true,
};

/** In milliseconds. A signed URL that was renewed more recently cannot have expired. */
const renewalMilliseconds = 60_000;

/** Handles playback errors: renews a signed URL and resumes at the same second. Other errors are shown. */
function useRenewal(
  playback: VideoPlayback | undefined,
  refetch: () => Promise<unknown>,
  setPosition: (position: PlaybackPosition) => void,
) {
  const [isBroken, setIsBroken] = useState(false);
  // A player that failed is replaced by a new one.
  const [renewals, setRenewals] = useState(0);
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);

  async function onError(media: Media): Promise<void> {
    // What failed before its length was known has not moved.
    if (media.readyState > 0) setPosition({ at: media.currentTime, isPlaying: !media.paused });
    const maySucceed = isSigned(playback) && performance.now() - renewedAt.current > renewalMilliseconds;
    renewedAt.current = performance.now();
    if (!maySucceed) return setIsBroken(true);
    await refetch();
    setRenewals((before) => before + 1);
  }

  async function retry(): Promise<void> {
    await refetch();
    setRenewals((before) => before + 1);
    setIsBroken(false);
  }

  return { isBroken, renewals, onError, retry };
}

function isSigned(playback: VideoPlayback | undefined): boolean {
  return playback !== undefined && "expiresAt" in playback && playback.expiresAt !== null;
}

function isExternal({ url }: VideoPlayback): boolean {
  return !url.startsWith("/");
}

/** Whether the video is external and this document may not show it. If so, reloads the page at the same URL. */
function useDocumentFor(playback: VideoPlayback | undefined): boolean {
  const isBlockedHere = playback !== undefined && isExternal(playback) && !allowsExternalVideos();
  useEffect(() => {
    if (isBlockedHere) window.location.reload();
  }, [isBlockedHere]);
  return isBlockedHere;
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
