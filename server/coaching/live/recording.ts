import type { Playback } from "#contract/catalogue.ts";
import { lowestLiveTier } from "#contract/tiers.ts";
import { requireTier, tierInUse } from "#server/access/access.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { SignedIn } from "#server/identity/sessions/sessions.ts";
import type { User } from "#server/identity/users.ts";
import { addressOf } from "#server/studio/addresses.ts";
import { findSample } from "#server/video/samples.ts";
import { UnplayableVideo, type VideoSource } from "#server/video/video.ts";
import { getLive } from "./seats.ts";

/** @throws Refusal account-blocked, tier-required, not-found, not-yet-available, unavailable. */
export async function recordingOf(ctx: Context, signedIn: SignedIn, sessionId: string): Promise<Playback> {
  const { source, duration, videoId } = await watchable(ctx, signedIn.user, sessionId);
  const place = { kind: "recording", id: sessionId } as const;
  const address = await addressOf(ctx, source, { signedIn, place, sample: `/api/live/${sessionId}/video` });
  return { lessonId: sessionId, videoId, captionsUrl: null, captions: [], posterUrl: null, duration, ...address };
}

/** The recording that the session shows now. @throws Refusal as `recordingOf`. */
export async function videoOfRecording(ctx: Context, viewer: User | null, sessionId: string): Promise<string | null> {
  if (!viewer) throw new Refusal("not-signed-in", "Please sign in to watch this recording.");
  return (await watchable(ctx, viewer, sessionId)).videoId;
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
  const videoId = session.recordingVideoId;
  return { source: sourceOf(ctx, videoId, duration), duration, videoId };
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
