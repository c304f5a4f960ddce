import { queryOptions, useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import { api, messageOf } from "#app/api/api.ts";
import { previewVideo } from "#contract/admin/videos.ts";
import { late } from "#ui/feedback/late.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import { loadedAs } from "#ui/loaded-as.ts";
import type { Media } from "#ui/player/media.ts";

const [Player, loadPlayer] = late("the player", () => import("#ui/player/player.tsx"));

/** Not below "admin": each change refetches those queries, which would restart the video. */
const previewQuery = (videoId: string) =>
  queryOptions({
    queryKey: ["video-preview", videoId],
    queryFn: ({ signal }) => api(previewVideo, { query: { videoId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Milliseconds without an answer until a service counts as silent. */
const patience = 10_000;

const onItsWay = <Skeleton className="aspect-video w-full" />;

interface PreviewPlayerProps {
  videoId: string;
  /** Called once the video plays. */
  onMedia?: (media: Media) => void;
  onTimeUpdate?: (media: Media) => void;
}

/** Plays the video in the students' player, or shows the error. Opening the preview again retries. */
export default function PreviewPlayer({ videoId, onMedia, onTimeUpdate }: PreviewPlayerProps) {
  const { data: playback, error } = useQuery(previewQuery(videoId));
  const { frame, isLoadedForIt } = useDocumentOf(videoId);
  const isElsewhere = playback !== undefined && !playback.url.startsWith("/") && !isLoadedForIt;
  const [isBroken, setIsBroken] = useState(false);
  const { isSilent, hear } = useSilence(playback !== undefined);
  useEffect(() => void loadPlayer(), []);
  useEffect(() => {
    if (isElsewhere) window.location.reload();
  }, [isElsewhere]);

  if (error || isBroken) {
    return (
      <p role="alert" className="rounded-sm bg-sunken px-4 py-3 font-semibold text-danger text-sm">
        {messageOf(error, "We couldn't play the video. Check its address and your connection.")}
      </p>
    );
  }
  return (
    <div ref={frame} tabIndex={-1} className="grid gap-2">
      <div className="overflow-hidden rounded-md border-2 border-edge">
        {!playback || isElsewhere ? (
          onItsWay
        ) : (
          <Suspense fallback={onItsWay}>
            <Player
              label="Preview"
              kind={playback.kind}
              src={playback.url}
              poster={playback.posterUrl}
              captions={playback.captions}
              // Browsers allow autoplay only after a click in the document, and a reload loses that click.
              position={{ at: 0, isPlaying: !isLoadedForIt }}
              onReady={(media) => {
                hear();
                onMedia?.(media);
              }}
              {...(onTimeUpdate && { onTimeUpdate })}
              onError={() => setIsBroken(true)}
            />
          </Suspense>
        )}
      </div>
      <p role="status" className="text-danger text-sm">
        {isSilent &&
          "The video service hasn’t answered yet. Check the address, and that the video may play on other sites."}
      </p>
    </div>
  );
}

/** Whether this document's content security policy allows the video. If it was loaded for it, focuses the player. */
function useDocumentOf(videoId: string) {
  const frame = useRef<HTMLDivElement>(null);
  const isLoadedForIt =
    loadedAs.pathname === window.location.pathname && loadedAs.searchParams.get("preview") === videoId;
  useEffect(() => {
    if (isLoadedForIt) frame.current?.focus({ preventScroll: true });
    frame.current?.scrollIntoView({ block: isLoadedForIt ? "center" : "nearest" });
  }, [isLoadedForIt]);
  return { frame, isLoadedForIt };
}

/** An embedded player whose service does not respond reports no error. */
function useSilence(isAsked: boolean) {
  const [isSilent, setIsSilent] = useState(false);
  const [isHeard, setIsHeard] = useState(false);
  useEffect(() => {
    if (!isAsked || isHeard) return;
    const timer = setTimeout(() => setIsSilent(true), patience);
    return () => clearTimeout(timer);
  }, [isAsked, isHeard]);
  return { isSilent: isSilent && !isHeard, hear: () => setIsHeard(true) };
}
