import { expect } from "vitest";
import { getCatalogue, type Module } from "#contract/catalogue.ts";
import { getPlayerChoices, savePlayerChoices } from "#contract/player-choices.ts";
import { listProgress, saveProgress, sendWatchNotes } from "#contract/progress.ts";
import { draft, publish, published } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { whileLocked } from "#test/locks.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, test } = await academyOfFile();
await leaveOnlyJobs(academy);

const save = (student: Visitor, lessonId: string, body: object) =>
  student.call(saveProgress, { params: { lessonId }, body });
const send = (student: Visitor, ...notes: object[]) => student.call(sendWatchNotes, { body: { notes } });
const recordOf = async (student: Visitor, lessonId: string) =>
  (await student.call(listProgress)).body.find((record) => record.lessonId === lessonId);
const lessonsOf = (modules: Module[]) => modules.flatMap((module) => module.lessons);
const opened = { watched: [], position: 0 };

test("what is saved is what the student reads, and nobody else [Z05]", async ({ academy }) => {
  const student = await academy.member("basic");
  expect((await student.call(listProgress)).body).toEqual([]);
  const saved = await save(student, "lesson-1-1", { watched: [[10, 12.5]], position: 12.5 });
  expect(saved.body).toMatchObject({
    lessonId: "lesson-1-1",
    moduleId: "module-1",
    isCompleted: false,
    watchTime: 2.5,
    position: 12.5,
    completedAt: null,
  });
  expect(saved.body.coverage).toBeGreaterThan(0);
  expect(await recordOf(student, "lesson-1-1")).toEqual(saved.body);
  expect((await save(student, "lesson-1-2", { watchTime: 2, position: 9 })).body).toMatchObject({ watchTime: 2 });
  expect((await (await academy.member("basic")).call(listProgress)).body).toEqual([]);
});

test("forged notes add no more than the time that has passed", async ({ academy }) => {
  const student = await academy.member("basic");
  const openedAt = performance.now();
  await save(student, "lesson-1-1", opened);
  for (const lie of [
    { watched: [[0, 86_400]], position: 86_400 },
    { watchTime: 86_400, position: 86_400 },
    { watched: [[0, 86_400]], at: "2020-01-01T00:00:00.000Z" },
    { watched: [[0, 86_400]], at: "2999-01-01T00:00:00.000Z" },
    ...Array.from({ length: 20 }, (_, at) => ({ watched: [[at * 2, at * 2 + 2]] })),
  ]) {
    await save(student, "lesson-1-1", lie);
  }
  await academy.advance("2s");
  const told = await send(student, { lessonId: "lesson-1-1", watched: [[0, 86_400]], position: 1 });
  const [record] = told.body.records;
  expect(record?.watchTime).toBeGreaterThan(2);
  // Three seconds of slack, and twice the time since the lesson was opened.
  expect(record?.watchTime).toBeLessThan(3 + 2 * (2 + (performance.now() - openedAt) / 1000));
});

test("offline watching counts when it is sent, and nine tenths complete the lesson", async ({ academy }) => {
  const student = await academy.member("basic");
  const lesson = lessonsOf((await student.call(getCatalogue)).body).find(({ id }) => id === "lesson-1-3");
  const duration = lesson?.duration ?? 0;
  await send(student, { lessonId: "lesson-1-3", ...opened }, { lessonId: "lesson-2-1", ...opened });
  await academy.advance("10m");
  const { status, body } = await send(
    student,
    {
      lessonId: "lesson-1-3",
      watched: [
        [0, 20],
        [15, duration * 0.9],
      ],
      position: duration * 0.9,
    },
    {
      lessonId: "lesson-2-1",
      watched: [
        [5, 10],
        [20, 30],
      ],
      position: 30,
    },
  );
  expect(status).toBe(200);
  expect(body.records).toMatchObject([
    { lessonId: "lesson-1-3", isCompleted: true, coverage: 0.9, completedBy: "coverage" },
    { lessonId: "lesson-2-1", isCompleted: false, watchTime: 15, position: 30 },
  ]);
  expect(Math.abs(Date.parse(body.now) - Date.parse(body.records[0]?.updatedAt ?? ""))).toBeLessThan(60_000);
});

