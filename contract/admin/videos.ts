import { z } from "zod";
import { VideoPlayback } from "../catalogue.ts";
import { endpoint } from "../endpoint.ts";
import { parseVideoId, videoIdOf } from "../video-id.ts";

/** Takes addresses, too, which become ids. Codes for embedding are longer than addresses. */
export const pastedVideo = z
  .string()
  .trim()
  .max(1000)
  .overwrite((pasted) => videoIdOf(pasted) ?? pasted);
export const notPlayable =
  "We can’t play this. Use an address of YouTube, Vimeo, Bunny or Mux, or of an MP4 file or an HLS playlist (https)";
export const playableVideo = pastedVideo.refine(parseVideoId, notPlayable);

export const VideoCheck = z
  .object({
    videoId: z.string(),
    state: z
      .enum(["waiting", "playable", "unplayable", "untold"])
      .describe("Waiting: not checked yet, or nobody answered; untold: nobody says anything about videos of this kind"),
    reason: z.string().nullable().describe("Why it does not play, as a sentence"),
    title: z.string().nullable().describe("As the service calls it"),
    duration: z.int().nullable().describe("Seconds, where somebody tells"),
    poster: z.string().nullable().describe("The address of its picture, which the server keeps"),
    noDuration: z.string().nullable().describe("Why there is no length, as a sentence"),
    noPoster: z.string().nullable().describe("Why there is no picture, as a sentence"),
    checkedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "VideoCheck" });
export type VideoCheck = z.infer<typeof VideoCheck>;

/** A video, saved or not. */
export const VideoQuery = z.strictObject({ videoId: z.string().trim().min(1).max(1000) });

export const checkVideo = endpoint({
  method: "GET",
  path: "/api/admin/videos/check",
  permission: "content:write",
  summary: "What was found about a video since it was saved in the content: whether it plays, its title and its length",
  query: VideoQuery,
  reply: VideoCheck,
});

export const previewVideo = endpoint({
  method: "GET",
  path: "/api/admin/videos/preview",
  permission: "content:write",
  summary: "Where a video plays from, saved or not, as it will for students",
  query: VideoQuery,
  reply: VideoPlayback,
});

/** Of a published lesson, or of a module's introduction. */
const VideoProblem = z
  .object({
    kind: z.enum(["lesson", "module"]),
    id: z.string(),
    title: z.string(),
    reason: z.string().describe("Why its video does not play, as a sentence"),
  })
  .meta({ id: "VideoProblem" });
export type VideoProblem = z.infer<typeof VideoProblem>;

export const listVideoProblems = endpoint({
  method: "GET",
  path: "/api/admin/videos/problems",
  permission: "content:write",
  summary: "The published videos that do not play",
  reply: z.array(VideoProblem),
});
