import { expect } from "vitest";
import { listAudit } from "#contract/admin/audit.ts";
import {
  closeQuestion,
  countAdminQuestions,
  dismissReports,
  getAdminQuestion,
  hidePost,
  listAdminQuestions,
  markDuplicate,
} from "#contract/admin/questions.ts";
import { getLearning } from "#contract/admin/statistics.ts";
import { deleteUser } from "#contract/profile.ts";
import {
  acceptAnswer,
  askQuestion,
  deleteQuestion,
  editAnswer,
  getQuestion,
  listLessonQuestions,
  markAnswerHelpful,
  reportAnswer,
  reportQuestion,
  searchQuestions,
  writeAnswer,
} from "#contract/questions.ts";
import { changeSettings, publish } from "#test/drafts.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { whileLocked } from "#test/locks.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { exportedFile } from "#test/unzip.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();
await leaveOnlyJobs(academy, "mail-question-digest");
const coach = await academy.visitor().signInAsDemo("coach@academy.test");

async function ask(who: Visitor, title: string, lessonId = "lesson-1-1"): Promise<string> {
  const { body } = await who.call(askQuestion, {
    params: { lessonId },
    body: { title, text: `About ${title}`, at: 5 },
  });
  return body.question.id;
}

/** Returns the answer's id. */
async function answer(who: Visitor, id: string, text: string): Promise<string> {
  const { status, body } = await who.call(writeAnswer, { params: { id }, body: { text } });
  expect(status, body.message).toBe(200);
  return body.answerRows.find((row) => row.text === text)?.id ?? "";
}

const queue = async (query: Record<string, string> = {}) =>
  (await coach.call(listAdminQuestions, { query })).body.map(({ title }) => title);
const count = async (query: Record<string, string> = {}) => (await coach.call(countAdminQuestions, { query })).body;
const thread = async (id: string, query: { limit?: string; after?: string } = {}) =>
  (await coach.call(getAdminQuestion, { params: { id }, query })).body;

test("the queue has waiting questions first, and coaches answer, close and merge them there [Z33]", async () => {
  const [asker, other] = [await academy.member("basic"), await academy.member("basic")];
  const oldest = await ask(asker, "How warm is the oven?");
  const settled = await ask(asker, "Which flour is meant?");
  await answer(other, settled, "Rye.");
  const newest = await ask(asker, "How hot is the oven?");
  const elsewhere = await ask(asker, "Where do I find the scale?", "lesson-1-2");
  expect(await queue()).toEqual([
    ...["How warm is the oven?", "How hot is the oven?", "Where do I find the scale?"],
    "Which flour is meant?",
  ]);
  expect(await queue({ limit: "2", after: newest })).toEqual(["Where do I find the scale?", "Which flour is meant?"]);
  expect(await queue({ lessonId: "lesson-1-2" })).toEqual(["Where do I find the scale?"]);
  expect(await queue({ show: "answered" })).toEqual(["Which flour is meant?"]);
  expect(await count({ show: "unanswered" })).toEqual({ total: 3, unanswered: 3, reported: 0 });

  await answer(coach, oldest, "230 degrees.");
  expect((await thread(oldest)).posts.map(({ author }) => author.isOfTeam)).toEqual([false, true]);
  const [first, ...more] = (await thread(oldest, { limit: "1" })).posts;
  expect([first?.id, more]).toEqual([oldest, []]);
  expect((await thread(oldest, { limit: "1", after: oldest })).posts.map(({ author }) => author.isOfTeam)).toEqual([
    true,
  ]);
  expect(await queue({ show: "unanswered" })).toEqual(["How hot is the oven?", "Where do I find the scale?"]);

  const of = (id: string | null) => coach.call(markDuplicate, { params: { id: newest }, body: { of: id } });
  expect((await of(newest)).body.errors).toHaveProperty("of");
  expect((await of(oldest)).status).toBe(200);
  expect((await coach.call(markDuplicate, { params: { id: oldest }, body: { of: newest } })).status).toBe(400);
  expect((await asker.call(getQuestion, { params: { id: newest } })).body.question).toMatchObject({
    duplicateOf: { id: oldest, title: "How warm is the oven?" },
    isClosed: true,
  });
  expect((await other.call(writeAnswer, { params: { id: newest }, body: { text: "Hot." } })).status).toBe(409);
  await coach.call(closeQuestion, { params: { id: newest }, body: { isClosed: false } });
  expect((await thread(newest)).question).toMatchObject({ duplicateOf: null, isClosed: false, isWaiting: true });
  await coach.call(closeQuestion, { params: { id: elsewhere }, body: { isClosed: true } });
  expect(await queue({ show: "unanswered" })).toEqual(["How hot is the oven?"]);
  expect(await queue({ show: "to-review" })).toEqual(["How hot is the oven?"]);

  const hits = async (who: Visitor, q: string) =>
    (await who.call(searchQuestions, { query: { q } })).body.map(({ id }) => id);
  expect(await hits(other, "oven warm")).toEqual([oldest]);
  expect(await hits(other, "flou")).toEqual([settled]);
  expect(await hits(other, "hot oven")).toEqual([]);
  const locked = await academy.visitor().signUp();
  await academy.pool.query("update lessons set free_preview = false where id = 'lesson-1-1'");
  expect(await hits(locked, "oven warm")).toEqual([]);
  await academy.pool.query("update lessons set free_preview = true where id = 'lesson-1-1'");
  expect(await hits(locked, "oven warm")).toEqual([oldest]);
  const { modules } = (await admin.call(getLearning)).body;
  expect(modules[0]?.lessons.map(({ questions }) => questions)).toEqual([3, 1, 0, 0, 0]);

  const { rows } = (await admin.call(listAudit, { query: { subject: newest } })).body;
  expect(rows.map(({ action, actorName, subjectName }) => [action, actorName, subjectName])).toEqual([
    ["reopen question", "Dana Weiss", "How hot is the oven?"],
    ["mark question as duplicate", "Dana Weiss", "How hot is the oven?"],
  ]);
});

