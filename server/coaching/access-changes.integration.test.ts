import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  bookForStudent,
  getCoachingAdministration,
  getStudentCoaching,
  returnSession,
  scheduleLive,
} from "#contract/admin/coaching.ts";
import { listAllPurchases, previewRefund, refundPurchase } from "#contract/admin/purchases.ts";
import { reactivateAccount, suspendAccount, updateUserTier } from "#contract/admin/users.ts";
import { cancelAsCoach, getCoachDesk, setCoachSettings } from "#contract/coaching/coach.ts";
import {
  bookSession,
  cancelBooking,
  getBooking,
  getCoaching,
  getSlots,
  giveSeatUp,
  joinLive,
  takeSeat,
} from "#contract/coaching/coaching.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { deleteUser } from "#contract/profile.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { openPool } from "#server/db/db.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
let pool: pg.Pool;
let admin: Visitor;
beforeAll(async () => {
  academy = await openAcademyInProcess();
  pool = openPool(academy.database.connection, () => {}, 2);
  admin = await academy.visitor().signInAsDemo("admin@academy.test");
});
afterAll(async () => {
  await pool.end();
  await academy[Symbol.asyncDispose]();
});

const timeZone = "Pacific/Auckland";
const now = async () => {
  const clock = (await (await fetch(`${academy.url}/sandbox/api/clock`)).json()) as { now: string };
  return Date.parse(clock.now);
};

async function lifetimeStudent(): Promise<Visitor> {
  const student = await academy.visitor().signUp();
  expect((await student.call(acceptPayment, { body: await student.paymentFor("vip") })).status).toBe(200);
  return student;
}

const idOf = async (student: Visitor) => (await student.call(getCurrentUser)).body.id;

/** Books a time at least `days` ahead. */
async function book(student: Visitor, days = 3) {
  const { coaches } = (await student.call(getSlots)).body;
  const from = (await now()) + days * 86_400_000;
  const startsAt = coaches[0]?.startsAt.find((at) => Date.parse(at) > from) ?? "";
  const { status, body } = await student.call(bookSession, {
    body: { coachId: coaches[0]?.id ?? "", startsAt, timeZone, prep: "a secret of mine" },
  });
  expect(status).toBe(201);
  return body;
}

const isOffered = async (startsAt: string) =>
  (await (await lifetimeStudent()).call(getSlots)).body.coaches.some((coach) => coach.startsAt.includes(startsAt));
const cancellationsTo = async (student: Visitor) =>
  (await academy.mails()).filter(({ to, calendar }) => to === student.email && calendar?.includes("METHOD:CANCEL"));

test("a refund cancels the session, frees its time, and closes the way back for a week [K02]", async () => {
  const student = await lifetimeStudent();
  const booking = await book(student);
  const [purchase] = (await admin.call(listAllPurchases, { query: { search: student.email } })).body;
  const params = { purchaseId: purchase?.id ?? "" };
  expect((await admin.call(previewRefund, { params })).body.sessionsHeld).toEqual([]);
  expect((await admin.call(refundPurchase, { body: params })).status).toBe(200);
  await until(async () => (await cancellationsTo(student)).length === 1);
  expect((await student.call(getBooking, { params: { id: booking.id } })).body).toMatchObject({
    state: "cancelled",
    cancelledBy: "system",
    counts: false,
  });
  expect(await isOffered(booking.startsAt)).toBe(true);
  expect((await student.call(getSlots)).body.code).toBe("tier-required");

  await student.call(acceptPayment, { body: await student.paymentFor("vip") });
  const { allowance } = (await student.call(getCoaching)).body;
  expect(Date.parse(allowance?.notBefore ?? "") - (await now())).toBeGreaterThan(6.9 * 86_400_000);
  const { coaches } = (await student.call(getSlots)).body;
  const first = Date.parse(coaches[0]?.startsAt[0] ?? "");
  expect(first).toBeGreaterThanOrEqual(Date.parse(allowance?.notBefore ?? ""));
});

