import { afterAll, beforeAll, expect, test } from "vitest";
import { type LessonProgress, listProgress, saveProgress } from "#contract/progress.ts";
import { acceptPayment, listUserPurchases } from "#contract/purchases/purchases.ts";
import { type Academy, openAcademy } from "#test/academy.ts";
import { until } from "#test/until.ts";

let academy: Academy;
beforeAll(async () => {
  // No DATABASE_URL: the embedded PostgreSQL, which dies with the academy and starts with it.
  academy = await openAcademy({ DATABASE_URL: "" });
});
afterAll(() => academy[Symbol.asyncDispose]());

const lessons = ["lesson-1-1", "lesson-1-2", "lesson-1-3"];

test("killed while progress and purchases are written: every acknowledged write is there after the restart [I02]", async () => {
  const acknowledged = new Map<string, LessonProgress>();
  const student = await academy.visitor().signUp();
  expect((await student.call(acceptPayment, { body: await student.paymentFor("basic") })).status).toBe(200);

  for (let round = 0; round < 6; round++) {
    let alive = true;
    const written = new Set<string>();
    const writers = lessons.map(async (lessonId, writer) => {
      for (let step = 1; alive; step++) {
        const watchTime = Math.min(30, round * 5 + step / 100);
        const answer = await student
          .call(saveProgress, { params: { lessonId }, body: { watchTime, position: writer } })
          .catch(() => null);
        if (answer?.status !== 200) continue;
        acknowledged.set(lessonId, answer.body);
        written.add(lessonId);
      }
    });
    await until(async () => written.size === lessons.length);
    // Not a wait for something: the instant of death is what varies.
    await new Promise((resolve) => setTimeout(resolve, round * 35));
    await academy.kill();
    alive = false;
    await Promise.all(writers);
    await academy.start();
    const kept = (await student.call(listProgress)).body;
    for (const [lessonId, { watchTime, updatedAt }] of acknowledged) {
      const record = kept.find((one) => one.lessonId === lessonId);
      expect(record?.watchTime, `${lessonId} in round ${round}`).toBeGreaterThanOrEqual(watchTime);
      expect(Date.parse(record?.updatedAt ?? ""), `${lessonId} in round ${round}`).toBeGreaterThanOrEqual(
        Date.parse(updatedAt),
      );
    }
  }
  expect((await student.call(listUserPurchases)).body).toMatchObject([{ status: "completed" }]);
});

test("stopped and started again, it keeps everything and the person stays signed in [I01]", async () => {
  const student = await academy.visitor().signInAsDemo("vip@academy.test");
  const before = (await student.call(listProgress)).body;
  expect(before.length).toBeGreaterThan(0);
  expect(await academy.stop()).toBe(0);
  await academy.start();
  expect((await student.call(listProgress)).body).toEqual(before);
});
