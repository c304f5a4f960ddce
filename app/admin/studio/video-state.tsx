import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { getVideo, retryVideo, type UploadedVideo } from "#contract/admin/studio.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { Button } from "#ui/controls/button.tsx";
import { Progress } from "#ui/feedback/progress.tsx";
import { useAct } from "../act.ts";
import { forgetSending, useSending } from "./sending.ts";

/** Milliseconds between polls while the server works. */
const askEvery = 2000;
const isSettled = (video: UploadedVideo | undefined) => video?.state === "ready" || video?.state === "failed";

/** The uploaded video that a lesson has, and what becomes of it. */
export function VideoState({ id, onReplace }: { id: string; onReplace: () => void }) {
  const sending = useSending();
  const queryClient = useQueryClient();
  const frame = useRef<HTMLElement>(null);
  const query = queryOf(getVideo, { params: { id } });
  const { data: video, isError } = useQuery({
    ...query,
    staleTime: 0,
    refetchInterval: ({ state }) => (isSettled(state.data) || state.error ? false : askEvery),
  });
  const local = sending?.id === id ? sending.sha256 : null;
  const differs = local !== null && video !== undefined && video.sha256 !== null && video.sha256 !== local;

  const retry = useAct(
    () => api(retryVideo, { params: { id } }),
    { done: "We’ll convert it again", failed: "Couldn’t convert it again" },
    (waiting) => {
      queryClient.setQueryData(query.queryKey, waiting);
      // The pressed button disappears.
      frame.current?.focus();
    },
  );

  function replace(): void {
    if (sending?.id === id) forgetSending();
    onReplace();
  }

  return (
    <section ref={frame} tabIndex={-1} aria-label="Uploaded video" className="grid gap-3 rounded-sm bg-sunken p-4">
      <p className="font-semibold text-sm wrap-anywhere">{video?.fileName ?? "Uploaded video"}</p>
      <p role="status" className={video?.state === "failed" ? "font-semibold text-danger text-sm" : "text-sm"}>
        {isError ? "We couldn’t find this video. It may have been deleted." : video && wordsOf(video)}
      </p>
      {video?.state === "checking" && <Progress value={video.progress} label="Checked" />}
      {video?.state === "converting" && <Progress value={video.progress} label="Converted" />}
      {differs && (
        <p role="alert" className="font-semibold text-danger text-sm">
          What arrived differs from the file on your computer. Upload it again.
        </p>
      )}
      {video?.state === "failed" && video.log.length > 0 && (
        <details className="text-fine">
          <summary className="min-h-11 cursor-pointer content-center">Details for your server administrator</summary>
          <pre className="whitespace-pre-wrap font-mono wrap-anywhere">{video.log.join("\n")}</pre>
        </details>
      )}
      <div className="flex flex-wrap gap-3">
        {video?.state === "failed" && (
          <Button size="small" pending={retry.isPending} onClick={() => retry.mutate()}>
            Try again
          </Button>
        )}
        <Button variant="outline" size="small" onClick={replace}>
          Use another video
        </Button>
      </div>
    </section>
  );
}

function wordsOf({ state, progress, renditions, reason, lengthSeconds }: UploadedVideo): string {
  const length = lengthSeconds === null ? "" : ` Length ${formatSecond(lengthSeconds)}.`;
  const largest = renditions.at(-1)?.height;
  if (state === "uploading") return "It isn’t uploaded completely yet.";
  if (state === "checking") return `Uploaded. We’re checking it, ${progress}%.`;
  if (state === "waiting") return "Waiting for its turn to be converted.";
  if (state === "failed") return reason ?? "It couldn’t be converted.";
  if (state === "ready") return `Ready to play${largest ? ` in up to ${largest}p` : ""}.${length}`;
  if (largest === undefined)
    return `Converting, ${progress}%. You can publish the lesson once the first size is ready.`;
  return `Converting, ${progress}%. It plays in ${largest}p already.${length}`;
}
