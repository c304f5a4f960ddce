import { readdir, readFile } from "node:fs/promises";
import { expect } from "vitest";
import { checks } from "#content/checks.ts";
import type { CheckContent, CheckQuestion } from "#contract/admin/check-content.ts";
import { tryQuestion } from "#contract/admin/content.ts";
import { getCheckFigures } from "#contract/admin/statistics.ts";
import { type Answer, answerQuestion, getCheck, type LessonCheck, listChecks, showAnswer } from "#contract/checks.ts";
import { deleteUser } from "#contract/profile.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import * as drafts from "#test/drafts.ts";
import { listEndpoints } from "#test/endpoints.ts";
import { academyOfFile, forFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { whileLocked } from "#test/locks.ts";
import { exportedFile } from "#test/unzip.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();
const second = await forFile(openAcademyInProcess({}, academy.database));

const explanation = "Secret explanation.";
const every = { explanation, at: 12 };
const [choice, ways, price, word] = [
  {
    ...every,
    id: "choice",
    kind: "one",
    text: "What raises the dough?",
    options: [
      { id: "yeast", text: "Yeast", isRight: true },
      { id: "salt", text: "Salt", isRight: false },
    ],
  },
  {
    ...every,
    id: "ways",
    kind: "several",
    text: "What is flour made of?",
    options: [
      { id: "rye", text: "Rye", isRight: true },
      { id: "wheat", text: "Wheat", isRight: true },
      { id: "chalk", text: "Chalk", isRight: false },
    ],
  },
  { ...every, id: "price", kind: "number", text: "How much water?", unit: "g", answer: 650.25 },
  { ...every, id: "word", kind: "text", text: "What is it called?", answer: "Autolysewort" },
] as const satisfies CheckQuestion[];
const check: { questions: CheckQuestion[] } = { questions: [choice, ways, price, word] as never };

/** Drafts and publishes a check of a lesson. */
async function publish(lessonId: string, questions: readonly CheckQuestion[] | null): Promise<void> {
  await draft(lessonId, questions && { questions: [...questions] });
  await drafts.publish(admin);
}

const draft = (lessonId: string, check: CheckContent | null) => drafts.draft(admin, "lessons", lessonId, { check });

const read = async (student: Visitor, lessonId: string) =>
  (await student.call(getCheck, { params: { lessonId } })).body as LessonCheck;
const answer = (student: Visitor, lessonId: string, questionId: string, version: string, answer: Answer) =>
  student.call(answerQuestion, { params: { lessonId, questionId }, body: { version, answer } });
const show = (student: Visitor, lessonId: string, questionId: string) =>
  student.call(showAnswer, { params: { lessonId, questionId } });
const isPassed = async (student: Visitor, lessonId: string) =>
  (await student.call(listChecks)).body.find((one) => one.lessonId === lessonId)?.isPassed;

test("a check is drafted unseen, published with the lesson, and answered until it is passed", async () => {
  const student = await academy.member("basic");
  await draft("lesson-1-2", check);
  expect((await student.call(getCheck, { params: { lessonId: "lesson-1-2" } })).status).toBe(404);
  await drafts.publish(admin);
  expect((await drafts.published(admin, "lessons", "lesson-1-2")).check).toEqual(check);
  expect(await isPassed(student, "lesson-1-2")).toBe(false);
  const { version, questions, passed } = await read(student, "lesson-1-2");
  expect(passed).toBe(false);
  expect(questions).toEqual([
    {
      id: "choice",
      kind: "one",
      text: choice.text,
      options: [
        { id: "yeast", text: "Yeast" },
        { id: "salt", text: "Salt" },
      ],
      result: null,
    },
    expect.objectContaining({ id: "ways", kind: "several" }),
    { id: "price", kind: "number", text: price.text, unit: "g", result: null },
    { id: "word", kind: "text", text: word.text, result: null },
  ]);

  const wrong = (await answer(student, "lesson-1-2", "choice", version, "salt")).body;
  expect(wrong.result).toEqual({ isRight: false, given: "salt", right: null, explanation, at: 12, wasShown: false });
  const right = (await answer(student, "lesson-1-2", "choice", version, "yeast")).body;
  expect(right.result).toMatchObject({ isRight: true, given: "yeast", right: "yeast" });
  // Another tab that does not know answers wrong.
  expect((await answer(student, "lesson-1-2", "choice", version, "salt")).body.result).toEqual(right.result);
  expect((await answer(student, "lesson-1-2", "price", version, "650,25 g")).body.result?.given).toBe(650.25);
  await answer(student, "lesson-1-2", "ways", version, ["wheat", "rye"]);
  expect(await isPassed(student, "lesson-1-2")).toBe(false);
  const shown = (await show(student, "lesson-1-2", "word")).body;
  expect(shown.result).toMatchObject({ isRight: false, given: null, right: "Autolysewort", wasShown: true });
  expect(await isPassed(student, "lesson-1-2")).toBe(true);
  const after = await read(student, "lesson-1-2");
  expect(after).toMatchObject({ version, passed: true });
  expect(after.questions.map(({ result }) => result?.given)).toEqual(["yeast", ["rye", "wheat"], 650.25, null]);
});

test("a changed question is asked again, an unchanged one is not, and what was passed stays so", async () => {
  const student = await academy.member("basic");
  await publish("lesson-1-3", [choice, price]);
  const before = await read(student, "lesson-1-3");
  await answer(student, "lesson-1-3", "choice", before.version, "yeast");
  await answer(student, "lesson-1-3", "price", before.version, 650.25);
  await publish("lesson-1-3", [
    { ...price, answer: 700 },
    { ...choice, explanation: "Better." },
  ]);
  const after = await read(student, "lesson-1-3");
  expect(after.passed).toBe(true);
  expect(after.questions.map(({ id, result }) => [id, result?.explanation])).toEqual([
    ["price", undefined],
    ["choice", "Better."],
  ]);
  const late = await answer(student, "lesson-1-3", "price", before.version, 650.25);
  expect(late.status).toBe(409);
  expect(late.body.message).toContain("has changed since you opened it");
  expect((await answer(student, "lesson-1-3", "price", after.version, 650.25)).body.result?.isRight).toBe(false);
  // The question as it was again, with its answer, and without the other one.
  await publish("lesson-1-3", [price]);
  expect((await answer(student, "lesson-1-3", "choice", after.version, "salt")).status).toBe(409);
  expect((await read(student, "lesson-1-3")).questions[0]?.result?.isRight).toBe(true);
  await publish("lesson-1-3", null);
  expect((await student.call(getCheck, { params: { lessonId: "lesson-1-3" } })).body.message).toBe(
    "This lesson has no check.",
  );
});

test("a check that is passed while another one is published counts as passed", async () => {
  const student = await academy.member("basic");
  await publish("lesson-1-4", [choice, price]);
  const { version } = await read(student, "lesson-1-4");
  await answer(student, "lesson-1-4", "choice", version, "yeast");
  const last: ReturnType<typeof answer>[] = [];
  // The answer waits between reading the check and storing the answer.
  await whileLocked(academy.pool, "lock table check_answers in exclusive mode", [], async ({ waiting }) => {
    last.push(answer(student, "lesson-1-4", "price", version, 650.25));
    await waiting(1);
    await publish("lesson-1-4", [
      { ...choice, text: "What makes it rise?" },
      { ...price, answer: 700 },
    ]);
  });
  expect((await last[0])?.body.result?.isRight).toBe(true);
  expect(await isPassed(student, "lesson-1-4")).toBe(true);
});

test("an answer sent many times at once to two nodes is one row, and 60 answers count in a minute", async () => {
  const student = await academy.member("basic");
  const elsewhere = await second.visitor().signInAsDemo(student.email);
  await publish("lesson-1-4", [choice, price]);
  const { version } = await read(student, "lesson-1-4");
  const send = (times: number) =>
    Promise.all(
      Array.from({ length: times }, (_, at) =>
        answer(at % 2 ? student : elsewhere, "lesson-1-4", "choice", version, "yeast"),
      ),
    );
  expect((await answer(student, "lesson-1-4", "price", version, 650.25)).status).toBe(200);
  const statuses = (await send(62)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([...Array(59).fill(200), ...Array(3).fill(429)]);
  expect(await isPassed(student, "lesson-1-4")).toBe(true);
  const { rows } = await academy.pool.query("select 1 from check_answers where user_id = $1", [await student.id()]);
  expect(rows).toHaveLength(2);
});

test("no reply to a student has a right answer or an explanation before the question is answered [Z27]", async () => {
  const student = await academy.member("vip");
  await publish("lesson-1-5", [choice, { ...price, variants: [{ text: "Twice", answer: 987.25 }] }, word]);
  const secrets = new RegExp(`isRight|${explanation}|Autolysewort|987[.,]25|650[.,]25`);
  const paths = (await listEndpoints()).flatMap(({ method, path }) => (method === "GET" ? path : []));
  const ids: Record<string, string> = { lessonId: "lesson-1-5", moduleId: "module-1" };
  const addresses = paths.map((path) => path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "lesson-1-5"));
  for (const address of [...addresses, "/dashboard?lesson=lesson-1-5", "/course-access?lesson=lesson-1-5", "/"]) {
    // The document of the API names all fields.
    const text = await (
      await student.send("GET", `${address}${address.includes("search") ? "?q=Autolysewort" : ""}`)
    ).text();
    expect(text, address).not.toMatch(secrets);
  }
  const assets = new URL("../../dist/client/assets/", import.meta.url);
  const builtIn = Object.values(checks).flatMap((questions) => questions.map(({ explanation }) => explanation));
  for (const name of (await readdir(assets)).filter((name) => name.endsWith(".js"))) {
    const script = await readFile(new URL(name, assets), "utf8");
    for (const sentence of builtIn) expect(script.includes(sentence), name).toBe(false);
  }
  const { version } = await read(student, "lesson-1-5");
  const wrong = await answer(student, "lesson-1-5", "choice", version, "salt");
  expect(JSON.stringify(wrong.body)).not.toMatch(/"right":"|Autolysewort|987/);
  expect(academy.log.join("\n")).not.toMatch(secrets);
});

test("whoever may watch the lesson has its check, and answers of the team are graded but not kept", async () => {
  await publish("lesson-1-2", [choice]);
  await publish("lesson-1-1", [choice]);
  const support = await inRole(academy, "support");
  const [fresh, held] = [
    await academy.visitor().signInAsDemo("new@academy.test"),
    await academy.visitor().signInAsDemo("held@academy.test"),
  ];
  const status = async (visitor: Visitor, lessonId: string) =>
    (await visitor.call(getCheck, { params: { lessonId } })).status;
  expect(await status(fresh, "lesson-1-2")).toBe(403);
  expect(await status(held, "lesson-1-2")).toBe(403);
  expect(await status(fresh, "lesson-1-1")).toBe(200);
  for (const lessonId of ["lesson-1-1", "lesson-1-2"]) {
    const { version } = await read(support, lessonId);
    expect((await answer(support, lessonId, "choice", version, "yeast")).body.result?.isRight).toBe(true);
    expect((await read(support, lessonId)).questions[0]?.result).toBeNull();
  }
  const { version } = await read(fresh, "lesson-1-1");
  expect((await answer(fresh, "lesson-1-2", "choice", version, "yeast")).status).toBe(403);
  // The lesson is retired while its check is open.
  await academy.pool.query("update lessons set released = false where id = 'lesson-1-1'");
  const retired = await answer(fresh, "lesson-1-1", "choice", version, "yeast");
  expect(retired).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining("It may have been removed.") },
  });
  await academy.pool.query("update lessons set released = true where id = 'lesson-1-1'");
});

