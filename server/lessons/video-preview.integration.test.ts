import { expect } from "vitest";
import { previewVideo } from "#contract/admin/videos.ts";
import type { AcademyInProcess } from "#test/academy-in-process.ts";
import { test } from "#test/fixtures.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
let administrator: Visitor;
test.beforeAll(async ({ academy: opened }) => {
  academy = opened;
  administrator = await academy.visitor().signInAsDemo("admin@academy.test");
});

const preview = (videoId: string) => administrator.call(previewVideo, { query: { videoId } });

test("administrators preview any video, and an invalid id gets a sentence", async () => {
  expect((await preview("youtube:dQw4w9WgXcQ")).body).toMatchObject({
    kind: "youtube",
    url: "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
  });
  expect((await preview("file:https://files.example.test/a.mp4")).body).toMatchObject({ kind: "file" });
  const invalid = await preview("youtube:short");
  expect(invalid.status).toBe(400);
  expect(invalid.body).toMatchObject({ message: expect.stringContaining("can't be played") });
  const withoutKeys = await preview("bunny:eb1c4f77-0cda-46be-b47d-1118ad7c2ffe");
  expect(withoutKeys.status).toBe(503);
  expect(withoutKeys.body).toMatchObject({ message: expect.stringContaining("BUNNY_LIBRARY_ID") });
});

test("samples play with their poster and captions for administrators alone", async () => {
  const { url, posterUrl, captionsUrl } = (await preview("sample:lesson-1-2")).body;
  const student = await academy.visitor().signInAsDemo("vip@academy.test");
  for (const [address, type] of [
    [url, "video/mp4"],
    [posterUrl ?? "", "image/jpeg"],
    [captionsUrl ?? "", "text/vtt"],
  ] as const) {
    const answer = await administrator.send("GET", address);
    expect(answer.status, address).toBe(200);
    expect(answer.headers.get("content-type"), address).toContain(type);
    expect((await student.send("GET", address)).status, address).toBe(403);
    expect((await academy.visitor().send("GET", address)).status, address).toBe(401);
  }
  expect((await administrator.send("GET", "/api/admin/samples/..%2Fsamples%2Flesson-1-2/video")).status).toBe(404);
});
