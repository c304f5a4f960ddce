import { Suspense, useId } from "react";
import { noVideo, videoIdOf } from "#contract/video-id.ts";
import { Button } from "#ui/controls/button.tsx";
import { late } from "#ui/feedback/late.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import { useAddress } from "../address.ts";

const [PreviewPlayer] = late("the preview", () => import("./preview-player.tsx"));

/**
 * Plays the typed video, saved or not. Its id is in the URL, because the server's content security policy allows the
 * video that the URL names. A video that only the URL names is not played.
 */
export function VideoPreview({ videoId: typed }: { videoId: string }) {
  const { read, write } = useAddress();
  const player = useId();
  const videoId = videoIdOf(typed.trim()) ?? typed.trim();
  const isNothing = videoId === "" || videoId === noVideo;
  // The editor of captions has the video itself.
  const isOpen = !isNothing && read("preview") === videoId && read("captions") === "";
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          variant="outline"
          size="small"
          disabled={isNothing}
          aria-expanded={isOpen}
          aria-controls={isOpen ? player : undefined}
          onClick={() => write({ preview: isOpen ? null : videoId }, { replace: true })}
        >
          {isOpen ? "Close preview" : "Preview"}
        </Button>
        <p className="text-fine text-ink-soft">
          {isNothing ? "There is no video to play yet." : "In the students’ player. It doesn’t count as watched."}
        </p>
      </div>
      {isOpen && (
        <div id={player}>
          <Suspense fallback={<Skeleton className="aspect-video w-full" />}>
            <PreviewPlayer key={videoId} videoId={videoId} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