test("new questions and options get ids that were never used, and a bad check is refused at its field", async () => {
  const drafted = await draft("lesson-2-1", {
    questions: [
      { ...choice, id: "new-1", options: choice.options.map((option) => ({ ...option, id: `new-${option.id}` })) },
    ],
  });
  const [question] = drafted.body.lessons.find(({ id }) => id === "lesson-2-1")?.draft?.check?.questions ?? [];
  expect(question?.id).toMatch(/^question-\w{20}$/);
  expect(question && "options" in question && question.options.map(({ id }) => id)).toEqual([
    expect.stringMatching(/^option-\w{20}$/),
    expect.stringMatching(/^option-\w{20}$/),
  ]);
  const refused = await draft("lesson-2-1", {
    questions: [{ ...choice, options: [choice.options[1], choice.options[1]] }],
  });
  expect(refused.body.errors).toMatchObject({ "check.questions.0.options": ["Mark the right option"] });
});

test("answers are in the data export without what is right, and are deleted with the account", async () => {
  const student = await academy.member("basic");
  await publish("lesson-1-2", [choice]);
  const { version } = await read(student, "lesson-1-2");
  await answer(student, "lesson-1-2", "choice", version, "salt");
  const exported = await exportedFile(student, "checks.json");
  expect(JSON.parse(exported)).toMatchObject({
    answers: [{ lessonId: "lesson-1-2", question: choice.text, given: "Salt", isRight: false, wasShown: false }],
    passed: [],
  });
  expect(exported).not.toMatch(/Yeast|Secret/);
  const id = await student.id();
  expect((await student.call(deleteUser)).status).toBe(200);
  expect((await academy.pool.query("select 1 from check_answers where user_id = $1", [id])).rowCount).toBe(0);
});