test("a lower tier and a deleted account cancel it too, and nothing that was written is left [K02]", async () => {
  const lowered = await lifetimeStudent();
  await book(lowered);
  const body = { userId: await idOf(lowered), newTier: "premium", reason: "asked for it" };
  expect((await admin.call(updateUserTier, { body })).status).toBe(200);
  await until(async () => (await cancellationsTo(lowered)).length === 1);

  const leaving = await lifetimeStudent();
  const booking = await book(leaving);
  const userId = await idOf(leaving);
  expect((await leaving.call(deleteUser)).status).toBe(200);
  await until(async () => (await cancellationsTo(leaving)).length === 1);
  const { rows } = await pool.query("select state, prep from bookings where user_id = $1", [userId]);
  expect(rows).toEqual([{ state: "cancelled", prep: null }]);
  expect(await isOffered(booking.startsAt)).toBe(true);
});

test("a suspended student does not join, and a day before the session is cancelled at no cost [K02]", async () => {
  const student = await lifetimeStudent();
  const back = await lifetimeStudent();
  const [gone, kept] = [await book(student, 4), await book(back, 5)];
  for (const each of [student, back]) {
    await admin.call(suspendAccount, { body: { userId: await idOf(each), reason: "a question" } });
  }
  expect((await student.call(getCoaching)).body).toMatchObject({ isBlocked: true, tier: null });
  expect((await student.call(getSlots)).body.code).toBe("account-blocked");
  await admin.call(reactivateAccount, { body: { userId: await idOf(back) } });
  const hours = Math.ceil(
    (Math.max(...[gone, kept].map(({ startsAt }) => Date.parse(startsAt))) - (await now())) / 3.6e6,
  );
  await academy.advance(`${hours - 20}h`);
  await student.signInAgain();
  await back.signInAgain();
  await admin.signInAsDemo("admin@academy.test");
  expect((await student.call(getBooking, { params: { id: gone.id } })).body).toMatchObject({
    state: "cancelled",
    counts: false,
  });
  expect((await back.call(getBooking, { params: { id: kept.id } })).body.state).toBe("booked");
  expect((await academy.mails()).filter(({ to, subject }) => to === student.email && /Reminder/.test(subject))).toEqual(
    [],
  );
});

test("one late cancellation a year is forgiven, and a coach's cancellation gives back two sessions [K03]", async () => {
  const student = await lifetimeStudent();
  const soon = async () => {
    const { coaches } = (await student.call(getSlots)).body;
    const startsAt = coaches[0]?.startsAt[0] ?? "";
    const { body } = await student.call(bookSession, { body: { coachId: coaches[0]?.id ?? "", startsAt, timeZone } });
    const hours = Math.ceil((Date.parse(startsAt) - (await now())) / 3.6e6);
    if (hours > 20) await academy.advance(`${hours - 20}h`);
    await student.signInAgain();
    return body;
  };
  const cancel = async ({ id }: { id: string }) =>
    (await student.call(cancelBooking, { params: { id }, body: {} })).body;
  expect(await cancel(await soon())).toMatchObject({ isLate: true, isForgiven: true, counts: false });
  expect(await cancel(await soon())).toMatchObject({ isLate: true, isForgiven: false, counts: true });
  const refused = (await student.call(getSlots)).body.coaches.flatMap(({ startsAt }) => startsAt);
  const { allowance } = (await student.call(getCoaching)).body;
  expect(allowance).toMatchObject({ left: 0, extra: 0 });
  for (const at of refused) expect(at >= (allowance?.windowEndsAt ?? "")).toBe(true);

  const other = await lifetimeStudent();
  const booking = await book(other);
  const coach = await academy.visitor().signInAsDemo("coach@academy.test");
  await coach.call(cancelAsCoach, { params: { id: booking.id }, body: {} });
  expect((await other.call(getCoaching)).body.allowance).toMatchObject({ left: 1, extra: 1 });
});

