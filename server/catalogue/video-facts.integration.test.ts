import { generateKeyPairSync } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect } from "vitest";
import { getChecklist } from "#contract/admin/checklist.ts";
import { getContent, publishContent } from "#contract/admin/content.ts";
import { checkVideo, listVideoProblems, previewVideo } from "#contract/admin/videos.ts";
import { getCatalogue, getIntroPlayback, getPlayback } from "#contract/catalogue.ts";
import { newId } from "#server/db/id.ts";
import * as drafts from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const { academy, administrator, test } = await academyOfFile({
  BUNNY_LIBRARY_ID: "759",
  BUNNY_SECURITY_KEY: "bunny-key-7",
  MUX_SIGNING_KEY_ID: "key-1",
  MUX_SIGNING_PRIVATE_KEY: privateKey,
});
beforeEach(() => administrator.signInAgain());

/** Saves another video for a lesson, whose length stays as the owner wrote it unless another is given. */
async function saveVideo(videoId: string, lessonId = "lesson-1-3", changes: object = {}): Promise<void> {
  const changed = { videoId, captions: null, ...changes };
  expect((await drafts.draft(administrator, "lessons", lessonId, changed)).status).toBe(200);
}
const found = async (videoId: string) => (await administrator.call(checkVideo, { query: { videoId } })).body;
const checked = (videoId: string) =>
  until(async () => {
    const check = await found(videoId);
    return check.state !== "waiting" && check;
  });
const answers = (value: boolean) =>
  fetch(`${academy.url}/sandbox/video/answers`, { method: "POST", body: JSON.stringify(value) });

/** Publishes all drafts, whether their videos play or not. */
async function publish(): Promise<void> {
  const { lessons, modules } = (await administrator.call(getContent)).body;
  const despite = [...lessons, ...modules].filter(({ draft }) => draft).map(({ id }) => id);
  const changes = Object.fromEntries(despite.map((id) => [id, null]));
  await drafts.publish(administrator, { despite, changes });
}
const postersKept = () => readdir(join(academy.dataDir, "files/posters"));

test("title and length of a saved video are found, and the owner's own length stays", async () => {
  await saveVideo("vimeo:76979871");
  expect(await checked("vimeo:76979871")).toMatchObject({
    state: "playable",
    title: "Sandbox video 76979871",
    duration: 62,
    noDuration: null,
    noPoster: null,
    reason: null,
  });
  const lesson = (await administrator.call(getContent)).body.lessons.find(({ id }) => id === "lesson-1-3");
  expect(lesson?.draft).toMatchObject({ videoId: "vimeo:76979871", duration: lesson?.published?.duration });
});

test("an address is saved as the id of its video, whose length a lesson without one takes", async () => {
  await saveVideo("https://vimeo.com/700600500?share=copy", "lesson-2-3", { duration: 0 });
  await checked("vimeo:700600500");
  await publish();
  const lesson = (await administrator.call(getContent)).body.lessons.find(({ id }) => id === "lesson-2-3");
  expect(lesson).toMatchObject({ draft: null, published: { videoId: "vimeo:700600500", duration: 62 } });
});

test("a video whose length comes later is published once that is known", async () => {
  const comingSoon = async () =>
    (await academy.visitor().call(getCatalogue)).body
      .flatMap(({ lessons }) => lessons)
      .find(({ id }) => id === "lesson-2-4")?.comingSoon;
  await answers(false);
  await saveVideo("vimeo:700600501", "lesson-2-4", { duration: 0 });
  const refused = await administrator.call(publishContent, { body: { changes: { "lesson-2-4": null } } });
  expect([refused.status, refused.body.errors]).toEqual([
    409,
    {
      "lesson-2-4": [
        expect.stringMatching(
          /^We don’t know the video’s length yet\. Until we do, students see the lesson as coming soon\. It has no captions\./,
        ),
      ],
    },
  ]);
  await publish();
  expect(await comingSoon()).toBe(true);
  await answers(true);
  await academy.advance("2m");
  await checked("vimeo:700600501");
  expect(await until(async () => (await comingSoon()) === false)).toBe(true);
});

