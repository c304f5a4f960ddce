import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getCoachBooking, joinAsCoach, markBooking, writeSummary } from "#contract/coaching/coach.ts";
import {
  bookSession,
  cancelBooking,
  getCoaching,
  getSlots,
  joinBooking,
  moveBooking,
  openCalendar,
} from "#contract/coaching/coaching.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { openPool } from "#server/db/db.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
let pool: pg.Pool;
let coach: Visitor;
beforeAll(async () => {
  academy = await openAcademyInProcess();
  pool = openPool(academy.database.connection, () => {}, 2);
  coach = await academy.visitor().signInAsDemo("coach@academy.test");
});
afterAll(async () => {
  await pool.end();
  await academy[Symbol.asyncDispose]();
});

const timeZone = "America/New_York";
const room = /meet\.example\.com/;

async function lifetimeStudent(): Promise<Visitor> {
  const student = await academy.visitor().signUp();
  expect((await student.call(acceptPayment, { body: await student.paymentFor("vip") })).status).toBe(200);
  return student;
}

async function freeTimes(student: Visitor): Promise<{ coachId: string; startsAt: string }[]> {
  const { coaches } = (await student.call(getSlots)).body;
  return coaches.flatMap(({ id: coachId, startsAt }) => startsAt.map((at) => ({ coachId, startsAt: at })));
}

const book = (student: Visitor, time: object | undefined, more: object = {}) =>
  student.call(bookSession, { body: { ...time, timeZone, ...more } });
const mailsTo = async ({ email }: { email: string }, kind: string) =>
  (await academy.mails()).filter(({ to, subject }) => to === email && subject.startsWith(kind));

test("a student books from the free times, and the same again is the same booking", async () => {
  const student = await lifetimeStudent();
  const times = await freeTimes(student);
  expect(times.length).toBeGreaterThan(20);
  const time = times.at(-1);
  const booked = await book(student, time, { prep: "Stuck on <b>fees</b>" });
  expect(booked).toMatchObject({ status: 201, body: { state: "booked", prep: "Stuck on <b>fees</b>", movesLeft: 2 } });
  expect(await book(student, time)).toMatchObject({ status: 200, body: { id: booked.body.id } });
  expect(await book(student, times[0])).toMatchObject({ status: 409, body: { code: "already-booked" } });
  expect((await freeTimes(await lifetimeStudent())).some(({ startsAt }) => startsAt === time?.startsAt)).toBe(false);
  const overview = (await student.call(getCoaching)).body;
  const coachId = (await coach.call(getCurrentUser)).body.id;
  const told = [booked.body, overview, (await student.call(getSlots)).body];
  expect(JSON.stringify(told)).not.toContain(coachId);
  expect((await book(student, { ...times[0], coachId })).status).toBe(404);
  expect(overview).toMatchObject({ timeZone, upcoming: { id: booked.body.id } });
  const [mail] = await until(async () => {
    const mails = await mailsTo(student, "Booked");
    return mails.length > 0 && mails;
  });
  expect(mail?.text).toContain("(New York, your time)");
  expect(mail?.text).toContain("for Dana in Berlin");
  expect(JSON.stringify(mail)).not.toContain("fees");
});

test("any time that is not free is refused with a sentence [K08]", async () => {
  const student = await lifetimeStudent();
  const [time] = await freeTimes(student);
  const startsAt = (text: string) => ({ ...time, startsAt: text });
  for (const [asked, status] of [
    [startsAt(new Date(Date.parse(time?.startsAt ?? "") + 60_000).toISOString()), 409],
    [startsAt("2020-01-01T00:00:00Z"), 400],
    [startsAt("9999-12-31T23:59:59Z"), 400],
    [startsAt("next Tuesday"), 400],
    [startsAt("2027-02-30T10:00:00Z"), 400],
    [{ ...time, timeZone: "Mars/Olympus" }, 400],
    [{ ...time, timeZone: "E".repeat(5000) }, 400],
    [{ ...time, prep: "x".repeat(1001) }, 400],
    [{ ...time, prep: "a\0b" }, 400],
    [{ ...time, coachId: "nobody" }, 404],
    [{ ...time, userId: "somebody" }, 400],
  ] as const) {
    const answer = await student.call(bookSession, { body: { timeZone, ...asked } });
    expect(answer.status, JSON.stringify(asked).slice(0, 200)).toBe(status);
    expect(answer.body.message).toBeTruthy();
  }
  expect((await student.call(getCoaching)).body.upcoming).toBeNull();
});

