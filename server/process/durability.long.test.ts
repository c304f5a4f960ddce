import { expect, test } from "vitest";
import { type LessonProgress, listProgress, saveProgress } from "#contract/progress.ts";
import { listUserPurchases } from "#contract/purchases/purchases.ts";
import { openAcademy } from "#test/academy.ts";
import { until } from "#test/until.ts";

const kills = 6;
const lessons = ["lesson-1-1", "lesson-1-2", "lesson-1-3"];

test("every acknowledged write is there after six kills and restarts [I02]", async () => {
  // No DATABASE_URL: the embedded PostgreSQL, which dies with the academy and starts with it.
  await using academy = await openAcademy({ DATABASE_URL: "" });
  const acknowledged = new Map<string, LessonProgress>();
  const student = await academy.buyer("basic");
  for (let round = 1; round <= kills; round++) {
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
