import fc from "fast-check";
import { beforeEach, expect } from "vitest";
import { refundPurchase } from "#contract/admin/purchases.ts";
import { endUserSessions, suspendAccount } from "#contract/admin/users.ts";
import { previewVideo } from "#contract/admin/videos.ts";
import { getPlayback } from "#contract/catalogue.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { addUploadedVideo } from "#test/uploaded-video.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator, test } = await academyOfFile();
beforeEach(() => administrator.signInAgain());

await addUploadedVideo(academy, { lessonId: "lesson-1-1", heights: [360, 720] });
const video = await addUploadedVideo(academy, { lessonId: "lesson-2-1", heights: [360, 720] });
const premium = await addUploadedVideo(academy, { lessonId: "lesson-4-1" });
const unconverted = await addUploadedVideo(academy, { lessonId: "lesson-2-2", heights: [] });

const open = async (viewer: Visitor, lessonId = "lesson-2-1") =>
  (await viewer.call(getPlayback, { params: { lessonId } })).body;
const folderOf = async (viewer: Visitor, lessonId?: string) =>
  (await open(viewer, lessonId)).url.replace(/\/[^/]*$/, "");
const statusOf = async (viewer: Visitor, url: string, range?: string) => {
  const answer = await viewer.send("GET", url, undefined, range ? { range } : {});
  await answer.arrayBuffer();
  return answer.status;
};
const noCookie = academy.visitor();

test("a lesson plays by a playlist of its renditions, whose segments are ranges of one file each", async () => {
  const student = await academy.member("basic");
  const playback = await open(student);
  expect(playback).toMatchObject({ kind: "hls", duration: 10, expiresAt: expect.any(String) });
  const text = async (name: string) => {
    const answer = await student.send("GET", playback.url.replace("master.m3u8", name));
    expect(answer.headers.get("content-type")).toBe("application/vnd.apple.mpegurl");
    return answer.text();
  };
  expect((await text("master.m3u8")).split("\n").filter((line) => line && !line.startsWith("#"))).toEqual([
    "360.m3u8",
    "720.m3u8",
  ]);
  const ranges = Array.from((await text("360.m3u8")).matchAll(/BYTERANGE[:=]"?(\d+)@(\d+)/g), ([, size, start]) => [
    Number(size),
    Number(start),
  ]);
  const parts: Buffer[] = [];
  for (const [size = 0, start = 0] of ranges) {
    const range = `bytes=${start}-${start + size - 1}`;
    const answer = await student.send("GET", playback.url.replace("master.m3u8", "360.mp4"), undefined, { range });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([206, "private"]);
    parts.push(Buffer.from(await answer.arrayBuffer()));
  }
  expect(Buffer.concat(parts).equals(video.bytes)).toBe(true);
  expect(
    (await student.send("HEAD", playback.url.replace("master.m3u8", "720.mp4"))).headers.get("content-length"),
  ).toBe(String(video.bytes.length));
});

test("without a conversion the file plays as it was uploaded", async () => {
  const student = await academy.member("basic");
  const playback = await open(student, "lesson-2-2");
  expect(playback).toMatchObject({ kind: "file", url: expect.stringMatching(/\/video\.mp4$/) });
  const answer = await student.send("GET", playback.url, undefined, { range: "bytes=7-" });
  expect(answer.status).toBe(206);
  expect(Buffer.from(await answer.arrayBuffer()).equals(unconverted.bytes.subarray(7))).toBe(true);
});

test("an address plays for whom it was made, and for nobody else who is signed in [Z67]", async () => {
  const [one, other] = [await academy.member("vip"), await academy.member("vip")];
  const folder = await folderOf(one, "lesson-4-1");
  for (const file of ["master.m3u8", "360.m3u8", "360.mp4"]) {
    expect(await statusOf(one, `${folder}/${file}`), file).toBe(200);
    expect(await statusOf(noCookie, `${folder}/${file}`), file).toBe(200);
    expect(await statusOf(other, `${folder}/${file}`), file).toBe(403);
    expect(await statusOf(other, `${folder}/${file}`, "bytes=0-9"), file).toBe(403);
  }
  expect(await statusOf(await academy.visitor().signUp(one.email), `${folder}/360.mp4`)).toBe(200);
});

test("an address of a free lesson plays only while the lesson is free [Z67]", async () => {
  const visitor = academy.visitor();
  const preview = await folderOf(visitor, "lesson-1-1");
  expect(await statusOf(visitor, `${preview}/360.mp4`)).toBe(200);
  await academy.pool.query("update lessons set free_preview = false where id = 'lesson-1-1'");
  await academy.advance("31s");
  expect(await statusOf(visitor, `${preview}/360.mp4`)).toBe(403);
  await academy.pool.query("update lessons set free_preview = true where id = 'lesson-1-1'");
});