test("an administrator books beside the promise and returns a session once, with a reason that is kept [K04]", async () => {
  const student = await lifetimeStudent();
  const userId = await idOf(student);
  const [coach] = (await admin.call(getCoachingAdministration)).body.coaches;
  const startsAt = new Date((await now()) + 2 * 3_600_000).toISOString();
  const body = { userId, coachId: coach?.id ?? "", startsAt, timeZone };
  expect((await admin.call(bookForStudent, { body })).status).toBe(400);
  expect((await admin.call(bookForStudent, { body: { ...body, reason: "missed by us" } })).status).toBe(200);
  const detail = (await admin.call(getStudentCoaching, { params: { id: userId } })).body;
  const id = detail.bookings[0]?.id ?? "";
  await student.call(cancelBooking, { params: { id }, body: {} });
  const give = () => admin.call(returnSession, { params: { id }, body: { reason: "our fault" } });
  expect((await give()).status).toBe(200);
  expect((await give()).body.code).toBe("conflict");
  const { rows } = await pool.query("select action, reason from audit_log where subject = $1 order by created_at", [
    userId,
  ]);
  expect(rows).toEqual([
    { action: "book session", reason: "missed by us" },
    { action: "return session", reason: "our fault" },
  ]);
});

test("a group session is announced, has as many seats as it has, and is joined at its time [K05]", async () => {
  const [coach] = (await admin.call(getCoachingAdministration)).body.coaches;
  const startsAt = new Date((await now()) + 3 * 86_400_000 + 1_234_000).toISOString();
  const text = { title: "Two of us", about: "Small", requiredTier: "premium", seats: 1, meetingUrl: null };
  const body = { ...text, coachId: coach?.id ?? "", startsAt, minutes: 60, reason: "monthly" };
  const first = await lifetimeStudent();
  const second = await lifetimeStudent();
  expect((await admin.call(scheduleLive, { body })).status).toBe(200);
  await until(async () =>
    (await academy.mails()).some(({ to, subject }) => to === first.email && subject === "Group session: Two of us"),
  );
  const live = (await first.call(getCoaching)).body.live.find(({ title }) => title === "Two of us");
  const params = { id: live?.id ?? "" };
  const take = (visitor: Visitor) => visitor.call(takeSeat, { params, body: { question: "Why?" } });
  const answers = await Promise.all([take(first), take(second)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [holder, refused] = answers[0]?.status === 200 ? [first, second] : [second, first];
  await holder.call(giveSeatUp, { params });
  expect((await take(refused)).status).toBe(200);
  expect((await refused.call(joinLive, { params, body: {} })).body.code).toBe("conflict");
  await academy.advance("3d");
  await academy.advance("15m");
  await refused.signInAgain();
  expect((await refused.call(joinLive, { params, body: {} })).body.meetingUrl).toMatch(/^https:/);
  const basic = await academy.visitor().signInAsDemo("basic@academy.test");
  expect((await basic.call(joinLive, { params, body: {} })).status).toBe(403);
});

test("hours that change leave what is booked, and say so [K04]", async () => {
  const student = await lifetimeStudent();
  const booking = await book(student);
  const coach = await academy.visitor().signInAsDemo("coach@academy.test");
  const { settings } = (await coach.call(getCoachDesk)).body;
  const hours = [{ weekday: 7, fromTime: "06:00", toTime: "06:30" }];
  const desk = (await coach.call(setCoachSettings, { body: { ...settings, hours } })).body;
  expect(desk.upcoming.find(({ id }) => id === booking.id)).toMatchObject({ isOutsideHours: true, state: "booked" });
  const overlapping = [...settings.hours, { weekday: 1, fromTime: "16:00", toTime: "17:00" }];
  expect(
    (await coach.call(setCoachSettings, { body: { ...settings, hours: overlapping } })).body.errors,
  ).toHaveProperty("hours");
  await coach.call(setCoachSettings, { body: settings });
});

test("a month later the promise is renewed, and each reminder came once [K06]", async () => {
  const student = await lifetimeStudent();
  const kept = await book(student, 3);
  await academy.advance("31d");
  await student.signInAgain();
  const reminders = (await academy.mails()).filter(
    ({ to, subject }) => to === student.email && subject.startsWith("Reminder"),
  );
  expect(reminders).toHaveLength(2);
  const { allowance, past } = (await student.call(getCoaching)).body;
  expect(allowance).toMatchObject({ left: 1, extra: 1, used: [] });
  expect(past).toMatchObject([{ id: kept.id, state: "missed-by-coach" }]);
});
