import type { Module, Playback, SearchHit, VideoPlayback } from "#contract/catalogue.ts";
import { defaultLanguage } from "#contract/languages.ts";
import { parseVideoId } from "#contract/video-id.ts";
import { requireTier, tierInUse } from "#server/access/access.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import {
  describeCatalogue,
  findCaptions,
  isComingSoon,
  type LessonRow,
  lessonById,
  listCaptionLanguages,
  type ModuleRow,
  moduleById,
  opensAtOf,
  renderBody,
} from "#server/catalogue/catalogue.ts";
import { findPosterAddress, readPoster } from "#server/catalogue/posters.ts";
import { searchLessons } from "#server/catalogue/search.ts";
import type { Context } from "#server/context/context.ts";
import type { SignedIn } from "#server/identity/sessions/sessions.ts";
import { type User, userMay } from "#server/identity/users.ts";
import type { StoredContent } from "#server/storage/storage.ts";
import { addressOf } from "#server/studio/addresses.ts";
import { findUpload, uploadIdOf, whyUnplayable } from "#server/studio/playable.ts";
import { findSample, type SamplePart, sampleCaptions } from "#server/video/samples.ts";
import { UnplayableVideo, type VideoSource } from "#server/video/video.ts";

export async function catalogueFor(ctx: Context, viewer: User | null): Promise<Module[]> {
  return describeCatalogue(ctx, viewer && (await tierInUse(ctx, viewer)));
}

/** Search results for a viewer. A locked lesson shows which tier opens it, and none of its captions. */
export async function searchFor(ctx: Context, viewer: User | null, typed: string): Promise<SearchHit[]> {
  return searchLessons(ctx, viewer && (await tierInUse(ctx, viewer)), typed);
}

/** @throws Refusal not-found, not-yet-available, not-signed-in, tier-required, account-blocked. */
export async function watchableLesson(
  ctx: Context,
  viewer: User | null,
  lessonId: string,
  tierOf = tierInUse,
): Promise<LessonRow> {
  // In parallel, since players call every few seconds.
  const [{ lesson, module }, tier] = await Promise.all([lessonById(ctx, lessonId), viewer && tierOf(ctx, viewer)]);
  if (!lesson.freePreview) {
    if (!viewer) throw new Refusal("not-signed-in", "Please sign in to watch this lesson.");
    await requireTier(ctx.db, viewer, tier, module.requiredTier);
  }
  const now = ctx.clock.now();
  if (opensAtOf(lesson, module, now)) throw new Refusal("not-yet-available", "This lesson isn't open yet.");
  if (isComingSoon(lesson, module, now)) throw new Refusal("not-yet-available", "This lesson is coming soon.");
  return lesson;
}

/** @throws Refusal as `watchableLesson`; unavailable, which is logged, without its video service. */
export async function playbackOf(ctx: Context, signedIn: SignedIn | null, lessonId: string): Promise<Playback> {
  const lesson = await watchableLesson(ctx, signedIn?.user ?? null, lessonId);
  const source = sourceOfLesson(ctx, lesson);
  const address = `/api/lessons/${lesson.id}`;
  const [first, ...others] = await listCaptionLanguages(ctx.db, lesson.id);
  const captions = [
    ...(first ? [{ language: first, url: `${address}/captions` }] : []),
    ...others.map((language) => ({ language, url: `${address}/captions?language=${language}` })),
  ];
  const place = { kind: "lesson", id: lesson.id } as const;
  return {
    ...{ lessonId: lesson.id, videoId: lesson.videoId, duration: lesson.durationSeconds },
    ...(await addressOf(ctx, source, { signedIn, place, sample: `${address}/video` })),
    captionsUrl: captions[0]?.url ?? null,
    captions,
    posterUrl: await posterOf(ctx, lesson.videoId, address),
  };
}

/** The video that the lesson shows now. @throws Refusal as `watchableLesson`. */
export async function videoOfLesson(ctx: Context, viewer: User | null, lessonId: string): Promise<string> {
  return (await watchableLesson(ctx, viewer, lessonId)).videoId;
}