test("facts that a service does not tell are explained in a sentence, for each service", async () => {
  const mux = "mux:qIJBevaZRlLWBd";
  const bunny = "bunny:eb1c4f77-0cda-46be-b47d-1118ad7c2ffe";
  const kinds = ["youtube:dQw4w9WgXcQ", bunny, mux, "sample:lesson-1-1", "youtube:PictureBare"];
  for (const videoId of kinds) await saveVideo(videoId);
  const [youtube, ofBunny, ofMux, sample, bare] = await Promise.all(kinds.map(checked));
  expect(youtube).toMatchObject({ state: "playable", duration: null, noPoster: null });
  expect(youtube?.noDuration).toBe("YouTube doesn’t share lengths. Enter it.");
  expect(ofBunny).toMatchObject({ state: "playable", noPoster: null });
  expect(ofBunny?.noDuration).toBe("Bunny doesn’t share lengths. Enter it.");
  expect(ofMux).toMatchObject({ state: "playable", duration: 61, noDuration: null, noPoster: null });
  expect(sample).toMatchObject({ state: "playable", duration: 42, noDuration: null, noPoster: null });
  // A file of ours is looked at without being saved.
  expect(await found("sample:none")).toMatchObject({ state: "unplayable" });
  expect(bare).toMatchObject({ state: "playable", poster: null });
  expect(bare?.noPoster).toBe(
    "We can’t show the picture from YouTube. We couldn't read it as a JPEG, PNG or WebP picture.",
  );
  for (const [videoId, sentence] of [
    ["file:https://files.example.test/a.mp4", "files.example.test isn’t an allowed video host. Enter it."],
    ["hls:https://files.example.test/a.m3u8", "We can’t look up the length of playlists. Enter it."],
  ] as const) {
    await saveVideo(videoId);
    expect(await found(videoId)).toMatchObject({ state: "untold", checkedAt: null, poster: null });
    expect((await found(videoId)).noDuration).toContain(sentence);
  }
});

