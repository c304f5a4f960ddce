import { afterAll, beforeAll, expect, test } from "vitest";
import { getChecklist } from "#contract/admin/checklist.ts";
import { draftLesson, getContent, publishContent } from "#contract/admin/content.ts";
import { checkVideo } from "#contract/admin/videos.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
let administrator: Visitor;
beforeAll(async () => {
  academy = await openAcademyInProcess();
  administrator = await academy.visitor().signInAsDemo("admin@academy.test");
});
afterAll(() => academy[Symbol.asyncDispose]());

/** Saves another video for a lesson, whose length stays as the owner wrote it. */
async function saveVideo(videoId: string, lessonId = "lesson-1-3"): Promise<void> {
  const lesson = (await administrator.call(getContent)).body.lessons.find(({ id }) => id === lessonId);
  const content = lesson?.draft ?? lesson?.published;
  if (!content) throw new Error(`${lessonId} is not there`);
  const { position: _, ...text } = content;
  const body = { ...text, videoId, captions: null };
  expect((await administrator.call(draftLesson, { params: { id: lessonId }, body })).status).toBe(200);
}
const found = async (videoId: string) => (await administrator.call(checkVideo, { query: { videoId } })).body;
const checked = (videoId: string) =>
  until(async () => {
    const check = await found(videoId);
    return check.state !== "waiting" && check;
  });
const answers = (value: boolean) =>
  fetch(`${academy.url}/sandbox/video/answers`, { method: "POST", body: JSON.stringify(value) });

test("title, length and whether it plays are found once a video is saved, and the owner's own length stays", async () => {
  await saveVideo("vimeo:76979871");
  expect(await checked("vimeo:76979871")).toMatchObject({
    state: "playable",
    title: "Sandbox video 76979871",
    duration: 62,
    reason: null,
  });
  const lesson = (await administrator.call(getContent)).body.lessons.find(({ id }) => id === "lesson-1-3");
  expect(lesson?.draft).toMatchObject({ videoId: "vimeo:76979871", duration: lesson?.published?.duration });
  await saveVideo("youtube:dQw4w9WgXcQ");
  expect(await checked("youtube:dQw4w9WgXcQ")).toMatchObject({ state: "playable", duration: null });
  await saveVideo("file:https://files.example.test/a.mp4");
  expect(await found("file:https://files.example.test/a.mp4")).toMatchObject({ state: "untold", checkedAt: null });
});

test("a service that does not answer keeps nobody from saving, and is asked again later [H12]", async () => {
  await answers(false);
  await saveVideo("vimeo:11122233");
  expect(await found("vimeo:11122233")).toMatchObject({ state: "waiting", title: null });
  await academy.advance("2m");
  expect(await found("vimeo:11122233")).toMatchObject({ state: "waiting" });
  await answers(true);
  await academy.advance("10m");
  expect(await checked("vimeo:11122233")).toMatchObject({ state: "playable", duration: 62 });
});

test("a released lesson whose video does not play stands in the checklist with the reason", async () => {
  const videos = async () =>
    (await administrator.call(getChecklist)).body.checks.find(({ id }) => id === "videos") ?? null;
  expect(await videos()).toMatchObject({ state: "done" });
  await saveVideo("youtube:VideoIsGone");
  expect(await checked("youtube:VideoIsGone")).toMatchObject({ state: "unplayable" });
  await saveVideo("vimeo:40000403", "lesson-1-4");
  expect((await checked("vimeo:40000403")).reason).toContain("other sites");
  // A draft is nobody's trouble yet.
  expect(await videos()).toMatchObject({ state: "done" });
  expect((await administrator.call(publishContent, { body: {} })).status).toBe(200);
  const problem = await videos();
  expect(problem).toMatchObject({ state: "problem" });
  expect(problem?.detail).toContain("Every Fee, in Order: The service has no such video");
  expect(problem?.detail).toContain("What Happens After the Box Leaves: The service does not let it play");
});
