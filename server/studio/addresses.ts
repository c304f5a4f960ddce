import { z } from "zod";
import { after, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { SignedIn } from "#server/identity/sessions/sessions.ts";
import type { VideoSource } from "#server/video/video.ts";
import { findUpload, whyUnplayable } from "./playable.ts";

/** Where a video is shown, which decides who may watch it. The id is the lesson's, the module's, and so on. */
const Place = z.object({ kind: z.enum(["lesson", "intro", "recording", "preview"]), id: z.string() });
export type Place = z.output<typeof Place>;

/** What the address of an uploaded video stands for. */
const Opened = z.object({
  /** `own:<id>` */
  videoId: z.string(),
  place: Place,
  /** Null for a visitor, who may watch free previews. */
  viewer: z.object({ userId: z.string(), sid: z.string() }).nullable(),
  /** Milliseconds. */
  expiresAt: z.number(),
});
export type Opened = z.output<typeof Opened>;

/** The player renews the address long before. */
const goodFor = 30 * MINUTE;

/** Null for an address that this academy has not made. It may have expired. */
export function readToken(ctx: Context, token: string): Opened | null {
  const text = ctx.addressSeal.unseal(token);
  return text === null ? null : Opened.parse(JSON.parse(text));
}

/** The part of a playback that says where the video plays from. */
export type VideoAddress =
  | { kind: "file" | "hls"; url: string; expiresAt: string | null }
  | { kind: "youtube" | "vimeo"; url: string }
  | { kind: "frame"; url: string; expiresAt: string };

interface Viewing {
  readonly signedIn: Pick<SignedIn, "user" | "sid"> | null;
  readonly place: Place;
  /** Where a sample that ships with the academy plays from. */
  readonly sample: string;
}

/** @throws Refusal unavailable while nothing of an uploaded video plays */
export async function addressOf(ctx: Context, source: VideoSource, viewing: Viewing): Promise<VideoAddress> {
  switch (source.kind) {
    case "own":
      return signedAddress(ctx, `own:${source.id}`, viewing);
    case "sample":
      return { kind: "file", url: viewing.sample, expiresAt: null };
    case "file":
      return { kind: "file", url: source.url, expiresAt: null };
    case "hls":
      return { kind: "hls", url: source.url, expiresAt: source.expiresAt?.toISOString() ?? null };
    case "frame":
      return { kind: "frame", url: source.url, expiresAt: source.expiresAt.toISOString() };
    default:
      return { kind: source.kind, url: source.url };
  }
}

/** The token is in the path, so that the files that a playlist names inherit it. */
async function signedAddress(ctx: Context, videoId: string, { signedIn, place }: Viewing): Promise<VideoAddress> {
  const video = await findUpload(ctx.db, videoId);
  if (!video || whyUnplayable(video)) {
    throw new Refusal("unavailable", "This video isn't ready yet. Please try again later.");
  }
  const expiresAt = after(ctx.clock.now(), goodFor);
  const viewer = signedIn && { userId: signedIn.user.id, sid: signedIn.sid };
  const opened: Opened = { videoId, place, viewer, expiresAt: expiresAt.getTime() };
  const folder = `/media/${ctx.addressSeal.seal(JSON.stringify(opened))}`;
  const isConverted = video.renditions.length > 0;
  return {
    kind: isConverted ? "hls" : "file",
    url: `${folder}/${isConverted ? "master.m3u8" : "video.mp4"}`,
    expiresAt: expiresAt.toISOString(),
  };
}
