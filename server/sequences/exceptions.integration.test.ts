import { expect } from "vitest";
import { changeSequences, getSequences, type SequenceName } from "#contract/admin/sequences.ts";
import { createQuote } from "#contract/purchases/quotes.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { liveAtNoon } from "#test/sequence-people.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();
const { pool } = academy;

async function turnOn(...on: SequenceName[]): Promise<void> {
  await admin.signInAgain();
  expect((await admin.call(changeSequences, { body: { on, controlPercent: 0 } })).status).toBe(200);
}

const buyer = async (tier: "basic" | "premium" | "vip") => liveAtNoon(academy, await academy.buyer(tier));
const run = (statement: string, ...values: unknown[]) => pool.query(statement, values);
const now = async (days = 0) => new Date((await academy.now()) + days * 86_400_000);
const textsTo = async ({ email }: Visitor, word: string) =>
  (await academy.mails(email)).map(({ subject, text }) => `${subject}\n${text}`).filter((text) => text.includes(word));
const idOf = async ({ email }: Visitor): Promise<string> =>
  (await run("select id from users where email = $1", email)).rows[0].id;

/** Schedules an email that was sent as if it had not been. */
async function sendAgain(student: Visitor, emailId: string): Promise<void> {
  await run("delete from sent_emails where id = $1", emailId);
  const data = { id: emailId, kind: "welcome", userId: await idOf(student), facts: { emailId } };
  await run(
    "insert into jobs (id, name, data, key, run_at, created_at) values ($1, 'send-email', $2, $1, $3, $3)",
    ...[`again ${emailId}`, JSON.stringify(data), await now()],
  );
}

const welcome = "How to start with";

test("what was due before a restore is neither decided again nor sent from the queue [N14]", async () => {
  await turnOn("welcome");
  const student = await buyer("vip");
  await academy.advance("1h");
  expect(await textsTo(student, welcome)).toHaveLength(1);
  const { rows } = await run("select id from sequence_emails where user_id = $1", await idOf(student));
  // As in the backup.
  await sendAgain(student, rows[0].id);
  await run(
    "insert into operational_marks (name, value, updated_at) values ('renewals-stopped:restored', 'true', $1)",
    await now(),
  );
  await academy.advance("1h");
  await academy.advance("1h");
  const stops = await run("select from operational_marks where name like 'renewals-stopped:%'");
  expect(stops.rowCount).toBe(0);
  await academy.advance("2h");
  expect(await textsTo(student, welcome)).toHaveLength(1);
  expect((await run("select from sequence_emails where id = $1", rows[0].id)).rowCount).toBe(0);
});

test("the day until the next email begins when one is sent, and an email that waits is not counted as sent", async () => {
  await turnOn("welcome");
  const student = await buyer("premium");
  await academy.advance("1h");
  const { rows } = await run("select id from sequence_emails where user_id = $1", await idOf(student));
  const sent = async () => {
    const { sequences } = (await admin.call(getSequences)).body;
    return sequences.find(({ name }) => name === "welcome")?.steps[0]?.sent.people ?? 0;
  };
  const before = await sent();
  await run("update sequence_emails set decided_at = decided_at - interval '5 hours' where id = $1", rows[0].id);
  await run("delete from sent_emails where id = $1", rows[0].id);
  expect(await sent()).toBe(before - 1);
  await sendAgain(student, rows[0].id);
  const earliest = await now();
  await academy.advance("5m");
  expect(await sent()).toBe(before);
  const again = await run("select decided_at from sequence_emails where id = $1", rows[0].id);
  expect(again.rows[0].decided_at.getTime()).toBeGreaterThanOrEqual(earliest.getTime());
});