test("time beyond the lesson's length counts as its length, and invalid values are refused", async ({ academy }) => {
  const student = await academy.member("basic");
  const lesson = lessonsOf((await student.call(getCatalogue)).body).find(({ id }) => id === "lesson-1-3");
  await save(student, "lesson-1-3", opened);
  await academy.advance("1h");
  const answer = await save(student, "lesson-1-3", { watched: [[0, 86_400]], position: 86_400 });
  expect(answer.body).toMatchObject({ watchTime: lesson?.duration, position: lesson?.duration, coverage: 1 });
  for (const nonsense of [
    {},
    { watchTime: 90_000 },
    { watchTime: -1 },
    { watched: [[0, 90_000]] },
    { watched: [[1]] },
    { watched: [["0", "1"]] },
    { watched: Array.from({ length: 101 }, () => [0, 1]) },
    { at: "yesterday" },
    { userId: "somebody-else", position: 1 },
  ]) {
    expect((await save(student, "lesson-1-3", nonsense)).status, JSON.stringify(nonsense)).toBe(400);
  }
  for (const notes of [[], Array.from({ length: 21 }, () => ({ lessonId: "lesson-1-1" })), [{ position: 1 }]]) {
    expect((await send(student, ...notes)).status).toBe(400);
  }
});

test("the newest note's position counts, whenever it arrives", async ({ academy }) => {
  const student = await academy.member("basic");
  const now = Date.parse((await send(student, { lessonId: "lesson-1-1", ...opened })).body.now);
  const at = (seconds: number) => new Date(now + seconds * 1000).toISOString();
  await academy.advance("10m");
  for (const [position, seconds, expected] of [
    [20, 200, 20],
    [9, 100, 20],
    [30, 300, 30],
    [20, 200, 30],
  ] as const) {
    const { body } = await send(student, { lessonId: "lesson-1-1", position, at: at(seconds) });
    expect(body.records[0]?.position).toBe(expected);
  }
  // A clock that runs ahead cannot hold the position for ever.
  await send(student, { lessonId: "lesson-1-1", position: 5, at: "2999-01-01T00:00:00.000Z" });
  expect((await save(student, "lesson-1-1", { position: 8 })).body.position).toBe(8);
});

test("a lesson is marked as completed and unmarked again, and keeps its watch time", async ({ academy }) => {
  const student = await academy.member("basic");
  await save(student, "lesson-1-1", { watched: [[0, 2]] });
  const done = await save(student, "lesson-1-1", { isCompleted: true });
  expect(done.body).toMatchObject({ isCompleted: true, watchTime: 2, completedBy: "button" });
  await academy.advance("1m");
  const again = await save(student, "lesson-1-1", { isCompleted: true, watched: [[0, 10]] });
  expect(again.body).toMatchObject({ completedAt: done.body.completedAt, watchTime: 10 });
  const undone = await save(student, "lesson-1-1", { isCompleted: false });
  expect(undone.body).toMatchObject({ isCompleted: false, completedAt: null, completedBy: null });
});

test("a lesson marked as not completed stays so until enough new parts were watched", async ({ academy }) => {
  const student = await academy.member("basic");
  const lesson = lessonsOf((await student.call(getCatalogue)).body).find(({ id }) => id === "lesson-2-2");
  const duration = lesson?.duration ?? 0;
  const watch = async (to: number) => {
    await academy.advance("5m");
    return (await send(student, { lessonId: "lesson-2-2", watched: [[0, to]], position: to })).body.records[0];
  };
  await save(student, "lesson-2-2", opened);
  await save(student, "lesson-2-2", { isCompleted: true });
  await save(student, "lesson-2-2", { isCompleted: false });
  expect(await watch(duration * 0.5)).toMatchObject({ isCompleted: false });
  expect(await watch(duration * 0.92)).toMatchObject({ isCompleted: true });
  await save(student, "lesson-2-2", { isCompleted: false });
  expect(await watch(duration)).toMatchObject({ isCompleted: false, coverage: 1 });
});