test("playback ends within a minute of a refund, a suspension, a sign-out or another video [Z67]", async () => {
  const ends: [string, (who: { student: Visitor; purchaseId: string }) => Promise<unknown>][] = [
    ["refund", ({ purchaseId }) => administrator.call(refundPurchase, { body: { purchaseId, reason: "test" } })],
    ["suspension", async ({ student }) => administrator.call(suspendAccount, { body: await about(student) })],
    ["sign-out", async ({ student }) => administrator.call(endUserSessions, { body: await about(student) })],
    [
      "another video",
      () => academy.pool.query("update lessons set video_id = 'sample:lesson-1-1' where id = 'lesson-4-1'"),
    ],
  ];
  const about = async (student: Visitor) => ({ userId: await student.id(), reason: "test" });
  for (const [name, end] of ends) {
    const bought = await academy.purchase("premium");
    const folder = await folderOf(bought.student, "lesson-4-1");
    expect(await statusOf(noCookie, `${folder}/360.mp4`, "bytes=0-9"), name).toBe(206);
    await end(bought);
    await academy.advance("31s");
    for (const file of ["master.m3u8", "360.m3u8", "360.mp4"]) {
      expect(await statusOf(noCookie, `${folder}/${file}`, "bytes=0-9"), `${name} ${file}`).toBe(403);
    }
  }
  await academy.pool.query("update lessons set video_id = $1 where id = 'lesson-4-1'", [premium.videoId]);
});

test("an address expires after half an hour, and the next one plays on [Z68]", async () => {
  const student = await academy.member("basic");
  const folder = await folderOf(student);
  await academy.advance("29m");
  expect(await statusOf(student, `${folder}/720.mp4`)).toBe(200);
  await academy.advance("2m");
  expect(await statusOf(student, `${folder}/720.mp4`)).toBe(403);
  expect(await statusOf(student, `${await folderOf(student)}/720.mp4`)).toBe(200);
});

test("altered addresses play nothing, and name no other file [Z68]", async () => {
  const student = await academy.member("basic");
  const folder = await folderOf(student);
  const token = folder.slice("/media/".length);
  const altering = fc.tuple(fc.nat(token.length - 1), fc.constantFrom(..."AZaz09_-"));
  const property = fc.asyncProperty(altering, async ([at, other]) => {
    const altered = `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
    const isSame = Buffer.from(altered, "base64url").equals(Buffer.from(token, "base64url"));
    expect(await statusOf(student, `/media/${altered}/360.mp4`)).toBe(isSame ? 200 : 403);
  });
  await fc.assert(property, { numRuns: 50 });
  for (const forged of [
    "x",
    "%2e%2e",
    token.slice(0, -9),
    `${token}${token}`,
    Buffer.from("{}").toString("base64url"),
  ]) {
    expect([400, 403, 404], forged).toContain(await statusOf(student, `/media/${forged}/360.mp4`));
  }
  for (const file of [
    "..%2f..%2f360.mp4",
    "480.mp4",
    "master.mp4",
    "360.mp4%00",
    "video.mp4",
    "360.m3u8%2f..",
    "1.m3u8",
  ]) {
    expect([400, 404], file).toContain(await statusOf(student, `${folder}/${file}`));
  }
});

test("any range header gets the bytes that it asks for, all of them, or a refusal [Z68]", async () => {
  const student = await academy.member("basic");
  const url = `${await folderOf(student)}/360.mp4`;
  const { length } = video.bytes;
  const number = fc.constantFrom("", "0", "1", "99", String(length - 1), String(length), "9".repeat(30));
  const form = fc.constantFrom("bytes=R", "bytes=R", "bytes=R,R", "items=R", "bytes=Rx", "R", "bytes=R-");
  const property = fc.asyncProperty(form, number, number, async (words, from, to) => {
    const range = words.replaceAll("R", `${from}-${to}`);
    const answer = await student.send("GET", url, undefined, { range });
    const body = Buffer.from(await answer.arrayBuffer());
    expect([200, 206, 416], range).toContain(answer.status);
    if (answer.status === 200) expect(body.equals(video.bytes), range).toBe(true);
    if (answer.status !== 206) return;
    const [, first, last] = /^bytes (\d+)-(\d+)\//.exec(answer.headers.get("content-range") ?? "") ?? [];
    expect(body.equals(video.bytes.subarray(Number(first), Number(last) + 1)), range).toBe(true);
  });
  await fc.assert(property, { numRuns: 100 });
});

test("a preview plays for authors of the course alone [Z67]", async () => {
  const playback = (await administrator.call(previewVideo, { query: { videoId: video.videoId } })).body;
  expect(await statusOf(administrator, playback.url)).toBe(200);
  await academy.pool.query("delete from sessions where sess ->> 'userId' = $1", [await administrator.id()]);
  await academy.advance("31s");
  expect(await statusOf(noCookie, playback.url)).toBe(403);
});

test("a viewer who asks for a thousand ranges in a minute waits [Z69]", async () => {
  const student = await academy.member("basic");
  const url = `${await folderOf(student)}/360.mp4`;
  const statuses = new Set<number>();
  for (let time = 0; time < 620; time += 1) statuses.add(await statusOf(student, url, "bytes=0-0"));
  expect([...statuses]).toEqual([206, 429]);
  expect(await statusOf(await academy.member("basic"), "/api/catalogue")).toBe(200);
});
