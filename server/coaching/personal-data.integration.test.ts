import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getCoachBooking, getCoachDesk, markBooking, writeSummary } from "#contract/coaching/coach.ts";
import { bookSession, getCoaching, openCalendar, setTimeZone, takeSeat } from "#contract/coaching/coaching.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { deleteUser, exportData } from "#contract/profile.ts";
import { openPool } from "#server/db/db.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { bookAhead, freeTimes, lifetimeStudent } from "#test/coaching.ts";
import { until } from "#test/until.ts";
import { unzip } from "#test/unzip.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
let pool: pg.Pool;
beforeAll(async () => {
  academy = await openAcademyInProcess();
  pool = openPool(academy.database.connection, () => {}, 2);
});
afterAll(async () => {
  await pool.end();
  await academy[Symbol.asyncDispose]();
});

/** The file in the downloaded archive. */
async function exportedCoaching(person: Visitor): Promise<string> {
  const answer = await person.send("GET", exportData.path);
  expect(answer.status).toBe(200);
  return (unzip(Buffer.from(await answer.arrayBuffer())).get("coaching.json") ?? "").toString();
}

/** Every row of every table. */
async function databaseAsText(): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'issuer')",
  );
  const dumps = await Promise.all(
    rows.map(({ name }) => pool.query(`select row_to_json(t)::text as row from ${name} t`)),
  );
  return dumps.flatMap((dump) => dump.rows.map(({ row }) => row)).join("\n");
}

test("coaching is in the data export, and a deletion leaves times and states without text [K12]", async () => {
  const timeZone = "Pacific/Chatham";
  const student = await lifetimeStudent(academy);
  const { id: userId } = (await student.call(getCurrentUser)).body;
  const other = await lifetimeStudent(academy);
  await bookAhead(other, academy, 20, "Somebody else's marimba");
  await student.call(setTimeZone, { body: { timeZone } });
  const [soon] = await freeTimes(student, academy);
  const held = await student.call(bookSession, {
    body: { ...soon, timeZone, prep: "My zither", lessonId: "lesson-1-1" },
  });
  expect(held.status).toBe(201);
  const live = (await student.call(getCoaching)).body.live[0];
  const question = { question: "Where do dulcimers go?" };
  expect((await student.call(takeSeat, { params: { id: live?.id ?? "" }, body: question })).status).toBe(200);
  const { url } = (await student.call(openCalendar, { body: {} })).body;

  const coach = await academy.visitor().signInAsDemo("coach@academy.test");
  const params = { id: held.body.id };
  await academy.advance(`${Math.ceil((Date.parse(held.body.endsAt) - (await academy.now())) / 60_000)}m`);
  await coach.signInAsDemo("coach@academy.test");
  await student.signInAgain();
  expect((await coach.call(markBooking, { params, body: { as: "held" } })).status).toBe(200);
  expect((await coach.call(writeSummary, { params, body: { summary: "Tune the ocarina." } })).status).toBe(200);

  const text = await exportedCoaching(student);
  expect(JSON.parse(text)).toMatchObject({
    timeZone,
    hasCalendar: true,
    sessions: [
      {
        ...{ id: held.body.id, state: "held", startsAt: soon?.startsAt, studentZone: timeZone },
        ...{ prep: "My zither", lessonId: "lesson-1-1", summary: "Tune the ocarina." },
      },
    ],
    groupSessions: [{ state: "taken", ...question }],
    extraSessions: [],
    coach: null,
  });
  const coachId = (await coach.call(getCurrentUser)).body.id;
  expect(text).not.toMatch(/marimba|meet\.example\.com/);
  expect(text).not.toContain(coachId);
  expect(JSON.parse(await exportedCoaching(coach))).toMatchObject({ coach: { displayName: "Dana" }, sessions: [] });
  expect(await exportedCoaching(coach)).not.toMatch(/zither|dulcimer|marimba/);

  const words = /zither|dulcimer|ocarina/i;
  expect(await databaseAsText()).toMatch(words);
  expect((await student.call(deleteUser)).status).toBe(200);
  const late = { params, body: { summary: "The ocarina is tuned." } };
  expect((await coach.call(writeSummary, late)).status).toBe(404);
  await until(async () => !words.test(await databaseAsText()));
  const { rows } = await pool.query("select state, starts_at from bookings where user_id = $1", [userId]);
  expect(rows).toEqual([{ state: "held", starts_at: new Date(soon?.startsAt ?? "") }]);
  expect((await academy.visitor().send("GET", new URL(url).pathname)).status).toBe(404);
  const left = JSON.stringify([
    (await coach.call(getCoachDesk)).body,
    (await coach.call(getCoachBooking, { params })).body,
  ]);
  expect(left).not.toMatch(words);
  expect(left).not.toContain(student.email);
});