test("another video empties a lesson's coverage, also for a page that plays the old one [Z39]", async ({
  academy,
  administrator,
}) => {
  const student = await academy.member("basic");
  await save(student, "lesson-2-2", { watched: [[0, 2]], isCompleted: true });
  const lesson = await published(administrator, "lessons", "lesson-2-2");
  const videoId = "sample:lesson-2-1";
  await draft(administrator, "lessons", "lesson-2-2", { videoId, captions: null });
  // It has no captions, which publishing asks about.
  await publish(administrator, { despite: ["lesson-2-2"], changes: { "lesson-2-2": null } });
  const kept = { isCompleted: true, completedBy: "button", watchTime: 2 };
  expect((await student.call(listProgress)).body).toMatchObject([{ ...kept, coverage: 0 }]);
  await academy.advance("1m");
  // The page still plays the old video.
  const late = await send(student, { lessonId: "lesson-2-2", watched: [[0, 9]], position: 9, videoId: lesson.videoId });
  expect([late.status, late.body.replaced]).toEqual([200, ["lesson-2-2"]]);
  expect(late.body.records).toMatchObject([{ ...kept, coverage: 0, position: 0 }]);
  const again = await save(student, "lesson-2-2", { watched: [[0, 2]], videoId });
  expect(again.body).toMatchObject({ ...kept, watchTime: 4 });
  expect(again.body.coverage).toBeGreaterThan(0);
});

test("a first note that arrives while its video is replaced does not count for the new one [Z39]", async ({
  academy,
}) => {
  const lessonId = "lesson-2-3";
  const note = { lessonId, watched: [[0, 2]], position: 2, videoId: "sample:lesson-2-3" };
  const replace = "update lessons set video_id = $2 where id = $1";
  for (const earlier of [[], [{ lessonId, ...opened }]]) {
    const student = await academy.member("basic");
    for (const one of earlier) await send(student, one);
    const noted: ReturnType<typeof send>[] = [];
    await whileLocked(academy.pool, replace, [lessonId, "sample:lesson-2-1"], async ({ waiting }) => {
      noted.push(send(student, note));
      await Promise.race([...noted, waiting(1)]);
    });
    expect((await noted[0])?.body.records).toMatchObject([{ watchTime: 0, coverage: 0, position: 0 }]);
    await academy.pool.query(replace, [lessonId, note.videoId]);
  }
});

test("in a request about several lessons the locked ones do not affect the others [Z06]", async ({ academy }) => {
  const student = await academy.member("basic");
  const { status, body } = await send(
    student,
    { lessonId: "lesson-5-1", position: 1 },
    { lessonId: "lesson-1-1", position: 7, isCompleted: true },
    { lessonId: "lesson-9-9", position: 1 },
  );
  expect(status).toBe(200);
  expect(body.records).toMatchObject([{ lessonId: "lesson-1-1", position: 7, isCompleted: true }]);
  expect(body.refused).toMatchObject([
    { lessonId: "lesson-5-1", message: expect.stringContaining("is included in") },
    { lessonId: "lesson-9-9", message: expect.any(String) },
  ]);
  expect((await student.call(listProgress)).body).toHaveLength(1);
  expect(await send(student, { lessonId: "lesson-5-1", position: 1 })).toMatchObject({
    status: 403,
    body: { code: "tier-required" },
  });
});

test("the demo's students have watched what they have completed", async ({ academy }) => {
  const basic = await academy.visitor().signInAsDemo("basic@academy.test");
  const records = (await basic.call(listProgress)).body;
  expect(records.map(({ isCompleted, coverage }) => [isCompleted, coverage === 1])).toEqual([
    [true, true],
    [true, true],
    [true, true],
    [false, false],
  ]);
  expect(records[3]?.coverage).toBeGreaterThan(0.4);
});

test("autoplay of the next lesson is a setting of the account", async ({ student, administrator: other }) => {
  expect((await student.call(getPlayerChoices)).body).toEqual({ playsNext: true });
  for (const playsNext of [false, false, true, false]) {
    expect((await student.call(savePlayerChoices, { body: { playsNext } })).body).toEqual({ playsNext });
  }
  expect((await student.call(getPlayerChoices)).body).toEqual({ playsNext: false });
  expect((await other.call(getPlayerChoices)).body).toEqual({ playsNext: true });
});
