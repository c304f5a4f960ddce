import { expect, test } from "vitest";
import { draftLesson, getContent, publishContent } from "#contract/admin/content.ts";
import { answerQuestion, getCheck } from "#contract/checks.ts";
import { type LessonProgress, listProgress, saveProgress } from "#contract/progress.ts";
import { listUserPurchases } from "#contract/purchases/purchases.ts";
import { type Academy, openAcademy } from "#test/academy.ts";
import { until } from "#test/until.ts";

const kills = 6;
const lessons = ["lesson-1-1", "lesson-1-2", "lesson-1-3"];

const question = { lessonId: "lesson-1-4", questionId: "water" };

/** Publishes a question that no answer of the test answers right, and returns the check's version. */
async function publishCheck(academy: Academy): Promise<string> {
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const lesson = (await admin.call(getContent)).body.lessons.find(({ id }) => id === question.lessonId)?.published;
  if (!lesson) throw new Error(`${question.lessonId} is not published`);
  const { position: _, ...text } = lesson;
  const asked = { id: question.questionId, kind: "number", text: "How much?", explanation: "Weigh it.", at: null };
  const check = { questions: [{ ...asked, answer: -1 }] };
  await admin.call(draftLesson, { params: { id: question.lessonId }, body: { ...text, check } });
  expect((await admin.call(publishContent, { body: {} })).status).toBe(200);
  return (await admin.call(getCheck, { params: question })).body.version;
}

test("every acknowledged write is there after six kills and restarts [I02]", async () => {
  // No DATABASE_URL: the embedded PostgreSQL, which dies with the academy and starts with it.
  await using academy = await openAcademy({ DATABASE_URL: "" });
  const acknowledged = new Map<string, LessonProgress>();
  const student = await academy.buyer("basic");
  const version = await publishCheck(academy);
  for (let round = 1; round <= kills; round++) {
    let alive = true;
    const written = new Set<string>();
    // A new one for each round, because students may send 60 answers in a minute.
    const pupil = await academy.buyer("basic");
    let lastAnswer = 0;
    const answering = (async () => {
      for (let given = 1; alive; given++) {
        const body = { version, answer: given };
        const answer = await pupil.call(answerQuestion, { params: question, body }).catch(() => null);
        if (answer?.status !== 200) continue;
        lastAnswer = given;
        written.add(question.questionId);
      }
    })();
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
    await until(async () => written.size === lessons.length + 1);
    // Not a wait for something: the instant of death is what varies.
    await new Promise((resolve) => setTimeout(resolve, round * 35));
    await academy.kill();
    alive = false;
    await Promise.all([...writers, answering]);
    await academy.start();
    const kept = (await student.call(listProgress)).body;
    for (const [lessonId, { watchTime, updatedAt }] of acknowledged) {
      const record = kept.find((one) => one.lessonId === lessonId);
      expect(record?.watchTime, `${lessonId} in round ${round}`).toBeGreaterThanOrEqual(watchTime);
      expect(Date.parse(record?.updatedAt ?? ""), `${lessonId} in round ${round}`).toBeGreaterThanOrEqual(
        Date.parse(updatedAt),
      );
    }
    const [answered] = (await pupil.call(getCheck, { params: question })).body.questions;
    expect(answered?.result?.given, `the answer in round ${round}`).toBeGreaterThanOrEqual(lastAnswer);
  }
  expect((await student.call(listUserPurchases)).body).toMatchObject([{ status: "completed" }]);
});
