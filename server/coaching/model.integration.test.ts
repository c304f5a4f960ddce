import { afterAll, beforeAll, expect, test } from "vitest";
import { cancelAsCoach, markBooking } from "#contract/coaching/coach.ts";
import { bookSession, cancelBooking, getCoaching, moveBooking } from "#contract/coaching/coaching.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import type { Academy } from "#test/academy.ts";
import { freeTimes, lifetimeStudent, timeZone } from "#test/coaching.ts";
import { CoachingModel, type ModelBooking, type ModelStudent } from "#test/coaching-model.ts";
import { openTwoNodes, type TwoNodes } from "#test/two-nodes.ts";
import type { Visitor } from "#test/visitor.ts";

// test:long runs more steps, with a random seed.
const steps = Number(process.env.COACHING_STEPS ?? 120);
const seed = Number(process.env.COACHING_SEED ?? 1);
const crowd = 7;
/** The model covers `maxDays` days. Steps are planned for fewer, so that the clock can move up to the last one. */
const maxDays = 55;
const days = 42;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let opened: TwoNodes;
beforeAll(async () => {
  opened = await openTwoNodes();
});
afterAll(() => opened[Symbol.asyncDispose]());

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

function onBoth(visitor: Visitor, nodes: readonly [Academy, Academy]): Person {
  const other = nodes[1].visitor();
  for (const [name, cookie] of visitor.cookies) other.cookies.set(name, cookie);
  return { on: [visitor, other] };
}

test(
  `${steps} steps of students, a coach, the clock and dying nodes agree with a model (seed ${seed}) [K01, K03]`,
  async () => {
    const { nodes, pool } = opened;
    const random = chance(seed);
    const model = new CoachingModel();
    const people = new Map<ModelStudent, Person>();
    for (let at = 0; at < crowd; at++) {
      const visitor = await lifetimeStudent(nodes[0]);
      const { allowance } = (await visitor.call(getCoaching)).body;
      const student = { since: Date.parse(allowance?.windowStartsAt ?? ""), bookings: [], extras: 0, lapses: [] };
      model.students.push(student);
      people.set(student, onBoth(visitor, nodes));
    }
    // Books nothing, so is offered all free times.
    const observer = await lifetimeStudent(nodes[0]);
    const coach = await nodes[0].visitor().signInAsDemo("coach@academy.test");
    const coachOnBoth = onBoth(coach, nodes);

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
    // Both nodes have the same public URL.
    const headers = { origin: nodes[0].url };
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
        nodes[1].kill(),
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
    const { rows } = await pool.query(
      `select a.id from bookings a join bookings b on a.coach_id = b.coach_id and a.id < b.id
       and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
     where a.state = 'booked' and b.state = 'booked'`,
    );
    expect(rows).toEqual([]);
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
