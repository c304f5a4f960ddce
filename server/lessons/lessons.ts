import type { Module, Playback } from "#contract/catalogue.ts";
import { requireTier, tierInUse } from "#server/access/access.ts";
import { describeCatalogue, isComingSoon, type LessonRow, lessonById } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context.ts";
import type { User } from "#server/identity/users.ts";
import { Refusal } from "#server/refusal.ts";
import { findSample, type SamplePart } from "#server/video/samples.ts";

/** The catalogue as this viewer may use it; visitors and blocked accounts see everything locked but the previews. */
export async function catalogueFor(ctx: Context, viewer: User | null): Promise<Module[]> {
  return describeCatalogue(ctx, viewer && (await tierInUse(ctx, viewer)));
}

/**
 * The lesson, when this viewer may watch it: free previews are open to everyone, the rest to the tier of the module.
 * @throws Refusal not-found, not-yet-available, not-signed-in, tier-required, account-blocked.
 */
export async function watchableLesson(ctx: Context, viewer: User | null, lessonId: string): Promise<LessonRow> {
  const { lesson, module } = await lessonById(ctx, lessonId);
  if (!lesson.freePreview) {
    if (!viewer) throw new Refusal("not-signed-in", "Please sign in to watch this lesson.");
    await requireTier(ctx, viewer, module.requiredTier);
  }
  if (isComingSoon(lesson)) throw new Refusal("not-yet-available", "This lesson is coming soon.");
  return lesson;
}

/** Where the lesson plays from. @throws as `watchableLesson`. */
export async function playbackOf(ctx: Context, viewer: User | null, lessonId: string): Promise<Playback> {
  const lesson = await watchableLesson(ctx, viewer, lessonId);
  const address = (part: SamplePart) => (sampleOf(lesson, part) ? `/api/lessons/${lesson.id}/${part}` : null);
  const url = address("video");
  if (!url) throw new Refusal("not-yet-available", "This lesson is coming soon.");
  return {
    lessonId: lesson.id,
    kind: "file",
    url,
    captionsUrl: address("captions"),
    posterUrl: address("poster"),
    duration: lesson.durationSeconds,
  };
}

/** The file behind a part of a sample lesson, or null. */
export function sampleOf(lesson: LessonRow, part: SamplePart): { root: string; path: string } | null {
  const [provider, id] = lesson.videoId.split(":", 2);
  return provider === "sample" && id ? findSample(id, part) : null;
}
