import type { Module, Playback, SearchHit } from "#contract/catalogue.ts";
import { requireTier, tierInUse } from "#server/access/access.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import {
  describeCatalogue,
  findCaptions,
  hasCaptions,
  isComingSoon,
  type LessonRow,
  lessonById,
} from "#server/catalogue/catalogue.ts";
import { searchLessons } from "#server/catalogue/search.ts";
import type { Context } from "#server/context/context.ts";
import type { User } from "#server/identity/users.ts";
import { findSample } from "#server/video/samples.ts";
import { UnplayableVideo, type VideoSource } from "#server/video/video.ts";

export async function catalogueFor(ctx: Context, viewer: User | null): Promise<Module[]> {
  return describeCatalogue(ctx, viewer && (await tierInUse(ctx, viewer)));
}

/** A locked lesson says which tier opens it, and nothing of what is said in it. */
export async function searchFor(ctx: Context, viewer: User | null, typed: string): Promise<SearchHit[]> {
  return searchLessons(ctx, viewer && (await tierInUse(ctx, viewer)), typed);
}

/** @throws Refusal not-found, not-yet-available, not-signed-in, tier-required, account-blocked. */
export async function watchableLesson(ctx: Context, viewer: User | null, lessonId: string): Promise<LessonRow> {
  // Together, since players ask every few seconds.
  const [{ lesson, module }, tier] = await Promise.all([lessonById(ctx, lessonId), viewer && tierInUse(ctx, viewer)]);
  if (!lesson.freePreview) {
    if (!viewer) throw new Refusal("not-signed-in", "Please sign in to watch this lesson.");
    requireTier(viewer, tier, module.requiredTier);
  }
  if (isComingSoon(lesson)) throw new Refusal("not-yet-available", "This lesson is coming soon.");
  return lesson;
}

/** @throws Refusal as `watchableLesson`; unavailable, which is logged, without its video service. */
export async function playbackOf(ctx: Context, viewer: User | null, lessonId: string): Promise<Playback> {
  const lesson = await watchableLesson(ctx, viewer, lessonId);
  const source = sourceOf(ctx, lesson);
  const parts = {
    lessonId: lesson.id,
    captionsUrl: (await hasCaptions(ctx, lesson.id)) ? `/api/lessons/${lesson.id}/captions` : null,
    posterUrl: null,
    duration: lesson.durationSeconds,
  };
  switch (source.kind) {
    case "sample":
      return {
        ...parts,
        kind: "file",
        url: `/api/lessons/${lesson.id}/video`,
        posterUrl: `/api/lessons/${lesson.id}/poster`,
      };
    case "hls":
      return {
        ...parts,
        kind: "hls",
        url: source.url,
        posterUrl: source.poster,
        expiresAt: source.expiresAt?.toISOString() ?? null,
      };
    case "frame":
      return { ...parts, kind: "frame", url: source.url, expiresAt: source.expiresAt.toISOString() };
    default:
      return { ...parts, kind: source.kind, url: source.url };
  }
}

/** @throws Refusal as `watchableLesson`; not-found. */
export async function captionsFor(ctx: Context, viewer: User | null, lessonId: string): Promise<string> {
  const captions = await findCaptions(ctx, (await watchableLesson(ctx, viewer, lessonId)).id);
  if (captions === null) throw new Refusal("not-found", "This lesson has no captions.");
  return captions;
}

/** @throws Refusal as `watchableLesson`; not-found. */
export async function sampleFileFor(
  ctx: Context,
  viewer: User | null,
  lessonId: string,
  part: "video" | "poster",
): Promise<{ root: string; path: string }> {
  const source = sourceOf(ctx, await watchableLesson(ctx, viewer, lessonId));
  const file = source.kind === "sample" ? findSample(source.sampleId, part) : null;
  if (!file) throw notFound("file");
  return file;
}

function sourceOf(ctx: Context, lesson: LessonRow): VideoSource {
  try {
    return ctx.video.sourceOf(lesson.videoId, lesson.durationSeconds, ctx.clock.now());
  } catch (error) {
    if (!(error instanceof UnplayableVideo)) throw error;
    ctx.log.error({ lessonId: lesson.id, reason: error.message }, "a lesson's video cannot be played");
    throw new Refusal("unavailable", "This lesson's video is not set up yet. Please contact support.");
  }
}
