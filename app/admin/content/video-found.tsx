import { useQuery } from "@tanstack/react-query";
import { api } from "#app/api/api.ts";
import { checkVideo, type VideoCheck } from "#contract/admin/videos.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { noVideo } from "#contract/video-id.ts";
import { Button } from "#ui/controls/button.tsx";

interface VideoFoundProps {
  /** The saved id. */
  videoId: string;
  /** False while the field holds another id. */
  isSaved: boolean;
  /** In seconds, as typed; 0: as long as the video. */
  duration?: number;
  /** Takes over the video's duration. Absent where the form has none. */
  onUse?: (duration: number) => void;
}

/** Milliseconds between polls while the service has not answered. */
const askEvery = 3000;

/** What the server found out about the saved video. The typed duration changes only when `onUse` is called. */
export function VideoFound({ videoId, isSaved, duration, onUse }: VideoFoundProps) {
  const { data } = useQuery({
    // Not below "admin", whose queries each change refetches.
    queryKey: ["video-check", videoId],
    queryFn: ({ signal }) => api(checkVideo, { query: { videoId }, signal }),
    enabled: videoId !== noVideo,
    refetchInterval: ({ state }) => (state.data?.state === "waiting" ? askEvery : false),
    staleTime: 0,
  });
  if (!data) return null;
  const found = data.duration;
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-sm bg-sunken px-4 py-3 text-sm">
      {isSaved && data.poster && (
        <img src={data.poster} alt="Before it plays" className="aspect-video w-28 bg-rail object-cover" />
      )}
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className={data.state === "unplayable" ? "font-semibold text-danger" : ""}>
          {isSaved ? wordsOf(data) : "We’ll check the new video when you save it."}
        </p>
        {isSaved && onUse && <p>{data.noDuration}</p>}
        {isSaved && <p>{data.noPoster}</p>}
      </div>
      {isSaved && onUse && found !== null && duration !== 0 && found !== duration && (
        <Button variant="outline" size="small" onClick={() => onUse(found)}>
          Use {formatSecond(found)}
        </Button>
      )}
    </div>
  );
}

function wordsOf({ state, reason, title, duration }: VideoCheck): string {
  if (state === "unplayable") return `This video can’t be played. ${reason ?? ""}`;
  if (state === "waiting") return "We’re checking this video and will try again until its service answers.";
  if (state === "untold") return "We can’t check this video. Play it in the preview.";
  const plays = `This video plays${title ? `: “${title}”` : ""}.`;
  return duration === null ? plays : `${plays} Length ${formatSecond(duration)}.`;
}