test("what is hidden is read by its author alone, with the reason, and its reports are settled [Z33]", async () => {
  const [asker, other] = [await academy.member("basic"), await academy.member("basic")];
  const id = await ask(asker, "Who sells cheap yeast?", "lesson-2-1");
  const spam = await answer(other, id, "Buy at my shop.");
  await asker.call(acceptAnswer, { params: { id }, body: { answerId: spam } });
  await asker.call(reportAnswer, { params: { id: spam }, body: { reason: "An advertisement" } });
  await other.call(reportQuestion, { params: { id } });
  expect(await queue({ show: "reported" })).toEqual(["Who sells cheap yeast?"]);
  expect((await count()).reported).toBe(1);
  const { question, posts } = await thread(id);
  expect(question.reports).toBe(2);
  expect(posts.map(({ reports }) => reports.map(({ reason }) => reason))).toEqual([[null], ["An advertisement"]]);

  const hide = (answerId: string | null, reason: string | null) =>
    coach.call(hidePost, { params: { id }, body: { answerId, reason } });
  expect((await hide(spam, "")).status).toBe(400);
  expect((await hide("none", "Not here")).status).toBe(404);
  expect((await hide(spam, "No advertising, please.")).status).toBe(200);
  const seenBy = async (who: Visitor) => (await who.call(getQuestion, { params: { id } })).body;
  const hidden = { hiddenBecause: "No advertising, please.", text: "Buy at my shop." };
  expect((await seenBy(other)).answerRows).toMatchObject([hidden]);
  expect(await seenBy(asker)).toMatchObject({ question: { isAnswered: false, acceptedId: null }, answerRows: [] });
  expect((await asker.call(acceptAnswer, { params: { id }, body: { answerId: spam } })).status).toBe(404);
  expect((await asker.call(markAnswerHelpful, { params: { id: spam } })).status).toBe(404);
  expect((await thread(id)).question).toMatchObject({ reports: 1, isWaiting: true });
  await coach.call(dismissReports, { params: { id }, body: {} });
  expect(await queue({ show: "reported" })).toEqual([]);

  await hide(null, "Ask the shop, please.");
  expect((await other.call(getQuestion, { params: { id } })).status).toBe(404);
  expect((await other.call(writeAnswer, { params: { id }, body: { text: "Me." } })).status).toBe(404);
  const listedFor = async (who: Visitor) =>
    (await who.call(listLessonQuestions, { params: { lessonId: "lesson-2-1" } })).body.questions.map((one) => one.id);
  expect([await listedFor(asker), await listedFor(other)]).toEqual([[id], []]);
  expect((await seenBy(asker)).question.hiddenBecause).toBe("Ask the shop, please.");
  expect(await queue({ show: "hidden" })).toEqual(["Who sells cheap yeast?"]);
  await hide(null, null);
  expect((await seenBy(other)).question.hiddenBecause).toBeNull();
});