/** The lesson's text as HTML; null without one. @throws Refusal as `watchableLesson`. */
export async function bodyFor(ctx: Context, viewer: User | null, lessonId: string): Promise<string | null> {
  return renderBody(ctx, await watchableLesson(ctx, viewer, lessonId));
}

/** Without a language, in the default one. @throws Refusal as `watchableLesson`; not-found. */
export async function captionsFor(
  ctx: Context,
  viewer: User | null,
  lessonId: string,
  language: string | undefined,
): Promise<string> {
  const { id } = await watchableLesson(ctx, viewer, lessonId);
  const shown = language ?? (await listCaptionLanguages(ctx.db, id))[0];
  const captions = shown === undefined ? null : await findCaptions(ctx, id, shown);
  if (captions !== null) return captions;
  throw new Refusal("not-found", language ? "There are no captions in this language." : "This lesson has no captions.");
}

export interface SampleFile {
  readonly root: string;
  readonly path: string;
}

/** The video file of a sample that ships with the academy. @throws Refusal as `watchableLesson`; not-found. */
export async function sampleVideoFor(ctx: Context, viewer: User | null, lessonId: string): Promise<SampleFile> {
  return sampleFile(sourceOfLesson(ctx, await watchableLesson(ctx, viewer, lessonId)), "video");
}

/** A picture that ships with a sample, or one that the server stores. */
export type Poster = SampleFile | StoredContent;

/** @throws Refusal as `watchableLesson`; not-found. */
export async function posterFor(ctx: Context, viewer: User | null, lessonId: string): Promise<Poster> {
  return readPosterOf(ctx, (await watchableLesson(ctx, viewer, lessonId)).videoId);
}

/** The poster of any video, for authors of the course. @throws Refusal not-found. */
export async function readPosterOf(ctx: Context, videoId: string): Promise<Poster> {
  const video = parseVideoId(videoId);
  const poster = video?.provider === "sample" ? findSample(video.id, "poster") : await readPoster(ctx, videoId);
  if (!poster) throw notFound("picture");
  return poster;
}

/** Seconds; signed addresses of introductions assume this duration, as their own is not recorded. */
const maxIntroSeconds = 60 * 60;

/** @throws Refusal not-found, not-signed-in, tier-required, account-blocked; unavailable without its video service. */
export async function introPlaybackOf(
  ctx: Context,
  signedIn: SignedIn | null,
  moduleId: string,
): Promise<VideoPlayback> {
  const { module, source } = await watchableIntro(ctx, signedIn?.user ?? null, moduleId);
  const address = `/api/modules/${module.id}/intro`;
  const captions = captionsOfSample(source, address);
  const place = { kind: "intro", id: module.id } as const;
  return {
    videoId: module.introVideo ?? undefined,
    ...(await addressOf(ctx, source, { signedIn, place, sample: `${address}/video` })),
    captionsUrl: captions[0]?.url ?? null,
    captions,
    posterUrl: await posterOf(ctx, module.introVideo ?? "", address),
  };
}

/** The introduction that the module shows now. @throws Refusal as `introPlaybackOf`. */
export async function videoOfIntro(ctx: Context, viewer: User | null, moduleId: string): Promise<string | null> {
  return (await watchableIntro(ctx, viewer, moduleId)).module.introVideo;
}

/** @throws Refusal as `introPlaybackOf`. */
export async function introFileFor(
  ctx: Context,
  viewer: User | null,
  moduleId: string,
  part: SamplePart,
): Promise<Poster> {
  const { module, source } = await watchableIntro(ctx, viewer, moduleId);
  return part === "poster" ? readPosterOf(ctx, module.introVideo ?? "") : sampleFile(source, part);
}

async function watchableIntro(
  ctx: Context,
  viewer: User | null,
  moduleId: string,
): Promise<{ module: ModuleRow; source: VideoSource }> {
  const module = await moduleById(ctx, moduleId);
  if (!viewer) throw new Refusal("not-signed-in", "Please sign in to watch this introduction.");
  await requireTier(ctx.db, viewer, await tierInUse(ctx, viewer), module.requiredTier);
  if (module.opensAt && module.opensAt > ctx.clock.now()) {
    throw new Refusal("not-yet-available", "This module isn't open yet.");
  }
  if (module.introVideo === null) throw new Refusal("not-found", "This module has no introduction.");
  return { module, source: sourceOf(ctx, { moduleId }, module.introVideo, maxIntroSeconds) };
}

