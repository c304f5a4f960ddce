import type { FastifyReply, FastifyRequest } from "fastify";
import { SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { findSignedIn, findSignedInBy, sessionId } from "#server/identity/sessions/sessions.ts";
import type { User } from "#server/identity/users.ts";
import { type Opened, type Place, readToken } from "./addresses.ts";
import { findUpload, type VideoRow } from "./playable.ts";
import { nameOf } from "./playlists.ts";

/** The id of the video that each place shows to the viewer now. @throws Refusal for those who may not watch it. */
export type ShownVideos = Record<
  Place["kind"],
  (ctx: Context, viewer: User | null, id: string) => Promise<string | null>
>;

/** A file of the store that plays. */
export interface MediaFile {
  readonly name: string;
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

interface Admission {
  readonly files: readonly MediaFile[];
  /** Milliseconds. */
  readonly until: number;
}

/** A check of access counts for so long, since players ask for a range every few seconds. */
const goodFor = 30 * SECOND;
const maxAdmissions = 5000;

/** Everybody who may not watch gets this answer, so that it tells nothing. */
const noLonger = () => new Refusal("not-allowed", "This video's address has expired. Reload the page.");

/** @throws Refusal not-allowed for an address that was altered or has expired, and for one of somebody else's */
export async function openToken(ctx: Context, request: FastifyRequest, reply: FastifyReply, token: string) {
  const opened = readToken(ctx, token);
  if (!opened || opened.expiresAt <= ctx.clock.now().getTime()) throw noLonger();
  const sid = sessionId(ctx, request);
  // A television or another program has no cookie: its address alone counts.
  if (opened.viewer && sid !== null && sid !== opened.viewer.sid) {
    const signedIn = await findSignedIn(ctx, request, reply);
    if (signedIn && signedIn.user.id !== opened.viewer.userId) throw noLonger();
  }
  return opened;
}

/** @returns checks whether the viewer may still watch, and returns the files that play. @throws Refusal not-allowed. */
export function openAdmissions(ctx: Context, shown: ShownVideos): (opened: Opened) => Promise<readonly MediaFile[]> {
  /** At most 5,000 entries of about 1 kB: 5 MB. */
  const known = new Map<string, Admission>();
  return async (opened) => {
    const { videoId, place, viewer } = opened;
    const key = [videoId, place.kind, place.id, viewer?.sid].join(" ");
    const now = ctx.clock.now().getTime();
    const admission = known.get(key);
    if (admission && admission.until > now) return admission.files;
    known.delete(key);
    await requireShown(ctx, shown, opened);
    const files = filesOf(await findUpload(ctx.db, videoId));
    if (known.size >= maxAdmissions) known.clear();
    known.set(key, { files, until: now + goodFor });
    return files;
  };
}

async function requireShown(ctx: Context, shown: ShownVideos, { videoId, place, viewer }: Opened): Promise<void> {
  const signedIn = viewer && (await findSignedInBy(ctx, viewer.sid));
  if (viewer?.userId !== signedIn?.user.id) throw noLonger();
  const now = await shown[place.kind](ctx, signedIn?.user ?? null, place.id).catch((error: unknown) => {
    throw error instanceof Refusal && error.code !== "unavailable" ? noLonger() : error;
  });
  if (now !== videoId) throw noLonger();
}

function filesOf(video: VideoRow | null): MediaFile[] {
  if (!video) return [];
  const { renditions, sourceKey, size, sha256 } = video;
  const converted = renditions.map((one) => ({
    ...{ name: `${nameOf(one)}.mp4`, key: one.key, size: one.size, sha256: one.sha256 },
  }));
  const isServedAsItIs = renditions.length === 0 && sourceKey !== null && sha256 !== null;
  return isServedAsItIs ? [{ name: "video.mp4", key: sourceKey, size, sha256 }] : converted;
}