test("the server stores a video's picture and serves it to those for whom the lesson plays [H12]", async () => {
  await saveVideo("vimeo:555000111", "lesson-2-2");
  const check = await checked("vimeo:555000111");
  await publish();
  const basic = await academy.visitor().signInAsDemo("basic@academy.test");
  const stranger = academy.visitor();
  const thumbnail = async (viewer: Visitor) =>
    (await viewer.call(getCatalogue)).body.flatMap(({ lessons }) => lessons).find(({ id }) => id === "lesson-2-2")
      ?.thumbnail;
  const address = (await thumbnail(basic)) ?? "";
  expect(address).toMatch(/^\/api\/lessons\/lesson-2-2\/poster\?of=\w{6}$/);
  expect(await thumbnail(stranger)).toBeNull();
  expect((await basic.call(getPlayback, { params: { lessonId: "lesson-2-2" } })).body.posterUrl).toBe(address);
  const picture = await basic.send("GET", address);
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
  expect([...new Uint8Array(await picture.arrayBuffer()).slice(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  expect((await stranger.send("GET", address)).status).toBe(401);

  const preview = await administrator.call(previewVideo, { query: { videoId: "vimeo:555000111" } });
  expect(preview.body.posterUrl).toBe(check.poster);
  expect((await administrator.send("GET", check.poster ?? "")).status).toBe(200);
  expect((await basic.send("GET", check.poster ?? "")).status).toBe(403);
  const unknown = "/api/admin/videos/poster?videoId=vimeo%3A999";
  expect((await administrator.send("GET", unknown)).status).toBe(404);
});

test("an introduction has its picture too", async () => {
  const introVideo = "youtube:IntroVideo1";
  expect((await drafts.draft(administrator, "modules", "module-2", { introVideo })).status).toBe(200);
  await checked("youtube:IntroVideo1");
  await publish();
  const basic = await academy.visitor().signInAsDemo("basic@academy.test");
  const { posterUrl } = (await basic.call(getIntroPlayback, { params: { moduleId: "module-2" } })).body;
  expect(posterUrl).toMatch(/^\/api\/modules\/module-2\/intro\/poster\?of=/);
  expect((await basic.send("GET", posterUrl ?? "")).headers.get("content-type")).toBe("image/jpeg");
  expect((await academy.visitor().send("GET", posterUrl ?? "")).status).toBe(401);
});

test("a service that does not answer delays no save, and is asked again later [H12]", async () => {
  await answers(false);
  await saveVideo("vimeo:11122233");
  expect(await found("vimeo:11122233")).toMatchObject({ state: "waiting", title: null });
  await academy.advance("2m");
  expect(await found("vimeo:11122233")).toMatchObject({ state: "waiting" });
  await answers(true);
  await academy.advance("10m");
  expect(await checked("vimeo:11122233")).toMatchObject({ state: "playable", duration: 62 });
});

test("the checklist lists a released lesson whose video does not play, with the reason", async () => {
  const videos = async () =>
    (await administrator.call(getChecklist)).body.checks.find(({ id }) => id === "videos") ?? null;
  expect(await videos()).toMatchObject({ state: "done" });
  await saveVideo("youtube:VideoIsGone");
  expect(await checked("youtube:VideoIsGone")).toMatchObject({ state: "unplayable" });
  await saveVideo("vimeo:40000403", "lesson-1-4");
  expect((await checked("vimeo:40000403")).reason).toContain("other sites");
  // A draft is nobody's trouble yet.
  expect(await videos()).toMatchObject({ state: "done" });
  const refused = await administrator.call(publishContent, {
    body: { despite: ["lesson-1-3"], changes: { "lesson-1-3": null, "lesson-1-4": null } },
  });
  expect(refused.body).toMatchObject({ code: "unplayable-video", errors: { "lesson-1-4": [expect.any(String)] } });
  await publish();
  const problem = await videos();
  expect(problem).toMatchObject({
    state: "problem",
    links: [{ to: "/admin/content?edit=lesson.lesson-1-3" }, { to: "/admin/content?edit=lesson.lesson-1-4" }],
  });
  expect(problem?.detail).toContain("Every Fee, in Order: We couldn't find this video");
  expect(problem?.detail).toContain("What Happens After the Box Leaves: The service does not let it play");
  expect((await administrator.call(listVideoProblems)).body.map(({ id }) => id)).toEqual(["lesson-1-3", "lesson-1-4"]);
});

test("a new picture replaces the old one, whose file is deleted", async () => {
  await saveVideo("vimeo:777000111");
  const first = await checked("vimeo:777000111");
  const kept = await postersKept();
  await academy.advance("25h", administrator);
  await saveVideo("vimeo:777000111");
  await until(async () => (await found("vimeo:777000111")).checkedAt !== first.checkedAt);
  const after = await until(async () => {
    const names = await postersKept();
    return names.length === kept.length && names;
  });
  expect(after).not.toEqual(kept);
});

test("an upload plays from its first rendition on, and says until then why it doesn’t", async () => {
  const id = newId();
  const videoId = `own:${id}`;
  const update = (set: string) => academy.pool.query(`update videos set ${set} where id = $1`, [id]);
  await academy.pool.query("insert into videos (id, file_name, size, created_at) values ($1, 'a.mov', 9, now())", [id]);
  const reason = async () => (await found(videoId)).reason;
  expect(await reason()).toBe("It isn’t uploaded completely yet.");
  await update("state = 'waiting'");
  expect(await reason()).toBe("It’s still being converted.");
  await saveVideo(videoId, "lesson-2-1", { duration: 0 });
  const refused = await administrator.call(publishContent, {
    body: { changes: { "lesson-1-3": null, "lesson-2-1": null } },
  });
  expect(refused.body.errors).toMatchObject({
    "lesson-2-1": [expect.stringMatching(/^It’s still being converted\. It has no captions\./)],
  });
  await update("state = 'failed', reason = 'It has no picture.'");
  expect(await reason()).toBe("It couldn’t be converted. It has no picture.");

  await publish();
  const problem = async () =>
    (await administrator.call(listVideoProblems)).body.find((one) => one.id === "lesson-2-1")?.reason;
  expect(await problem()).toBe("It couldn’t be converted. It has no picture.");
  await update(`state = 'converting', length_seconds = 12, renditions = '[{"height": 360}]'`);
  expect(await found(videoId)).toMatchObject({ state: "playable", title: "a.mov", duration: 12, noPoster: null });
  expect(await problem()).toBeUndefined();
  await academy.pool.query("delete from videos where id = $1", [id]);
  expect(await problem()).toBe("We couldn’t find this upload. It may have been deleted.");
});
