import { expect, test } from "vitest";
import { answerQuestion, getCheck } from "#contract/checks.ts";
import { listNotes, saveNote } from "#contract/notes.ts";
import { type LessonProgress, listProgress, saveProgress } from "#contract/progress.ts";
import { askQuestion, getQuestion, maxQuestionsADay } from "#contract/questions.ts";
import { type Academy, openAcademy } from "#test/academy.ts";
import { draft, publish } from "#test/drafts.ts";
import { until } from "#test/until.ts";

/** KILLS=100 takes about ten minutes. */
const kills = Number(process.env.KILLS ?? 6);
const lessons = ["lesson-1-1", "lesson-1-2", "lesson-1-3"];

const question = { lessonId: "lesson-1-4", questionId: "water" };

/** Publishes a question that no answer of the test answers right, and returns the check's version. */
async function publishCheck(academy: Academy): Promise<string> {
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const asked = { id: question.questionId, kind: "number", text: "How much?", explanation: "Weigh it." } as const;
  const check = { questions: [{ ...asked, answer: -1, at: null }] };
  await draft(admin, "lessons", question.lessonId, { check });
  await publish(admin);
  return (await admin.call(getCheck, { params: question })).body.version;
}

test("every acknowledged write is there after kills and restarts [I02]", async () => {
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
    /** Returns the last step that was acknowledged. */
    const keepWriting = async (what: string, write: (step: number) => Promise<{ status: number }>, most = 1000) => {
      let last = 0;
      for (let step = 1; alive && step <= most; step++) {
        const reply = await write(step).catch(() => null);
        if (reply?.status !== 200) continue;
        last = step;
        written.add(what);
      }
      return last;
    };
    const answering = keepWriting("answer", (answer) =>
      pupil.call(answerQuestion, { params: question, body: { version, answer } }),
    );
    const noteId = `note${round}`;
    const noting = keepWriting("note", (step) => {
      const replaces = step === 1 ? null : String(step - 1);
      const body = { lessonId: "lesson-1-1", at: 1, text: String(step), replaces };
      return pupil.call(saveNote, { params: { id: noteId }, body });
    });
    const questionId = (step: number) => `asked-before-kill-${round}-${step}`;
    const asking = keepWriting(
      "question",
      (step) => {
        const body = { id: questionId(step), title: `Question ${step} before the kill`, text: "", at: null };
        return pupil.call(askQuestion, { params: { lessonId: "lesson-1-1" }, body });
      },
      maxQuestionsADay,
    );
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
    await until(async () => written.size === lessons.length + 3);
    // Not a wait for something: the instant of death is what varies.
    await new Promise((resolve) => setTimeout(resolve, (round * 35) % 250));
    await academy.kill();
    alive = false;
    await Promise.all(writers);
    const [lastAnswer, lastNote, lastQuestion] = await Promise.all([answering, noting, asking]);
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
    const note = (await pupil.call(listNotes)).body.find(({ id }) => id === noteId);
    expect(Number(note?.text), `the note in round ${round}`).toBeGreaterThanOrEqual(lastNote);
    for (let step = 1; step <= lastQuestion; step++) {
      expect((await pupil.call(getQuestion, { params: { id: questionId(step) } })).status, questionId(step)).toBe(200);
    }
  }
  expect(await student.purchases()).toMatchObject([{ status: "completed" }]);
});
