import type { Playback } from "#contract/catalogue.ts";
import { lowestLiveTier } from "#contract/tiers.ts";
import { requireTier, tierInUse } from "#server/access/access.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { User } from "#server/identity/users.ts";
import { findSample } from "#server/video/samples.ts";
import { UnplayableVideo, type VideoSource } from "#server/video/video.ts";
import { getLive } from "./seats.ts";

/** @throws Refusal account-blocked, tier-required, not-found, not-yet-available, unavailable. */
export async function recordingOf(ctx: Context, user: User, sessionId: string): Promise<Playback> {
  const { source, duration } = await watchable(ctx, user, sessionId);
  const parts = { lessonId: sessionId, captionsUrl: null, captions: [], posterUrl: null, duration };
  switch (source.kind) {
    case "sample":
      return { ...parts, kind: "file", url: `/api/live/${sessionId}/video` };
    case "own":
      throw new Refusal("unavailable", "This video isn't ready yet. Please try again later.");
    case "hls":
      return { ...parts, kind: "hls", url: source.url, expiresAt: source.expiresAt?.toISOString() ?? null };
    case "frame":
      return { ...parts, kind: "frame", url: source.url, expiresAt: source.expiresAt.toISOString() };
    default:
      return { ...parts, kind: source.kind, url: source.url };
  }
}

export { listRecordingVideos } from "./queries.ts";

/** A recording that is one of the samples included in the release. @throws Refusal as `recordingOf`. */
export async function recordingFile(
  ctx: Context,
  user: User,
  sessionId: string,
): Promise<{ root: string; path: string }> {
  const { source } = await watchable(ctx, user, sessionId);
  const file = source.kind === "sample" ? findSample(source.sampleId, "video") : null;
  if (!file) throw notFound("file");
  return file;
}

async function watchable(ctx: Context, user: User, sessionId: string) {
  const tier = await tierInUse(ctx, user);
  await requireTier(ctx.db, user, tier, lowestLiveTier);
  const { session } = await getLive(ctx.db, sessionId);
  await requireTier(ctx.db, user, tier, session.requiredTier);
  if (session.recordingVideoId === null) throw new Refusal("not-yet-available", "There's no recording yet.");
  const duration = session.recordingSeconds ?? 0;
  return { source: sourceOf(ctx, session.recordingVideoId, duration), duration };
}

function sourceOf(ctx: Context, videoId: string, seconds: number): VideoSource {
  try {
    return ctx.video.sourceOf(videoId, seconds, ctx.clock.now());
  } catch (error) {
    if (!(error instanceof UnplayableVideo)) throw error;
    ctx.log.error({ reason: error.message }, "a recording cannot be played");
    throw new Refusal("unavailable", "The recording isn't set up yet. Please contact support.");
  }
}
