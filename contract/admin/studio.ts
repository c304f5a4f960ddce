import { z } from "zod";
import { endpoint } from "../endpoint.ts";

export const videoStates = ["uploading", "checking", "waiting", "converting", "ready", "failed"] as const;

export const UploadedVideo = z
  .object({
    id: z.string(),
    fileName: z.string(),
    size: z.int().describe("Bytes"),
    received: z.int().describe("Bytes that came so far"),
    sha256: z.string().nullable().describe("Of the whole file, once it has come and was read"),
    state: z.enum(videoStates),
    progress: z.int().min(0).max(100).describe("Per cent of the check, then of the conversion"),
    reason: z.string().nullable().describe("Why it failed, as a sentence"),
    log: z.array(z.string()).describe("The last lines of ffmpeg, after a failure"),
    lengthSeconds: z.int().nullable(),
    renditions: z
      .array(z.object({ height: z.int().describe("Pixels of the shorter side"), size: z.int().describe("Bytes") }))
      .describe("What can be played already, smallest first"),
    createdAt: z.iso.datetime(),
    usedBy: z.string().nullable().describe("What uses it, such as “the lesson “Welcome””"),
    deletesAt: z.iso.datetime().nullable().describe("When it is deleted, unless it is finished or used by then"),
  })
  .meta({ id: "UploadedVideo" });
export type UploadedVideo = z.infer<typeof UploadedVideo>;

/** Uploads speak tus 1.0.0: POST here begins one, HEAD and PATCH at `{id}` continue it. */
export const videosPath = "/api/admin/videos";

export const VideoUploads = z
  .object({
    videos: z.array(UploadedVideo),
    limits: z.object({
      size: z.int().describe("Bytes of one file at most"),
      room: z.int().describe("Bytes of the largest file for which the server has room now"),
      unfinished: z.int().describe("Unfinished uploads of one person at most"),
    }),
  })
  .meta({ id: "VideoUploads" });
export type VideoUploads = z.infer<typeof VideoUploads>;

export const listVideos = endpoint({
  method: "GET",
  path: videosPath,
  permission: "content:write",
  summary: "Uploaded videos, newest first, and what may be uploaded now",
  reply: VideoUploads,
});

const VideoParams = z.object({ id: z.string() });

export const getVideo = endpoint({
  method: "GET",
  path: `${videosPath}/{id}`,
  permission: "content:write",
  summary: "How far an uploaded video is",
  params: VideoParams,
  reply: UploadedVideo,
});

export const deleteVideo = endpoint({
  method: "DELETE",
  path: `${videosPath}/{id}`,
  permission: "content:write",
  withoutFreshSignIn: "Removes only what nothing uses, and students never see",
  summary: "Cancels an upload, or deletes a video that nothing uses",
  params: VideoParams,
  reply: z.object({ message: z.string() }),
});

export const tellHash = endpoint({
  method: "PUT",
  path: `${videosPath}/{id}/sha256`,
  permission: "content:write",
  withoutFreshSignIn: "Can only make one's own upload fail",
  summary: "Tells the SHA-256 of the file that one uploads; a video that arrived differently fails",
  params: VideoParams,
  body: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  reply: UploadedVideo.pick({ state: true }),
});

export const retryVideo = endpoint({
  method: "POST",
  path: `${videosPath}/{id}/retry`,
  permission: "content:write",
  withoutFreshSignIn: "Repeats what the upload has begun",
  summary: "Converts a failed video again",
  params: VideoParams,
  reply: UploadedVideo,
});
