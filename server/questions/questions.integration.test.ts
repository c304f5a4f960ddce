import { expect } from "vitest";
import {
  acceptAnswer,
  askQuestion,
  deleteAnswer,
  deleteQuestion,
  editAnswer,
  editQuestion,
  findSimilarQuestions,
  getAnswerTime,
  getQuestion,
  listLessonQuestions,
  listQuestions,
  markAnswerHelpful,
  markQuestionHelpful,
  type QuestionSort,
  type QuestionThread,
  questionSorts,
  reportAnswer,
  reportQuestion,
  writeAnswer,
} from "#contract/questions.ts";
import { newId } from "#server/db/id.ts";
import { academyOfFile } from "#test/fixtures.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, test } = await academyOfFile();
const lessonId = "lesson-1-2";
const title = "How warm must the water be?";

const ask = (who: Visitor, more: Record<string, unknown> = {}, lesson = lessonId) =>
  who.call(askQuestion, { params: { lessonId: lesson }, body: { title, text: "Mine is **cold**.", at: 7, ...more } });
const asked = async (who: Visitor, more?: Record<string, unknown>, lesson?: string) => {
  const { status, body } = await ask(who, more, lesson);
  expect(status, body.message).toBe(200);
  return body.question.id;
};
const answer = (who: Visitor, id: string, text = "At 26 degrees.", more: Record<string, unknown> = {}) =>
  who.call(writeAnswer, { params: { id }, body: { text, ...more } });
const answered = async (who: Visitor, id: string, text?: string) => {
  const newOne = newId();
  expect((await answer(who, id, text, { id: newOne })).status).toBe(200);
  return newOne;
};
const read = async (who: Visitor, id: string) =>
  (await who.call(getQuestion, { params: { id } })).body as QuestionThread;
const accept = (who: Visitor, id: string, answerId: string | null) =>
  who.call(acceptAnswer, { params: { id }, body: { answerId } });
const list = (who: Visitor, query: { sort?: QuestionSort; after?: string; limit?: string } = {}, lesson = lessonId) =>
  who.call(listLessonQuestions, { params: { lessonId: lesson }, query });
const set = (id: string, assignment: string) =>
  academy.pool.query(`update question_posts set ${assignment} where id = $1`, [id]);

test("a question is asked, answered by others and accepted by who asked [Z33]", async () => {
  const [asker, other] = [await academy.member("basic"), await academy.member("basic")];
  await academy.pool.query("update users set first_name = 'Ruth', last_name = 'Baker' where email = $1", [asker.email]);
  const owner = await academy.visitor().signInAsDemo("admin@academy.test");
  const id = await asked(asker, { at: 80_000 });
  const first = await answered(other, id);
  const teams = await answered(owner, id);
  expect((await accept(other, id, first)).status).toBe(403);
  expect((await accept(asker, id, "none")).status).toBe(404);
  expect((await accept(asker, id, teams)).body.answerRows.map(({ isAccepted }) => isAccepted)).toEqual([true, false]);

  const { question, answerRows } = await read(other, id);
  expect(question).toMatchObject({
    author: { name: "Ruth B.", isOfTeam: false, isYou: false },
    html: '<p dir="auto">Mine is <strong>cold</strong>.</p>\n',
    ...{ answers: 2, isAnswered: true, acceptedId: teams, canAccept: false, isEdited: false },
  });
  // The end of the lesson is meant.
  expect(question.at).toBeLessThan(100);
  expect(answerRows.map(({ id, author }) => [id, author.isOfTeam])).toEqual([
    [teams, true],
    [first, false],
  ]);
  await accept(owner, id, null);
  expect((await read(asker, id)).question).toMatchObject({ acceptedId: null, isAnswered: true, canAccept: true });

  const change = { params: { id: first }, body: { text: "At 27 degrees." } };
  expect((await asker.call(editAnswer, change)).status).toBe(404);
  const texts = { params: { id }, body: { title: "How warm is the water?", text: "" } };
  expect((await other.call(editQuestion, texts)).status).toBe(404);
  expect((await asker.call(editQuestion, texts)).body.question).toMatchObject({ ...texts.body, isEdited: true });
  const edited = (await other.call(editAnswer, change)).body.answerRows.find((row) => row.id === first);
  expect(edited).toMatchObject({ text: "At 27 degrees.", isEdited: true });
});