test("figures count first answers to the questions that are asked, and say what confuses", async () => {
  await publish("lesson-2-1", [choice, ways, price]);
  const firsts = ["salt", "yeast", "salt"];
  for (const [at, first] of firsts.entries()) {
    const student = await academy.member("basic");
    const { version } = await read(student, "lesson-2-1");
    await answer(student, "lesson-2-1", "choice", version, first);
    await answer(student, "lesson-2-1", "choice", version, "yeast");
    await answer(student, "lesson-2-1", "ways", version, ["rye", "wheat", at > 0 ? "chalk" : "rye"]);
  }
  const figures = (await admin.call(getCheckFigures)).body.filter(({ lessonId }) => lessonId === "lesson-2-1");
  expect(figures).toMatchObject([
    { text: choice.text, answered: 3, rightAtFirst: 1, isConfusing: true, wrongAnswer: { text: "Salt", students: 2 } },
    { text: ways.text, answered: 3, rightAtFirst: 1, isConfusing: true, wrongAnswer: { text: "Chalk", students: 2 } },
    { text: price.text, answered: 0, rightAtFirst: 0, isConfusing: false, wrongAnswer: null },
  ]);
});

test("authors try the questions that they write, and nothing is stored", async () => {
  const ask = async (body: object) => (await admin.call(tryQuestion, { body: { question: choice, ...body } })).body;
  const stored = async () => (await academy.pool.query("select from check_answers")).rowCount;
  const before = await stored();
  expect(await ask({})).toEqual({
    ...{ id: "choice", kind: "one", text: choice.text, result: null },
    options: choice.options.map(({ id, text }) => ({ id, text })),
  });
  expect((await ask({ answer: "salt" })).result).toMatchObject({ isRight: false, right: null, explanation });
  expect((await ask({ answer: "yeast" })).result).toMatchObject({ isRight: true, right: "yeast" });
  expect((await ask({ isShown: true })).result).toMatchObject({ wasShown: true, right: "yeast" });
  expect(await stored()).toBe(before);
});
