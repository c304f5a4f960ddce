import { beforeAll, describe, expect, test } from "vitest";
import { getCoachingAdministration, scheduleLive } from "#contract/admin/coaching.ts";
import { cancelAsCoach, markBooking } from "#contract/coaching/coach.ts";
import { bookSession, cancelBooking, getCoaching, moveBooking } from "#contract/coaching/coaching.ts";
import { timeInZone } from "#contract/coaching/times.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import type { Academy, RunningAcademy } from "#test/academy.ts";
import { bookAhead, freeTimes, timeZone } from "#test/coaching.ts";
import { CoachingModel, type ModelBooking, type ModelStudent } from "#test/coaching-model.ts";
import { forFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { openTwoNodes, openTwoNodesInProcess } from "#test/two-nodes.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

// `two-nodes.long.test.ts` has more of each, kills nodes, and has a random seed.
/** Students of each kind who are reminded. */
const each = Number(process.env.REMINDER_STUDENTS ?? 1);
const kills = each > 1 ? each : 0;
const kill = (node: RunningAcademy) => (node as Academy).kill();
/** Students who book at the same time. */
const crowd = Number(process.env.COACHING_CROWD ?? 10);
const steps = Number(process.env.COACHING_STEPS ?? 40);
const seed = Number(process.env.COACHING_SEED ?? 1);
/** Students of the model. */
const modelled = 7;
/** The model covers `maxDays` days. Steps are planned for fewer, so that the clock can move up to the last one. */
const maxDays = 55;
const days = 42;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const opened = await forFile(kills > 0 ? openTwoNodes(true) : openTwoNodesInProcess());
// Both nodes have the same public URL.
const headers = { origin: opened.nodes[0].url };

async function listReminders(email?: string): Promise<string[]> {
  const mails = await opened.nodes[0].mails();
  return mails
    .filter(({ to, subject }) => subject.startsWith("Reminder: Coaching with") && (email === undefined || to === email))
    .map(({ text }) => text);
}

test(`nodes${kills > 0 ? " that are killed" : ""} send each person both reminders of a session, and no others [K06]`, async () => {
  const { nodes } = opened;
  const [first] = nodes;
  const kept: { student: Visitor; startsAt: string }[] = [];
  const cancelled: Visitor[] = [];
  for (let at = 0; at < each; at++) {
    const student = await first.member("vip");
    kept.push({ student, startsAt: (await bookAhead(student, first, 3)).startsAt });
    const moving = await first.member("vip");
    const { id, startsAt: before } = await bookAhead(moving, first, 3);
    const [later] = await freeTimes(moving, first, 6);
    expect((await moving.call(moveBooking, { params: { id }, body: later })).status).toBe(200);
    expect(later?.startsAt).not.toBe(before);
    kept.push({ student: moving, startsAt: later?.startsAt ?? "" });
    const leaving = await first.member("vip");
    const given = await bookAhead(leaving, first, 3);
    expect((await leaving.call(cancelBooking, { params: { id: given.id }, body: {} })).status).toBe(200);
    cancelled.push(leaving);
  }
  const seeded = await first.visitor().signInAsDemo("vip@academy.test");
  const id = (await seeded.call(getCoaching)).body.upcoming?.id ?? "";
  expect((await seeded.call(cancelBooking, { params: { id }, body: {} })).status).toBe(200);
  cancelled.push(seeded);
  const expected = kept.length * 4;

  // Moving the clock waits for due jobs, but this test kills the nodes that run them.
  const moved = first.advance("12d").catch(() => null);
  for (let killed = 1; killed <= kills; killed++) {
    await until(async () => (await listReminders()).length >= (expected * killed) / (kills + 2));
    const victim = nodes[killed % 2] as RunningAcademy;
    await kill(victim);
    await victim.start();
  }
  await moved;
  // Another node takes over a killed node's jobs after two minutes.
  for (const duration of kills > 0 ? ["3m", "10m", "1d"] : []) await first.advance(duration);
  await until(async () => (await listReminders()).length >= expected);
  await first.advance("1d");

  for (const { student, startsAt } of kept) {
    const texts = await listReminders(student.email);
    expect(texts).toHaveLength(2);
    const [words = ""] = timeInZone(startsAt, timeZone).split(" (");
    for (const text of texts) expect(text).toContain(words);
  }
  for (const { email } of cancelled) expect(await listReminders(email)).toEqual([]);
  expect(await listReminders("coach@academy.test")).toHaveLength(kept.length * 2);
});

async function countOverlaps(): Promise<number> {
  const { rows } = await opened.pool.query(
    `select count(*)::int as n from bookings a join bookings b on a.coach_id = b.coach_id and a.id < b.id
       and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
     where a.state = 'booked' and b.state = 'booked'`,
  );
  return rows[0].n;
}

// Before there is a crowd, to all of whom the group sessions would be announced.
test("none has the coach at the time of a group session [K01]", async () => {
  const { nodes } = opened;
  await leaveOnlyJobs(nodes[0]);
  const admin = await nodes[0].visitor().signInAsDemo("admin@academy.test");
  const student = await nodes[0].member("vip");
  const [coach] = (await admin.call(getCoachingAdministration)).body.coaches;
  // Far enough apart, because a group session is longer than the step between two times.
  const times = (await freeTimes(student, nodes[0], 3)).filter((_, at) => at % 4 === 0).slice(4, 8);
  for (const time of times) {
    const body = {
      ...{ title: "Together", about: "All of us", requiredTier: "premium", seats: null, meetingUrl: null },
      ...{ coachId: coach?.id, startsAt: time.startsAt, minutes: 60, reason: "a race" },
    };
    const [booked, scheduled] = await Promise.all([
      student.call(bookSession, { body: time, headers }),
      admin.call(scheduleLive, { body }),
    ]);
    expect([booked.status === 201, scheduled.status === 200].filter(Boolean)).toHaveLength(1);
    const id = booked.body.id;
    if (id) await student.call(cancelBooking, { params: { id }, body: {} });
  }
});

describe("of students on both nodes", () => {
  let students: Visitor[];
  const book = (student: Visitor | undefined, time: object | undefined) =>
    (student as Visitor).call(bookSession, { body: time, headers });
  const timesFor = (student: Visitor | undefined) => freeTimes(student as Visitor, opened.nodes[0], 3);

  beforeAll(async () => {
    const { nodes } = opened;
    students = await Promise.all(
      Array.from({ length: crowd }, (_, at) => (nodes[at % 2] as RunningAcademy).member("vip")),
    );
  });

  test("one books a time that all want, and the others are told [K01]", async () => {
    const [time] = await timesFor(students[0]);
    const answers = await Promise.all(students.map((student) => book(student, time)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const answer of refused) expect(answer).toMatchObject({ status: 409, body: { code: "slot-taken" } });
    const counted = "select count(*)::int as n from bookings where starts_at = $1";
    expect((await opened.pool.query(counted, [time?.startsAt])).rows).toEqual([{ n: 1 }]);
  });

  test("two tabs of one book one session, at most [K01]", async () => {
    const times = (await timesFor(students[1])).slice(0, 8);
    const answers = await Promise.all(times.map((time) => book(students[1], time)));
    expect(answers.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
    expect((await students[1]?.call(getCoaching))?.body.allowance).toMatchObject({ left: 0 });
  });

  test(`no two have one time after they booked, moved and cancelled${kills > 0 ? " while a node died" : ""} [K01]`, async () => {
    const { nodes, pool } = opened;
    const busy = students.slice(4, 16);
    const times = (await timesFor(busy[0])).slice(0, 20);
    const pick = (at: number) => times[at % times.length];
    const walk = async (student: Visitor, at: number) => {
      for (let step = 0; step < 4; step++) {
        const { body } = await book(student, pick(at + step));
        if (!body.id) continue;
        const params = { id: body.id };
        await student.call(moveBooking, { params, body: pick(at + step + 1), headers });
        await student.call(cancelBooking, { params, body: {}, headers });
      }
    };
    const countMoved = async () => (await pool.query("select 1 from bookings where moves > 0")).rowCount ?? 0;
    const before = await countMoved();
    const walks = busy.map((student, at) => walk(student, at).catch(() => undefined));
    if (kills > 0) {
      await until(async () => (await countMoved()) > before);
      await kill(nodes[1]);
    }
    await Promise.all(walks);
    expect(await countMoved()).toBeGreaterThan(before);
    expect(await countOverlaps()).toBe(0);
    if (kills > 0) await nodes[1].start();
    const { rows } = await pool.query(
      "select user_id from bookings where state = 'booked' and not is_over group by user_id having count(*) > 1",
    );
    expect(rows).toEqual([]);
  });
});

/** Deterministic for a seed. */
function chance(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, pick: <One>(all: readonly One[]) => all[Math.floor(next() * all.length)] as One };
}

/** A user with a session on each node. */
interface Person {
  readonly on: readonly [Visitor, Visitor];
}

const onBoth = (visitor: Visitor): Person => ({ on: [visitor, visitor.at(opened.nodes[1])] });

test(
  `${steps} steps of students, a coach, the clock${steps < 100 ? "" : " and dying nodes"} agree with a model (seed ${seed}) [K01, K03]`,
  async () => {
    const { nodes } = opened;
    const random = chance(seed);
    const model = new CoachingModel();
    const people = new Map<ModelStudent, Person>();
    for (let at = 0; at < modelled; at++) {
      const visitor = await nodes[0].member("vip");
      const { allowance } = (await visitor.call(getCoaching)).body;
      const student = { since: Date.parse(allowance?.windowStartsAt ?? ""), bookings: [], extras: 0, lapses: [] };
      model.students.push(student);
      people.set(student, onBoth(visitor));
    }
    // Books nothing, so is offered all free times.
    const observer = await nodes[0].member("vip");
    const coach = await nodes[0].visitor().signInAsDemo("coach@academy.test");
    const coachOnBoth = onBoth(coach);

    const moves = Math.min(200, Math.ceil(steps / 12));
    let ahead = 0;
    let coachId = "";
    let offered: number[] = [];
    const now = () => Date.now() + ahead;
    async function readClock(): Promise<void> {
      ahead = (await nodes[0].now()) - Date.now();
      const times = await freeTimes(observer, nodes[0]);
      coachId = times[0]?.coachId ?? coachId;
      offered = times.map(({ startsAt }) => Date.parse(startsAt));
    }
    async function moveClock(): Promise<void> {
      // More than an hour, after which the student's rate limit is free again.
      const minutes = 61 + Math.floor(random.next() * ((2 * days * DAY) / MINUTE / moves - 122));
      // Sessions begin on the half hour. At ten minutes past it, no reply depends on how long the test takes.
      const past = Math.floor((now() / MINUTE + minutes) % 30);
      await nodes[0].advance(`${minutes + ((40 - past) % 30)}m`);
      ahead += (minutes + ((40 - past) % 30)) * MINUTE;
      // An unused session ends after a week.
      if (now() - signedInAt > 6 * DAY) {
        signedInAt = now();
        for (const { on } of people.values()) await signInAgain(on, (visitor) => visitor.signInAgain());
        await observer.signInAgain();
      }
      // A coach's session ends after twelve hours.
      await signInAgain(coachOnBoth.on, (visitor) => visitor.signInAsDemo("coach@academy.test"));
      await readClock();
      model.settle(now());
    }

    await readClock();
    const start = now();
    let signedInAt = start;
    await moveClock();
    let node: 0 | 1 = 0;
    const call = async (person: Person, endpoint: Endpoint, id: string, body: object) => {
      const { status, body: answer } = await person.on[node].call(endpoint as never, { params: { id }, body, headers });
      const { code, id: answered } = answer as { code?: string; id?: string };
      return { said: status === 409 ? code : status, id: answered ?? "" };
    };
    const bodyFor = (at: number) => ({ coachId, startsAt: new Date(at).toISOString(), timeZone });
    const personOf = (student: ModelStudent) => people.get(student) as Person;

    for (let step = 1; step <= steps; step++) {
      node = random.next() < 0.5 ? 0 : 1;
      if (step % Math.ceil(steps / moves) === 0 && now() - start < maxDays * DAY) await moveClock();
      const student = random.pick(model.students);
      const at = random.pick(
        random.next() < 0.2 && model.bookings.length > 0 ? model.bookings.map((b) => b.start) : offered,
      );
      const booking: ModelBooking | undefined =
        random.next() < 0.7 ? student.bookings.at(-1) : random.pick(model.bookings);
      const what = random.next();
      const words = `step ${step}, seed ${seed}, node ${node}`;
      if (!booking || what < 0.4) {
        const asked = { ...bodyFor(at), prep: `step ${step}` };
        const answer = await call(personOf(student), bookSession, "", asked);
        expect(answer.said, `${words}: book`).toBe(model.book(student, at, () => answer.id, now()));
      } else if (what < 0.6) {
        const answer = await call(personOf(booking.of), moveBooking, booking.id, bodyFor(at));
        expect(answer.said, `${words}: move`).toBe(model.move(booking, at, now()));
      } else if (what < 0.75) {
        const answer = await call(personOf(booking.of), cancelBooking, booking.id, {});
        expect(answer.said, `${words}: cancel`).toBe(model.cancel(booking, now()));
      } else if (what < 0.82) {
        const answer = await call(coachOnBoth, cancelAsCoach, booking.id, {});
        expect(answer.said, `${words}: coach cancels`).toBe(model.cancelAsCoach(booking, now()));
      } else {
        const as = random.pick(["held", "missed-by-student", "missed-by-coach"] as const);
        const answer = await call(coachOnBoth, markBooking, booking.id, { as });
        expect(answer.said, `${words}: mark ${as}`).toBe(model.mark(booking, as, now()));
      }
      if (step % 5 === 0) await compare(student, words);
      if (step % Math.max(100, Math.ceil(steps / 20)) === 0) await dieWhileBooking(random.pick(offered), words);
    }

    /** Kills the second node during a booking, which then was made or was not. */
    async function dieWhileBooking(at: number, words: string): Promise<void> {
      const student = random.pick(model.students);
      const [, answer] = await Promise.allSettled([
        kill(nodes[1]),
        personOf(student).on[1].call(bookSession, { body: bodyFor(at), headers }),
      ]);
      const { upcoming } = (await personOf(student).on[0].call(getCoaching)).body;
      if (upcoming && !student.bookings.some(({ id }) => id === upcoming.id)) {
        expect(
          model.book(student, at, () => upcoming.id, now()),
          `${words}: dies`,
        ).toBe(201);
      } else if (answer?.status === "fulfilled") expect(answer.value.status, `${words}: dies`).not.toBe(201);
      await nodes[1].start();
      await compare(student, words);
    }

    async function compare(student: ModelStudent, words: string): Promise<void> {
      const { allowance, past, upcoming } = (await personOf(student).on[0].call(getCoaching)).body;
      const left = model.left(student, now());
      expect(allowance, words).toMatchObject({ left, extra: student.extras });
      const kept = [...past, ...(upcoming ? [upcoming] : [])].map(({ id, state, counts }) => ({ id, state, counts }));
      const told = student.bookings.map(({ id, state, counts }) => ({ id, state, counts }));
      for (const one of kept) expect(told, words).toContainEqual(one);
    }

    for (const student of model.students) await compare(student, "the end");
    expect(await countOverlaps()).toBe(0);
    expect(model.bookings.length).toBeGreaterThan(10);
  },
  600_000 + steps * 1000,
);

/** Weeks later the session has ended. Signs in once for both nodes. */
async function signInAgain(on: readonly [Visitor, Visitor], signIn: (visitor: Visitor) => Promise<unknown>) {
  await signIn(on[0]);
  on[1].cookies.clear();
  for (const [name, cookie] of on[0].cookies) on[1].cookies.set(name, cookie);
}