test("a session moves twice at most and leaves its calendar empty when it is cancelled", async () => {
  const student = await lifetimeStudent();
  const times = (await freeTimes(student)).filter(({ startsAt }) => Date.parse(startsAt) > Date.now() + 3 * 86_400_000);
  const { body } = await book(student, times[0]);
  const params = { id: body.id };
  const move = (to: object | undefined) => student.call(moveBooking, { params, body: { ...to, timeZone } });
  expect(await move(times[1])).toMatchObject({ status: 200, body: { movesLeft: 1, sequence: 1 } });
  expect(await move(times[1])).toMatchObject({ status: 200, body: { movesLeft: 1, sequence: 1 } });
  await until(async () => (await mailsTo(student, "Moved")).length === 1);
  expect(await move(times[2])).toMatchObject({ status: 200, body: { movesLeft: 0, mayMove: false } });
  expect(await move(times[3])).toMatchObject({ status: 409, body: { code: "too-late" } });
  const cancelled = await student.call(cancelBooking, { params, body: {} });
  expect(cancelled).toMatchObject({ status: 200, body: { state: "cancelled", isLate: false, counts: false } });
  expect((await student.call(cancelBooking, { params, body: {} })).status).toBe(200);
  await until(async () => (await mailsTo(student, "Cancelled")).length === 1);
  const entries = (await academy.mails())
    .filter(({ to, calendar }) => to === student.email && calendar)
    .map(({ calendar }) => calendar ?? "")
    .reverse();
  expect(entries.map((entry) => /METHOD:(\w+)/.exec(entry)?.[1]).at(-1)).toBe("CANCEL");
  expect(new Set(entries.map((entry) => /UID:(.+)/.exec(entry)?.[1])).size).toBe(1);
  expect((await book(student, times[0])).status).toBe(201);
});

test("the student gets the meeting address from 15 minutes before, and afterwards the coach's summary [K07]", async () => {
  const student = await lifetimeStudent();
  const stranger = await lifetimeStudent();
  const time = (await freeTimes(student)).at(-1);
  const { body: booking } = await book(student, time);
  const params = { id: booking.id };
  const join = (visitor: Visitor) => visitor.call(joinBooking, { params, body: {} });
  const basic = await academy.visitor().signInAsDemo("basic@academy.test");
  const early = await join(student);
  expect(early).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect(await join(stranger)).toMatchObject({ status: 404 });
  expect(await join(basic)).toMatchObject({ status: 403, body: { code: "tier-required" } });
  expect(JSON.stringify([early, booking, (await student.call(getCoaching)).body])).not.toMatch(room);
  const { url } = (await student.call(openCalendar, { body: {} })).body;
  expect(await (await academy.visitor().send("GET", new URL(url).pathname)).text()).not.toMatch(room);

  const minutes = Math.round((Date.parse(booking.startsAt) - Date.now()) / 60_000);
  await academy.advance(`${minutes - 10}m`);
  await student.signInAgain();
  await coach.signInAsDemo("coach@academy.test");
  expect((await join(student)).body.meetingUrl).toMatch(/^https:\/\/meet\.example\.com\/academy-[0-9a-z]{20}$/);
  expect((await coach.call(joinAsCoach, { params, body: {} })).body.meetingUrl).toMatch(room);
  expect(await coach.call(markBooking, { params, body: { as: "held" } })).toMatchObject({ status: 409 });
  await academy.advance("1h");
  expect(await join(student)).toMatchObject({ status: 409, body: { code: "too-late" } });
  expect(await coach.call(markBooking, { params, body: { as: "held" } })).toMatchObject({ body: { state: "held" } });
  const detail = await coach.call(writeSummary, { params, body: { summary: "Buy three." } });
  expect(JSON.stringify(detail.body)).not.toContain("@");
  expect((await coach.call(getCoachBooking, { params })).body).toMatchObject({
    sessionsBefore: 1,
    // Three of the course's fifteen lessons are "coming soon".
    progress: { lessonsTotal: 12 },
  });
  expect((await student.call(getCoaching)).body).toMatchObject({ past: [{ summary: "Buy three.", counts: true }] });
  await until(async () => (await mailsTo(student, "Dana wrote")).length === 1);

  const everything = JSON.stringify(await academy.mails()) + academy.log.join("\n");
  expect(everything).not.toMatch(room);
  for (const hours of ["Reminder"]) expect(await mailsTo(student, hours)).toHaveLength(2);
});
