import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { deleteVideo, listVideos, type UploadedVideo, type VideoUploads } from "#contract/admin/studio.ts";
import { Button } from "#ui/controls/button.tsx";
import { formatDay } from "#ui/format/dates.ts";
import { formatSize } from "#ui/format/numbers.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { DropZone } from "../drop-zone.tsx";
import { CancelDialog } from "./cancel-dialog.tsx";
import { sendVideo, useSending } from "./sending.ts";
import { UploadProgress } from "./upload-progress.tsx";

const extensions = [".mp4", ".mov", ".m4v", ".mkv", ".webm"];

interface UploadFieldProps {
  label: string;
  /** The content for which it is uploaded. */
  place: string;
  onUse: (id: string) => void;
}

/** Uploads a video, or takes one that was uploaded before. */
export function UploadField({ label, place, onUse }: UploadFieldProps) {
  const sending = useSending();
  const { data } = useQuery({ ...queryOf(listVideos), staleTime: 0 });
  const [fault, setFault] = useState<string>();
  const [deleted, setDeleted] = useState<UploadedVideo | null>(null);
  const wholeId = sending?.phase === "whole" && sending.place === place ? sending.id : null;
  const use = useEffectEvent(onUse);
  // Only where it was chosen: the administrator may have something else open by now.
  useEffect(() => {
    if (wholeId) use(wholeId);
  }, [wholeId]);

  function choose([file]: readonly File[]): void {
    if (!file) return;
    const earlier = data?.videos.find((video) => isEarlier(video, file));
    const refusal = faultOf(file, data, earlier);
    setFault(refusal ?? undefined);
    if (refusal === null) void sendVideo(file, place, earlier);
  }

  if (sending && sending.phase !== "whole") return <UploadProgress sending={sending} />;
  const unfinished = data?.videos.filter(({ state }) => state === "uploading") ?? [];
  const uploaded = data?.videos.filter(({ state }) => state !== "uploading") ?? [];
  return (
    <div className="grid gap-3">
      <DropZone
        label={label}
        invitation="Drop a video here, or choose it."
        choose="Choose a video"
        hint={`MP4, MOV, MKV or WebM${data ? `, up to ${inGigabytes(Math.min(data.limits.size, data.limits.room))}` : ""}`}
        accept={extensions.join(",")}
        fault={fault}
        onFiles={choose}
      />
      {unfinished.length > 0 && (
        <ul aria-label="Unfinished uploads" className="border-line border-t">
          {unfinished.map((video) => (
            <Unfinished key={video.id} video={video} />
          ))}
        </ul>
      )}
      {uploaded.length > 0 && (
        <details>
          <summary className="min-h-11 cursor-pointer content-center font-semibold text-sm">
            Videos uploaded before
          </summary>
          <ul className="border-line border-t">
            {uploaded.map((video) => (
              <Uploaded key={video.id} video={video} onUse={() => onUse(video.id)} onDelete={() => setDeleted(video)} />
            ))}
          </ul>
        </details>
      )}
      {deleted && <DeleteDialog video={deleted} onClose={() => setDeleted(null)} />}
    </div>
  );
}

interface UploadedProps {
  video: UploadedVideo;
  onUse: () => void;
  onDelete: () => void;
}

function Uploaded({ video, onUse, onDelete }: UploadedProps) {
  const { fileName, size, usedBy, deletesAt } = video;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-line border-b py-2">
      <div className="min-w-0">
        <p className="text-sm wrap-anywhere">
          {fileName} <span className="printed text-ink-soft">{formatSize(size)}</span>
        </p>
        <p className="text-fine text-ink-soft">
          {usedBy && `Used by ${usedBy}`}
          {deletesAt && `Not used. It’ll be deleted on ${formatDay(deletesAt)}.`}
        </p>
      </div>
      <div className="flex gap-2">
        <Button variant="outline" size="small" aria-label={`Use ${fileName}`} onClick={onUse}>
          Use
        </Button>
        {usedBy === null && (
          <Button variant="quiet" size="small" aria-label={`Delete ${fileName}`} onClick={onDelete}>
            Delete
          </Button>
        )}
      </div>
    </li>
  );
}

function DeleteDialog({ video, onClose }: { video: UploadedVideo; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`Delete ${video.fileName}?`}
      description="Nothing uses this video. You can’t undo this."
      confirm="Delete"
      isDangerous
      act={() => api(deleteVideo, { params: { id: video.id } })}
      words={{ done: "Video deleted", failed: "Couldn’t delete the video" }}
      goneId={video.id}
      onClose={onClose}
    />
  );
}

function Unfinished({ video }: { video: UploadedVideo }) {
  const [isCanceling, setIsCanceling] = useState(false);
  const percent = Math.floor((100 * video.received) / video.size);
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 border-line border-b py-2">
      <div className="min-w-0">
        <p className="font-semibold text-sm wrap-anywhere">
          Continue {video.fileName}, {percent}%
        </p>
        <p className="text-fine text-ink-soft">Choose the same file again. We’ll send what is missing.</p>
      </div>
      <Button variant="quiet" size="small" aria-label={`Cancel ${video.fileName}`} onClick={() => setIsCanceling(true)}>
        Cancel
      </Button>
      {isCanceling && (
        <CancelDialog
          fileName={video.fileName}
          description={`We’ll delete the ${percent}% that we have.`}
          act={() => api(deleteVideo, { params: { id: video.id } })}
          onClose={() => setIsCanceling(false)}
        />
      )}
    </li>
  );
}

/** What differs after all shows in the hash at the end. */
const isEarlier = ({ state, fileName, size }: UploadedVideo, file: File) =>
  state === "uploading" && size === file.size && fileName === file.name.trim();

/** Why a file can't be uploaded, as far as the browser can tell. */
function faultOf(file: File, uploads: VideoUploads | undefined, earlier: UploadedVideo | undefined): string | null {
  if (!extensions.some((extension) => file.name.toLowerCase().endsWith(extension))) {
    return `${file.name} isn’t a video that we can read. Choose an MP4, MOV, MKV or WebM file.`;
  }
  if (file.size === 0) return `${file.name} is empty.`;
  if (!uploads || earlier) return null;
  const { size, room, unfinished } = uploads.limits;
  if (file.size > size) return `${file.name} is larger than ${inGigabytes(size)}.`;
  if (file.size > room)
    return `The server has room for videos of up to ${inGigabytes(room)} now. Ask your server administrator.`;
  const isFull = uploads.videos.filter(({ state }) => state === "uploading").length >= unfinished;
  return isFull ? `There are ${unfinished} unfinished uploads. Finish or cancel one of them first.` : null;
}

function inGigabytes(bytes: number): string {
  const gigabytes = bytes / 1024 ** 3;
  return gigabytes < 1 ? `${Math.floor(bytes / 1024 ** 2)} MB` : `${Math.floor(10 * gigabytes) / 10} GB`;
}