test("an upgrade gets no welcome, nor does who has completed lessons elsewhere", async () => {
  await turnOn("welcome");
  const upgraded = await buyer("vip");
  const imported = await buyer("vip");
  await run("insert into lessons_completed_elsewhere values ($1, 'lesson-1-1', now())", await idOf(imported));
  await run(
    `insert into grants (id, user_id, tier, source, source_id, starts_at, created_at)
     values ('before', $1, 'basic', 'administrator', 'before', $2, $2)`,
    ...[await idOf(upgraded), await now(-30)],
  );
  await academy.advance("2h");
  for (const student of [upgraded, imported]) expect(await textsTo(student, welcome)).toEqual([]);
});

test("who finished a lesson is led to the next one, three times in 30 days however often they begin", async () => {
  await leaveOnlyJobs(academy, "run-sequences");
  await turnOn("stalled");
  const student = await buyer("vip");
  const watch = async (lessonId: string, isCompleted: boolean) =>
    run(
      `insert into course_progress (id, user_id, lesson_id, module_id, position, is_completed, credit_since, created_at, updated_at)
       select $1 || id, $1, id, module_id, 100, $3, $4, $4, $4 from lessons where id = $2
       on conflict (user_id, lesson_id) do update set updated_at = $4`,
      ...[await idOf(student), lessonId, isCompleted, await now()],
    );
  for (let week = 0; week < 4; week++) {
    await watch("lesson-1-1", true);
    await academy.advance("7d");
    await academy.advance("2h");
  }
  const all = await textsTo(student, "Continue with");
  expect(all).toHaveLength(3);
  expect(all[0]).toContain("Your next lesson is");
  expect(all[0]).toContain("/dashboard?lesson=lesson-1-2");
  expect(all[0]).not.toContain("&at=");
});

test("a membership that won't renew, or whose student signed in, is not called unused", async () => {
  await turnOn("paying-for-nothing");
  const students = [await buyer("basic"), await buyer("basic"), await buyer("basic"), await buyer("basic")] as const;
  const [unused, signedIn, disputed, unpaid] = await Promise.all(students.map(idOf));
  const start = await now(-25);
  await run("delete from sessions where (sess ->> 'userId') = any($1)", [unused, signedIn, disputed, unpaid]);
  await run("update identities set last_sign_in_at = $1 where user_id <> $2", new Date(start.getTime() - 1), signedIn);
  await run(
    `update subscriptions set current_period_start = $1, next_charge_at = $2 where user_id = any($3)`,
    ...[start, await now(5.01), [unused, signedIn, disputed, unpaid]],
  );
  await run(
    `insert into discrepancies (id, key, kind, user_id, found_at)
     values ('d', 'disputed:d', 'disputed', $1, $2)`,
    ...[disputed, await now()],
  );
  await run("update subscriptions set is_paid = false where user_id = $1", unpaid);
  await academy.advance("2h");
  const texts = await Promise.all(students.map(async (student) => (await textsTo(student, "Cancel here")).length));
  expect(texts).toEqual([1, 0, 0, 0]);
});

test("an email about a checkout has the student's coupon and price, and no price once the coupon ended", async () => {
  await turnOn("unfinished-checkout");
  await run(
    `insert into coupons (code, kind, percent, plans, starts_at, ends_at, first_purchase_only, is_active, created_at)
     values ('HALF-2030', 'percent', 50, '{premium}', $1, $2, false, true, $1)`,
    ...[await now(-1), await now(4)],
  );
  const student = await liveAtNoon(academy, await academy.visitor().signUp());
  const body = { tier: "premium" as const, priceId: "premium_annual", code: "HALF-2030" };
  const quote = await student.call(createQuote, { body });
  expect(quote.status).toBe(200);
  await academy.advance("1d");
  await academy.advance("2h");
  const [first = ""] = await textsTo(student, "Your checkout for");
  expect(first).toContain("Annual Access costs $198.50 and includes");
  expect(first).toMatch(/price=397&code=HALF-2030/);
  await academy.advance("4d");
  await academy.advance("2h");
  const [second = ""] = await textsTo(student, "Do you have questions");
  expect(second).toContain("Annual Access includes:");
  expect(second).not.toMatch(/code=|costs/);
});