test("no question is the duplicate of one that becomes a duplicate at the same time, or that was deleted", async () => {
  const asker = await academy.member("basic");
  const ids: string[] = [];
  for (const title of ["Is it ready now?", "Is it ready yet?", "Is it done yet?"]) ids.push(await ask(asker, title));
  const [last = "", middle = "", first = ""] = ids;
  const merge = (id: string, of: string) => coach.call(markDuplicate, { params: { id }, body: { of } });
  const merged: ReturnType<typeof merge>[] = [];
  // Written last.
  await whileLocked(academy.pool, "lock table audit_log in exclusive mode", [], async ({ waiting }) => {
    merged.push(merge(middle, first));
    await waiting(1);
    merged.push(merge(last, middle));
    await waiting(2);
  });
  expect((await Promise.all(merged)).map(({ status }) => status)).toEqual([200, 400]);

  await answer(coach, first, "In an hour.");
  await asker.call(deleteQuestion, { params: { id: first } });
  expect((await asker.call(getQuestion, { params: { id: middle } })).body.question.duplicateOf).toBeNull();
});

test("who asked is emailed each answer of somebody else once, until they unsubscribe [N05]", async () => {
  const [asker, other] = [await academy.member("basic"), await academy.member("basic")];
  const subject = "Your question has a new answer";
  const mails = async () => (await academy.mails(asker.email)).filter((mail) => mail.subject === subject);
  const id = await ask(asker, "Is <b>salt</b> needed?", "lesson-2-2");
  await answer(asker, id, "I found out myself.");
  const first = await answer(other, id, "**A pinch** <img src=x>\n\n| a |\n|---|\n| b |");
  const mail = await academy.mailTo(asker, subject);
  expect(mail.text).toContain("Jo V. answered your question “Is <b>salt</b> needed?”");
  expect(mail.text).toContain(`/questions/${id}`);
  expect(mail.html).toContain("<strong>A pinch</strong> &lt;img");
  expect(mail.html).not.toMatch(/<b>salt|<th/);
  await other.call(editAnswer, { params: { id: first }, body: { text: "Two pinches." } });

  const set = (assignments: string, of: string) =>
    academy.pool.query(`update question_posts set ${assignments} where id = $1`, [of]);
  // As if its email had waited since.
  const sendAgain = async (occasion: string) => {
    const facts = `jsonb_build_object('answerId', $1::text, 'questionId', $2::text, 'userId', id)`;
    await academy.pool.query(
      `insert into jobs (id, name, data, key, run_at, created_at) select $3, 'send-email',
        jsonb_build_object('id', $3::text, 'kind', 'question-answered', 'userId', id, 'facts', ${facts}), $3, now(), now()
      from users where email = $4`,
      [first, id, occasion, asker.email],
    );
    await academy.advance("1m", asker, other, coach);
    return mails();
  };
  for (const [of, hidden, shown] of [
    [first, "hidden_at = now()", "hidden_at = null"],
    [id, "hidden_at = now()", "hidden_at = null"],
    [id, "deleted_at = now()", "deleted_at = null"],
  ] as const) {
    await set(hidden, of);
    expect(await sendAgain(`${of}${hidden}`), hidden).toHaveLength(1);
    await set(shown, of);
  }
  for (const [locked, open] of [
    ["required_tier = 'vip'", "required_tier = 'basic'"],
    ["opens_at = 'infinity'", "opens_at = null"],
  ]) {
    await academy.pool.query(`update modules set ${locked} where id = 'module-2'`);
    expect(await sendAgain(`${locked}`), locked).toHaveLength(1);
    await academy.pool.query(`update modules set ${open} where id = 'module-2'`);
  }
  expect(await sendAgain("of this plan")).toHaveLength(2);

  await answer(other, id, "A second answer.");
  await academy.advance("1m", other);
  expect(await mails()).toHaveLength(3);
  const [, url = ""] = /answers to your questions: (\S+)/.exec(mail.text) ?? [];
  expect((await fetch(url, { method: "POST" })).status).toBe(200);
  await answer(other, id, "A third answer.");
  await academy.advance("1m");
  expect(await mails()).toHaveLength(3);
});

