import { z } from "zod";

export const videoStates = ["uploading", "checking", "waiting", "converting", "ready", "failed"] as const;

export const UploadedVideo = z
  .object({
    id: z.string(),
    fileName: z.string(),
    size: z.int().describe("Bytes"),
    received: z.int().describe("Bytes that came so far"),
    sha256: z.string().nullable().describe("Of the whole file, once it has come and was read"),
    state: z.enum(videoStates),
    progress: z.int().min(0).max(100).describe("Per cent of the conversion"),
    reason: z.string().nullable().describe("Why it failed, as a sentence"),
    log: z.array(z.string()).describe("The last lines of ffmpeg, after a failure"),
    lengthSeconds: z.int().nullable(),
    renditions: z
      .array(z.object({ height: z.int().describe("Pixels"), size: z.int().describe("Bytes") }))
      .describe("What can be played already, smallest first"),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "UploadedVideo" });
export type UploadedVideo = z.infer<typeof UploadedVideo>;
