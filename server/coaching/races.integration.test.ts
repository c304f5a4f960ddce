import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getCoachingAdministration, scheduleLive } from "#contract/admin/coaching.ts";
import { bookSession, cancelBooking, getCoaching, getSlots, moveBooking } from "#contract/coaching/coaching.ts";
import { openPool } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { type Academy, openAcademy } from "#test/academy.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const timeZone = "America/New_York";
const secret = "two nodes sign their cookies with one and the same secret";
/** test:long has more. */
const crowd = Number(process.env.COACHING_CROWD ?? 40);
let nodes: readonly [Academy, Academy];
let pool: pg.Pool;
let students: Visitor[];

beforeAll(async () => {
  const first = await openAcademy({ SESSION_SECRET: secret });
  nodes = [first, await openAcademy({ SESSION_SECRET: secret }, first.database)];
  pool = openPool(first.database.connection, () => {}, 2);
  students = [];
  while (students.length < crowd) {
    const some = Array.from({ length: 20 }, (_, at) => nodes[at % 2]?.visitor().signUp() as Promise<Visitor>);
    students.push(...(await Promise.all(some)));
  }
  for (const { email } of students) {
    await pool.query(
      `insert into grants (id, user_id, tier, source, source_id, starts_at, created_at)
       select $2, id, 'vip', 'administrator', $2, now() - interval '1 day', now() from users where email = $1`,
      [email, newId()],
    );
  }
});
afterAll(async () => {
  await pool.end();
  for (const node of [...nodes].reverse()) await node[Symbol.asyncDispose]();
});

async function freeTimes(student: Visitor) {
  const [coach] = (await student.call(getSlots)).body.coaches;
  const far = Date.now() + 3 * 86_400_000;
  return (coach?.startsAt ?? [])
    .filter((at) => Date.parse(at) > far)
    .map((startsAt) => ({ coachId: coach?.id ?? "", startsAt, timeZone }));
}

async function countOverlaps(): Promise<number> {
  const { rows } = await pool.query(
    `select count(*)::int as n from bookings a join bookings b on a.coach_id = b.coach_id and a.id < b.id
       and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
     where a.state = 'booked' and b.state = 'booked'`,
  );
  return rows[0].n;
}

test("of many concurrent bookings of one time on two nodes one succeeds and the others are told [K01]", async () => {
  const [time] = await freeTimes(students[0] as Visitor);
  const answers = await Promise.all(students.map((student) => student.call(bookSession, { body: time })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const answer of refused) expect(answer).toMatchObject({ status: 409, body: { code: "slot-taken" } });
  const { rows } = await pool.query("select count(*)::int as n from bookings where starts_at = $1", [time?.startsAt]);
  expect(rows).toEqual([{ n: 1 }]);
});

test("two tabs of one student book one session, at most [K01]", async () => {
  const student = students[1] as Visitor;
  const times = (await freeTimes(student)).slice(0, 8);
  const answers = await Promise.all(times.map((time) => student.call(bookSession, { body: time })));
  expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
  expect((await student.call(getCoaching)).body.allowance).toMatchObject({ left: 0 });
});

test("students who book, move and cancel at once, and a node that dies meanwhile, leave no two at one time [K01]", async () => {
  const busy = students.slice(4, 16);
  const times = (await freeTimes(busy[0] as Visitor)).slice(0, 20);
  const pick = (at: number) => times[at % times.length];
  const walk = async (student: Visitor, at: number) => {
    for (let step = 0; step < 6; step++) {
      const { body } = await student.call(bookSession, { body: pick(at + step) });
      if (!body.id) continue;
      await student.call(moveBooking, { params: { id: body.id }, body: pick(at + step + 1) });
      await student.call(cancelBooking, { params: { id: body.id }, body: {} });
    }
  };
  const walks = busy.map((student, at) => walk(student, at).catch(() => undefined));
  await until(async () => (await pool.query("select 1 from bookings where moves > 0")).rowCount);
  await nodes[1].kill();
  await Promise.all(walks);
  expect(await countOverlaps()).toBe(0);
  await nodes[1].start();
  const { rows } = await pool.query(
    "select user_id from bookings where state = 'booked' and not is_over group by user_id having count(*) > 1",
  );
  expect(rows).toEqual([]);
});

test("a group session and a student never have the coach at one time [K01]", async () => {
  const admin = await nodes[0].visitor().signInAsDemo("admin@academy.test");
  const student = students.at(-2) as Visitor;
  const [coach] = (await admin.call(getCoachingAdministration)).body.coaches;
  // Far enough apart, because a group session is longer than the step between two times.
  const times = (await freeTimes(student)).filter((_, at) => at % 4 === 0).slice(4, 8);
  for (const time of times) {
    const body = {
      ...{ title: "Together", about: "All of us", requiredTier: "premium", seats: null, meetingUrl: null },
      ...{ coachId: coach?.id, startsAt: time.startsAt, minutes: 60, reason: "a race" },
    };
    const [booked, scheduled] = await Promise.all([
      student.call(bookSession, { body: time }),
      admin.call(scheduleLive, { body }),
    ]);
    expect([booked.status === 201, scheduled.status === 200].filter(Boolean)).toHaveLength(1);
    const id = booked.body.id;
    if (id) await student.call(cancelBooking, { params: { id }, body: {} });
  }
});
