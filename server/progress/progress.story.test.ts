import { afterAll, beforeAll, expect, test } from "vitest";
import { getCatalogue, getPlayback, type Module } from "#contract/catalogue.ts";
import { listProgress, saveProgress } from "#contract/progress.ts";
import { type Academy, openAcademy } from "#test/academy.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: Academy;
beforeAll(async () => {
  academy = await openAcademy();
});
afterAll(() => academy[Symbol.asyncDispose]());

const save = (student: Visitor, lessonId: string, body: object) =>
  student.call(saveProgress, { params: { lessonId }, body });
const recordOf = async (student: Visitor, lessonId: string) =>
  (await student.call(listProgress)).body.find((record) => record.lessonId === lessonId);
const lessonsOf = (modules: Module[]) => modules.flatMap((module) => module.lessons);

/** A student with the basic tier and no progress. */
async function freshStudent(): Promise<Visitor> {
  const student = await academy.visitor().signUp();
  await student.send("POST", "/api/authorize-net/accept-payment", JSON.stringify(await student.paymentFor("basic")));
  return student;
}

test("a new student has no progress, and what is saved is what is read", async () => {
  const student = await freshStudent();
  expect((await student.call(listProgress)).body).toEqual([]);
  await save(student, "lesson-1-1", { watchTime: 12.5, position: 13 });
  expect(await recordOf(student, "lesson-1-1")).toMatchObject({
    lessonId: "lesson-1-1",
    moduleId: "module-1",
    isCompleted: false,
    watchTime: 12.5,
    position: 13,
    completedAt: null,
  });
});

test("F05 watch time never falls, and position is the last one said", async () => {
  const student = await freshStudent();
  for (const note of [{ watchTime: 20, position: 21 }, { watchTime: 5 }, { position: 3 }])
    await save(student, "lesson-1-2", note);
  expect(await recordOf(student, "lesson-1-2")).toMatchObject({ watchTime: 20, position: 3 });
});

test("F05 more time than the lesson is long counts as its length", async () => {
  const student = await freshStudent();
  const lesson = lessonsOf((await student.call(getCatalogue)).body).find(({ id }) => id === "lesson-1-3");
  const answer = await save(student, "lesson-1-3", { watchTime: 86_400, position: 86_400 });
  expect(answer.body).toMatchObject({ watchTime: lesson?.duration, position: lesson?.duration });
  expect((await save(student, "lesson-1-3", { watchTime: 90_000 })).status).toBe(400);
  expect((await save(student, "lesson-1-3", {})).status).toBe(400);
});

test("a lesson is marked as completed and unmarked again, and keeps its watch time", async () => {
  const student = await freshStudent();
  await save(student, "lesson-1-1", { watchTime: 9 });
  const done = await save(student, "lesson-1-1", { isCompleted: true });
  expect(done.body).toMatchObject({ isCompleted: true, watchTime: 9, completedAt: expect.any(String) });
  const again = await save(student, "lesson-1-1", { isCompleted: true, watchTime: 10 });
  expect(again.body.completedAt).toBe(done.body.completedAt);
  const undone = await save(student, "lesson-1-1", { isCompleted: false });
  expect(undone.body).toMatchObject({ isCompleted: false, completedAt: null, watchTime: 10 });
});

test("forty heartbeats at once, in any order, leave the largest watch time", async () => {
  const student = await freshStudent();
  const times = Array.from({ length: 40 }, (_, number) => ((number * 17) % 40) / 2);
  const answers = await Promise.all(times.map((watchTime) => save(student, "lesson-2-1", { watchTime })));
  expect(answers.every((answer) => answer.status === 200)).toBe(true);
  expect(await recordOf(student, "lesson-2-1")).toMatchObject({ watchTime: 19.5 });
});