/**
 * Playback of any video for authors of the course.
 * @param samples where our own files are served
 * @param poster where pictures are served
 * @throws Refusal invalid-input for an id that is none; unavailable without its video service
 */
export async function previewOf(
  ctx: Context,
  signedIn: SignedIn,
  videoId: string,
  { samples, poster }: { samples: (sampleId: string) => string; poster: string },
): Promise<VideoPlayback> {
  if (!parseVideoId(videoId)) {
    const example = "provider:id, such as youtube:dQw4w9WgXcQ";
    throw new Refusal("invalid-input", `This video can't be played. Enter it as ${example}.`);
  }
  const reason = uploadIdOf(videoId) && whyUnplayable(await findUpload(ctx.db, videoId));
  if (reason) throw new Refusal("unavailable", `This video can't be played. ${reason}`);
  try {
    const source = ctx.video.sourceOf(videoId, maxIntroSeconds, ctx.clock.now());
    const place = { kind: "preview", id: videoId } as const;
    if (source.kind === "sample") {
      const address = samples(source.sampleId);
      const captions = captionsOfSample(source, address);
      const playback = await addressOf(ctx, source, { signedIn, place, sample: `${address}/video` });
      return { ...playback, videoId, captionsUrl: captions[0]?.url ?? null, captions, posterUrl: `${address}/poster` };
    }
    const isKept = (await findPosterAddress(ctx.db, videoId, "")) !== null;
    const playback = await addressOf(ctx, source, { signedIn, place, sample: "" });
    return { ...playback, videoId, captionsUrl: null, captions: [], posterUrl: isKept ? poster : null };
  } catch (error) {
    if (!(error instanceof UnplayableVideo)) throw error;
    throw new Refusal("unavailable", `This video can't be played: ${error.message}.`);
  }
}

/** Null without a picture. */
async function posterOf(ctx: Context, videoId: string, address: string): Promise<string | null> {
  if (parseVideoId(videoId)?.provider === "sample") return `${address}/poster`;
  return findPosterAddress(ctx.db, videoId, address);
}

function captionsOfSample(source: VideoSource, address: string): VideoPlayback["captions"] {
  const hasCaptions = source.kind === "sample" && sampleCaptions(source.sampleId) !== null;
  return hasCaptions ? [{ language: defaultLanguage, url: `${address}/captions` }] : [];
}

/** A preview is for authors of the course, whatever video it shows. @throws Refusal not-allowed. */
export async function videoOfPreview(ctx: Context, viewer: User | null, videoId: string): Promise<string> {
  if (!viewer || !userMay(ctx, viewer, "content:write")) throw new Refusal("not-allowed", "Only authors see previews.");
  return videoId;
}

function sampleFile(source: VideoSource, part: SamplePart): SampleFile {
  const file = source.kind === "sample" ? findSample(source.sampleId, part) : null;
  if (!file) throw notFound("file");
  return file;
}

function sourceOfLesson(ctx: Context, lesson: LessonRow): VideoSource {
  if (lesson.kind === "text") throw new Refusal("not-found", "This lesson is a text and has no video.");
  return sourceOf(ctx, { lessonId: lesson.id }, lesson.videoId, lesson.durationSeconds);
}

/** @param owner of the video, for the log */
function sourceOf(ctx: Context, owner: object, videoId: string, durationSeconds: number): VideoSource {
  try {
    return ctx.video.sourceOf(videoId, durationSeconds, ctx.clock.now());
  } catch (error) {
    if (!(error instanceof UnplayableVideo)) throw error;
    ctx.log.error({ ...owner, reason: error.message }, "a video cannot be played");
    throw new Refusal("unavailable", "This video isn't set up yet. Please contact support.");
  }
}