test("a post that was changed elsewhere is not overwritten, and the same change again is no edit [Z37]", async () => {
  const author = await academy.member("basic");
  const id = await asked(author);
  const answerId = await answered(author, id);
  const { question, answerRows } = await read(author, id);
  const [mine] = answerRows;
  const edits = [
    (text: string, version?: string) =>
      author.call(editQuestion, { params: { id }, body: { title, text, ...(version && { version }) } }),
    (text: string, version?: string) =>
      author.call(editAnswer, { params: { id: answerId }, body: { text, ...(version && { version }) } }),
  ];
  for (const [at, edit] of edits.entries()) {
    const version = [question.version, mine?.version][at];
    const both = await Promise.all([edit("One tab", version), edit("Another tab", version)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(
      (await Promise.all([edit("One tab", version), edit("Another tab", version)])).map(({ status }) => status),
    ).toEqual(both.map(({ status }) => status));
    // A browser of the previous release names no version.
    expect((await edit("Without a version")).status).toBe(200);
  }
});

/** R: reads and writes; T: titles alone; L: the same until it opens; N: nothing is there; U: is asked to sign in. */
const cells = {
  visitor: { open: "U", free: "U", premium: "U", notYet: "U", unpublished: "U" },
  new: { open: "T", free: "R", premium: "T", notYet: "T", unpublished: "N" },
  basic: { open: "R", free: "R", premium: "T", notYet: "L", unpublished: "N" },
  premium: { open: "R", free: "R", premium: "R", notYet: "L", unpublished: "N" },
  // Who is blocked still watches what is free, and writes nothing.
  held: { open: "T", free: "r", premium: "T", notYet: "T", unpublished: "N" },
  suspended: { open: "T", free: "r", premium: "T", notYet: "T", unpublished: "N" },
  coach: { open: "R", free: "R", premium: "R", notYet: "L", unpublished: "N" },
  support: { open: "R", free: "R", premium: "R", notYet: "L", unpublished: "N" },
  owner: { open: "R", free: "R", premium: "R", notYet: "L", unpublished: "N" },
} as const;
type Cell = "R" | "r" | "T" | "L" | "N" | "U";
/** Their cells have each letter. The others read a list and a question, and write an answer. */
const asksEverything = ["visitor", "new", "basic", "held"];
const lessonOf = {
  open: "lesson-1-3",
  free: "lesson-1-1",
  premium: "lesson-4-1",
  notYet: "lesson-1-5",
  unpublished: "lesson-1-4",
};

test("each role, tier and state of a lesson opens the questions or their titles [Z31]", async () => {
  const author = await academy.member("vip");
  const produced = "video_id = 'youtube:LkFourOne00', duration_seconds = 60, coming_soon = false";
  await academy.pool.query(`update lessons set ${produced} where id = 'lesson-4-1'`);
  const questions: Record<string, string> = {};
  const answers: Record<string, string> = {};
  for (const [state, lesson] of Object.entries(lessonOf)) {
    questions[state] = await asked(author, { title: `Title for ${state}`, text: "Secret words" }, lesson);
    answers[state] = await answered(author, questions[state], "Secret words");
  }
  await academy.pool.query("update lessons set opens_at = now() + interval '1 day' where id = 'lesson-1-5'");
  await academy.pool.query("update lessons set released = false where id = 'lesson-1-4'");
  for (const [role, expected] of Object.entries(cells)) {
    const who = await person(role);
    for (const [state, cell] of Object.entries(expected) as [keyof typeof lessonOf, Cell][]) {
      const [id = "", answerId = ""] = [questions[state], answers[state]];
      const lesson = { lessonId: lessonOf[state] };
      const params = { id };
      const isWhole = asksEverything.includes(role);
      const reads = await Promise.all([
        list(who, {}, lessonOf[state]),
        who.call(getQuestion, { params }),
        ...(isWhole ? [who.call(findSimilarQuestions, { params: lesson, query: { title } })] : []),
      ]);
      const writes = await Promise.all([
        answer(who, id),
        ...(isWhole
          ? [
              ask(who, {}, lessonOf[state]),
              who.call(markQuestionHelpful, { params }),
              who.call(markAnswerHelpful, { params: { id: answerId }, body: {} }),
              who.call(reportQuestion, { params, body: { reason: "Rude" } }),
              who.call(reportAnswer, { params: { id: answerId } }),
            ]
          : []),
      ]);
      const statuses = (all: readonly { status: number }[]) => [...new Set(all.map(({ status }) => status))].sort();
      const what = `${role} ${state}`;
      const [listed] = reads;
      const read = { R: [200], r: [200], T: [200, 403], L: [200, 404], N: [404], U: [401] }[cell];
      const written = { R: [200], r: [403], T: [403], L: [404], N: [404], U: [401] }[cell];
      expect(statuses(reads), what).toEqual(read);
      expect(statuses(writes), what).toEqual(written);
      if (cell === "T" || cell === "L") {
        expect(listed?.body).toEqual({ questions: [], lockedTitles: expect.arrayContaining([`Title for ${state}`]) });
        expect(JSON.stringify([...reads, ...writes])).not.toContain("Secret");
      }
      const all = who.email ? (await who.call(listQuestions, { query: { limit: "200" } })).body : [];
      expect(JSON.stringify(all).includes(id), what).toBe(cell === "R" || cell === "r");
    }
  }
  await academy.pool.query("update lessons set opens_at = null, released = true");
});

async function person(role: string): Promise<Visitor> {
  if (role === "visitor") return academy.visitor();
  if (role === "new") return academy.visitor().signUp();
  if (role === "basic" || role === "premium") return academy.member(role);
  const name = { support: "helpdesk", owner: "admin" }[role] ?? role;
  return academy.visitor().signInAsDemo(`${name}@academy.test`);
}

test("what is sent many times at once is written once, and parallel writes are all counted [Z32]", async () => {
  const people = await Promise.all(Array.from({ length: 3 }, () => academy.member("basic")));
  const [asker = academy.visitor(), other = asker] = people;
  const id = newId();
  const replies = await Promise.all(Array.from({ length: 6 }, () => ask(asker, { id })));
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.question.id}`))).toEqual(new Set([`200 ${id}`]));
  expect((await ask(other, { id })).status).toBe(409);

  const twice = newId();
  await Promise.all([
    ...people.flatMap((who) => [answer(who, id), answer(who, id), who.call(markQuestionHelpful, { params: { id } })]),
    ...Array.from({ length: 4 }, () => answer(other, id, "Once", { id: twice })),
    ...Array.from({ length: 4 }, () => other.call(reportQuestion, { params: { id } })),
  ]);
  const { question } = await read(other, id);
  expect(question).toMatchObject({ answers: 7, helpful: 2, foundHelpful: true, isAnswered: true });
  expect((await asker.call(markQuestionHelpful, { params: { id } })).status).toBe(409);
  const back = await other.call(markQuestionHelpful, { params: { id }, body: { isHelpful: false } });
  expect(back.body).toEqual({ helpful: 1, foundHelpful: false });
  const { rows } = await academy.pool.query("select reports from question_posts where id = $1", [id]);
  expect(rows).toEqual([{ reports: 1 }]);
});

test("a person asks 10 questions and writes 30 answers a day, not counting what is refused or sent again", async () => {
  const student = await academy.member("basic");
  const id = newId();
  expect((await ask(student, { title: "Short" })).status).toBe(400);
  for (let times = 0; times < 3; times += 1) await asked(student, { id });
  const others = await Promise.all(Array.from({ length: 11 }, () => ask(student)));
  expect(others.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 429, 429]);
  const answers = await Promise.all(Array.from({ length: 32 }, () => answer(student, id)));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  expect((await read(student, id)).question.answers).toBe(30);
});

test("a deleted question goes, and without its words it stays for the answers of others", async () => {
  const [asker, other] = [await academy.member("basic"), await academy.member("basic")];
  const [alone, id] = [await asked(asker), await asked(asker)];
  await answered(asker, alone);
  const answerId = await answered(other, id);
  await accept(asker, id, answerId);
  for (const one of [alone, id]) {
    expect((await other.call(deleteQuestion, { params: { id: one } })).status).toBe(404);
    for (let times = 0; times < 2; times += 1) {
      expect((await asker.call(deleteQuestion, { params: { id: one } })).status).toBe(200);
    }
  }
  expect((await asker.call(getQuestion, { params: { id: alone } })).status).toBe(404);
  expect(await read(other, id)).toMatchObject({
    question: { title: "", text: "", at: null, isDeleted: true },
    answerRows: [{ id: answerId }],
  });
  expect((await other.call(deleteAnswer, { params: { id: answerId } })).status).toBe(200);
  expect((await read(other, id)).question).toMatchObject({ answers: 0, isAnswered: false, acceptedId: null });
});

test("texts keep every script and emoji, and hold no HTML, pictures or tables [Z31]", async () => {
  const student = await academy.member("basic");
  const at = null;
  const text =
    "<script>alert(1)</script> שלום 👩🏽‍🍳 [a](https://a.example) [b](javascript:1) ![c](/look/x.png)\n\n|d|e|\n|-|-|\n|f|g|";
  const { html } = (await ask(student, { title: "<b>مرحبا بالعالم</b>", text, at })).body.question;
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt; שלום 👩🏽‍🍳");
  expect(html).toContain('<a href="https://a.example" rel="nofollow ugc noreferrer">a</a>');
  expect(html).not.toMatch(/<(script|img|table)|href="javascript/);
  expect(html).toContain("|d|e|");
  expect((await ask(student, { text: `${"> ".repeat(1000)}x` })).status).toBe(200);
  for (const [refused, more] of Object.entries({
    title: { title: "1234567\u200b\u2060" },
    "long title": { title: "x".repeat(141) },
    override: { title: `${title}\u202e` },
    text: { text: "x".repeat(4001) },
    second: { at: 1.5 },
    "negative second": { at: -1 },
    id: { id: "A".repeat(20) },
  })) {
    expect((await ask(student, more)).status, refused).toBe(400);
  }
  expect((await answer(student, await asked(student), "\u200b")).status).toBe(400);
});

test("each order of the list goes on after its last row, and finds each question once", async () => {
  const [asker, other] = [await academy.member("basic"), await academy.member("basic")];
  const lesson = "lesson-3-1";
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) ids.push(await asked(asker, { at }, lesson));
  const [oldest = "", second = ""] = ids;
  await answered(other, ids[4] ?? "");
  await other.call(markQuestionHelpful, { params: { id: second } });
  for (const sort of questionSorts) {
    const found: string[] = [];
    for (let after: string | undefined; ; after = found.at(-1)) {
      const { body } = await list(asker, { sort, limit: "2", ...(after && { after }) }, lesson);
      if (body.questions.length === 0) break;
      found.push(...body.questions.map(({ id }) => id));
    }
    const newest = ids.toReversed();
    const expected = {
      new: newest,
      top: [second, ...newest.filter((id) => id !== second)],
      unanswered: [...newest.slice(1), ids[4]],
    };
    expect(found, sort).toEqual(expected[sort]);
  }
  await other.call(markQuestionHelpful, { params: { id: oldest } });
  expect((await list(asker, { after: "gone" }, lesson)).status).toBe(404);
});

test("a title finds similar questions and where the lesson speaks of it, 30 times a minute", async () => {
  const student = await academy.member("basic");
  const { rows } = await academy.pool.query(
    "select text, starts_at from lesson_cues where lesson_id = 'lesson-1-2' order by length(text) desc limit 1",
  );
  const similar = await asked(student, { title: "Why does my sourdough smell of acetone?" });
  const search = (words: string) =>
    student.call(findSimilarQuestions, { params: { lessonId }, query: { title: words } });
  const find = async (words: string) => (await search(words)).body;
  expect((await find("is sourdoughs smelling normal")).questions[0]).toMatchObject({ id: similar });
  expect(await find("the a")).toEqual({ questions: [], said: [] });
  expect((await find(rows[0].text.slice(0, 140))).said[0]?.at).toBe(Math.floor(rows[0].starts_at / 1000));
  const more = await Promise.all(Array.from({ length: 28 }, () => search("oven")));
  expect(more.filter(({ status }) => status === 429)).toHaveLength(1);
});

test("the time to the first answer is the median of the last 30 days, and of at least five questions", async () => {
  const [asker, other] = [await academy.member("basic"), await academy.member("basic")];
  await academy.pool.query("update question_posts set first_answered_at = null");
  const median = async () => (await asker.call(getAnswerTime)).body.medianSeconds;
  for (const hours of [1, 2, 3, 40, 50]) {
    expect(await median()).toBeNull();
    const id = await asked(asker);
    await answered(other, id);
    await set(id, `first_answered_at = created_at + interval '${hours} hours'`);
  }
  expect(await median()).toBe(3 * 3600);
});