test("Z06 a lesson that the tier does not open, that is not there or not yet there takes no progress", async () => {
  const student = await freshStudent();
  expect(await save(student, "lesson-5-1", { isCompleted: true })).toMatchObject({
    status: 403,
    body: { code: "tier-required" },
  });
  expect(await save(student, "lesson-9-9", { isCompleted: true })).toMatchObject({ status: 404 });
  const vip = await academy.visitor().signInAsDemo("vip@academy.test");
  expect(await save(vip, "lesson-5-1", { isCompleted: true })).toMatchObject({
    status: 404,
    body: { code: "not-yet-available" },
  });
});

test("Z05 progress is the session's student's own", async () => {
  const [one, other] = [await freshStudent(), await freshStudent()];
  await save(one, "lesson-1-1", { watchTime: 3 });
  expect((await other.call(listProgress)).body).toEqual([]);
});

test("Z12 the catalogue carries no video id of a lesson that the viewer may not watch", async () => {
  for (const [viewer, open] of [
    [academy.visitor(), []],
    [await academy.visitor().signInAsDemo("new@academy.test"), []],
    [await academy.visitor().signInAsDemo("held@academy.test"), []],
    [await academy.visitor().signInAsDemo("basic@academy.test"), ["module-1", "module-2", "module-3"]],
    [await academy.visitor().signInAsDemo("premium@academy.test"), ["module-1", "module-2", "module-3", "module-4"]],
  ] as const) {
    const modules = (await viewer.call(getCatalogue)).body;
    expect(modules.filter((module) => module.isUnlocked).map((module) => module.id)).toEqual(open);
    for (const lesson of lessonsOf(modules)) {
      const isOpen = (open as readonly string[]).includes(`module-${lesson.id.split("-")[1]}`) || lesson.freePreview;
      expect(lesson.videoId !== null, lesson.id).toBe(isOpen);
      expect(lesson.thumbnail !== null, lesson.id).toBe(isOpen && !lesson.comingSoon);
    }
  }
});

test("the catalogue holds the modules and lessons of the specification", async () => {
  const modules = (await academy.visitor().call(getCatalogue)).body;
  expect(modules.map((module) => [module.title, module.lessons.length, module.comingSoon])).toEqual([
    ["Amazon FBA Fundamentals", 5, false],
    ["Store Scanning Mastery", 4, false],
    ["Product Preparation & Fulfillment", 3, false],
    ["How to Find Winning Products", 1, true],
    ["Capital Raising and Credit Building Masterclass", 2, true],
  ]);
});

test("Z10 Z18 the video itself is decided at each request, with ranges for whoever may watch", async () => {
  const basic = await academy.visitor().signInAsDemo("basic@academy.test");
  const { url, captionsUrl, posterUrl } = (await basic.call(getPlayback, { params: { lessonId: "lesson-1-2" } })).body;
  const range = await basic.send("GET", url, undefined, { range: "bytes=0-99" });
  expect(range.status).toBe(206);
  expect(range.headers.get("content-type")).toBe("video/mp4");
  expect((await range.arrayBuffer()).byteLength).toBe(100);
  expect(await (await basic.send("GET", captionsUrl ?? "")).text()).toMatch(/^WEBVTT/);
  expect((await basic.send("GET", posterUrl ?? "")).headers.get("content-type")).toBe("image/jpeg");
  for (const [viewer, status] of [
    [academy.visitor(), 401],
    [await academy.visitor().signInAsDemo("new@academy.test"), 403],
    [await academy.visitor().signInAsDemo("suspended@academy.test"), 403],
  ] as const) {
    for (const address of [url, captionsUrl ?? "", posterUrl ?? ""]) {
      expect((await viewer.send("GET", address, undefined, { range: "bytes=0-99" })).status).toBe(status);
    }
  }
  expect((await academy.visitor().send("GET", "/api/lessons/lesson-1-1/video")).status).toBe(200);
  for (const path of ["lesson-1-1/..%2f..%2fetc%2fpasswd", "..%2f..%2fetc/video", "lesson-1-1/script"]) {
    expect((await basic.send("GET", `/api/lessons/${path}`)).status, path).toBeGreaterThanOrEqual(400);
  }
});