test("the team is emailed once a day, from its hour on, while a question waits [N06]", async () => {
  const asker = await academy.member("basic");
  const support = await inRole(academy, "support");
  const digests = async (who: { email: string }) =>
    (await academy.mails(who.email)).filter(({ subject }) => /^\d+ questions? /.test(subject));
  const setHour = async (questionDigestHour: number | null) => {
    await changeSettings(admin, { questionDigestHour });
    await publish(admin);
  };
  await setHour(null);
  const before = (await digests(support)).length;
  await ask(asker, "May I open the oven early?", "lesson-3-1");
  await academy.advance("1d", asker, support, coach, admin);
  expect(await digests(support)).toHaveLength(before);

  await setHour(5);
  const go = async (duration: string) => {
    await academy.advance(duration, asker, support, coach, admin);
    return (await digests(support)).length - before;
  };
  const day = 24 * 60;
  await go(`${day + 5 - (Math.floor((await academy.now()) / 60_000) % day)}m`);
  const sentBefore = await go("4h");
  // As several nodes would run it at once.
  await academy.pool.query(`insert into jobs (id, name, data, key, run_at, created_at)
    select id || n, name, data, key || n, run_at, created_at from jobs, generate_series(1, 5) as n
    where name = 'mail-question-digest'`);
  expect(await go("1h")).toBe(sentBefore + 1);
  const [mail] = await digests(support);
  expect(mail?.text).toContain("May I open the oven early?");
  expect((await digests({ email: "coach@academy.test" }))[0]?.text).toContain("/coach/questions");
  expect(await digests(asker)).toEqual([]);
  await academy.pool.query("update question_posts set closed_at = now() where question_id is null");
  expect(await go("1d")).toBe(sentBefore + 1);
  await ask(asker, "May I open the oven late?", "lesson-3-1");
  expect(await go("1h")).toBe(sentBefore + 1);
  expect(await go("23h")).toBe(sentBefore + 2);
});

test("a student who leaves takes the texts along; an answered question stays without a name [G01 G02]", async () => {
  const [asker, other] = [await academy.member("basic"), await academy.member("basic")];
  const answered = await ask(asker, "Can I freeze the dough?", "lesson-3-2");
  await answer(other, answered, "Yes, for a month.");
  const waiting = await ask(asker, "My private question here", "lesson-3-2");
  const ofOther = await ask(other, "What about the starter?", "lesson-3-2");
  const own = await answer(asker, ofOther, "My private answer.");
  await other.call(markAnswerHelpful, { params: { id: own } });
  const ofTeam = await answer(asker, answered, "Wrap it well.");
  await academy.pool.query("update question_posts set is_of_team = true where id = $1", [ofTeam]);
  expect(JSON.parse(await exportedFile(asker, "questions.json"))).toMatchObject({
    questions: [{ title: "Can I freeze the dough?" }, { id: waiting }],
    answers: [{ text: "My private answer." }, { id: ofTeam }],
  });

  expect((await asker.call(deleteUser)).status).toBe(200);
  const { question, answerRows } = (await other.call(getQuestion, { params: { id: answered } })).body;
  expect(question).toMatchObject({ author: { name: null }, text: "", isAnswered: true });
  expect(answerRows).toMatchObject([
    { text: "Yes, for a month." },
    { text: "Wrap it well.", author: { name: "The team", isOfTeam: true } },
  ]);
  const listed = await other.call(listLessonQuestions, { params: { lessonId: "lesson-3-2" } });
  expect(listed.body.questions).toMatchObject([
    { id: ofOther, answers: 0, isAnswered: false },
    { id: answered, author: { name: null } },
  ]);
  const { rows } = await academy.pool.query(
    "select from question_posts where text like '%private%' or title like '%private%'",
  );
  expect(rows).toEqual([]);
});
