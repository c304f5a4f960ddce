import { expect } from "vitest";
import {
  bookForStudent,
  getCoachingAdministration,
  listAllBookings,
  returnSession,
  scheduleLive,
} from "#contract/admin/coaching.ts";
import { previewRefund, refundPurchase } from "#contract/admin/purchases.ts";
import { runReconciliation } from "#contract/admin/reconciliation.ts";
import { reactivateAccount, suspendAccount, updateUserTier } from "#contract/admin/users.ts";
import { cancelAsCoach, joinAsCoach, markBooking } from "#contract/coaching/coach.ts";
import {
  bookSession,
  cancelBooking,
  getBooking,
  getCoaching,
  getSlots,
  joinBooking,
  takeSeat,
} from "#contract/coaching/coaching.ts";
import { deleteUser } from "#contract/profile.ts";
import { bookingsPaused } from "#server/discrepancies/discrepancies.ts";
import type { AcademyInProcess } from "#test/academy-in-process.ts";
import { untilCalendarsHave } from "#test/calendar-readers.ts";
import { advanceTo, bookAhead, freeTimes, timeZone } from "#test/coaching.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy: opened, test } = await academyOfFile();
await leaveOnlyJobs(opened);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const cancelledAtNoCost = { state: "cancelled", cancelledBy: "system", counts: false };

const startsOf = async (student: Visitor, academy: AcademyInProcess) =>
  (await freeTimes(student, academy)).map(({ startsAt }) => startsAt);
const firstCoach = async (administrator: Visitor) =>
  (await administrator.call(getCoachingAdministration)).body.coaches[0]?.id ?? "";

test("while a dispute is open only an administrator books new sessions, and booked ones stay [P39]", async ({
  academy,
  administrator,
}) => {
  const { student, transactionId } = await academy.purchase("vip");
  const other = await academy.purchase("vip");
  const booked = await bookAhead(student, academy, 5);
  await academy.advance("2d", student, other.student, administrator);
  for (const transId of [transactionId, other.transactionId]) await academy.stage(transId, "chargeback");
  await administrator.call(runReconciliation, { body: {} });

  const [time] = await freeTimes(other.student, academy);
  const refused = { status: 409, body: { code: "conflict", message: bookingsPaused } };
  expect(await other.student.call(bookSession, { body: { ...time } })).toMatchObject(refused);
  const body = {
    ...time,
    coachId: await firstCoach(administrator),
    userId: await other.student.id(),
    reason: "a call",
  };
  expect((await administrator.call(bookForStudent, { body })).status).toBe(200);
  expect((await student.call(getBooking, { params: { id: booked.id } })).body).toMatchObject({ state: "booked" });
});

test("a refund, a lower tier and a deletion cancel a session and free its time [K02]", async ({
  academy,
  administrator,
}) => {
  const { student: refunded, purchaseId } = await academy.purchase("vip");
  const lowered = await academy.member("vip");
  const leaving = await academy.member("vip");
  const people = [refunded, lowered, leaving];
  const leavingId = await leaving.id();
  const bookings = [];
  for (const student of people) bookings.push(await bookAhead(student, academy, 3, "a secret of mine"));

  const params = { purchaseId };
  expect((await administrator.call(previewRefund, { params })).body.sessionsHeld).toEqual([]);
  expect((await administrator.call(refundPurchase, { body: params })).status).toBe(200);
  const body = { userId: await lowered.id(), newTier: "premium", reason: "asked for it" };
  expect((await administrator.call(updateUserTier, { body })).status).toBe(200);
  expect((await leaving.call(deleteUser)).status).toBe(200);

  for (const { email } of people) {
    const isCancelled = ({ calendar }: { calendar: string | null }) => calendar?.includes("METHOD:CANCEL");
    await until(async () => (await academy.mails(email)).filter(isCancelled).length === 1);
  }
  const ofRefunded = await refunded.call(getBooking, { params: { id: bookings[0]?.id ?? "" } });
  expect(ofRefunded.body).toMatchObject(cancelledAtNoCost);
  expect((await refunded.call(getSlots)).body.code).toBe("tier-required");
  const { rows } = await academy.pool.query("select state, prep from bookings where user_id = $1", [leavingId]);
  expect(rows).toEqual([{ state: "cancelled", prep: null }]);
  const offered = await startsOf(await academy.member("vip"), academy);
  expect(offered).toEqual(expect.arrayContaining(bookings.map(({ startsAt }) => startsAt)));
});

test("an administrator books beside the promise and returns a session once, with reasons [K04]", async ({
  academy,
  administrator,
}) => {
  const student = await academy.member("vip");
  const userId = await student.id();
  const coachId = await firstCoach(administrator);
  const now = await academy.now();
  const bookIn = async (hours: number, reason: object) => {
    const startsAt = new Date(now + hours * HOUR).toISOString();
    const body = { userId, coachId, startsAt, timeZone, ...reason };
    return (await administrator.call(bookForStudent, { body })).status;
  };
  expect(await bookIn(2, {})).toBe(400);
  // The demo's coach may have a session at the first of these times, whatever day it is.
  const statuses: number[] = [];
  for (const hours of [2, 6, 10]) {
    if (!statuses.includes(200)) statuses.push(await bookIn(hours, { reason: "missed by us" }));
  }
  expect(statuses).toContain(200);
  const [booking] = (await administrator.call(listAllBookings, { query: { userId } })).body.rows;
  const params = { id: booking?.id ?? "" };
  await student.call(cancelBooking, { params, body: {} });
  const give = () => administrator.call(returnSession, { params, body: { reason: "our fault" } });
  expect((await give()).status).toBe(200);
  expect((await give()).body.code).toBe("conflict");
  const { rows } = await academy.pool.query(
    "select action, reason from audit_log where subject = $1 order by created_at",
    [userId],
  );
  expect(rows).toEqual([
    { action: "book session", reason: "missed by us" },
    { action: "return session", reason: "our fault" },
  ]);
});

test("a late cancellation a year is forgiven, and a coach's gives back two sessions [K03]", async ({ academy }) => {
  const student = await academy.member("vip");
  const cancelLate = async () => {
    const { id, startsAt } = await bookAhead(student, academy, 0);
    await advanceTo(academy, startsAt, -20 * 60, student);
    return (await student.call(cancelBooking, { params: { id }, body: {} })).body;
  };
  expect(await cancelLate()).toMatchObject({ isLate: true, isForgiven: true, counts: false });
  expect(await cancelLate()).toMatchObject({ isLate: true, isForgiven: false, counts: true });
  const { allowance } = (await student.call(getCoaching)).body;
  expect(allowance).toMatchObject({ left: 0, extra: 0 });
  for (const at of await startsOf(student, academy)) expect(at >= (allowance?.windowEndsAt ?? "")).toBe(true);

  const other = await academy.member("vip");
  const { id } = await bookAhead(other, academy, 3);
  const coach = await academy.visitor().signInAsDemo("coach@academy.test");
  await coach.call(cancelAsCoach, { params: { id }, body: {} });
  expect((await other.call(getCoaching)).body.allowance).toMatchObject({ left: 1, extra: 1 });
});

test("a blocked student does not join, and a day before the session is cancelled [K02]", async ({
  academy,
  administrator,
}) => {
  const hold = async (student: Visitor) =>
    academy.pool.query("update users set account_status = 'on_hold' where id = $1", [await student.id()]);
  const suspended = await academy.member("vip");
  const held = await academy.member("vip");
  const back = await academy.member("vip");
  const gone = [await bookAhead(suspended, academy, 3), await bookAhead(held, academy, 3)];
  const kept = await bookAhead(back, academy, 3);
  await hold(held);
  for (const each of [suspended, back]) {
    await administrator.call(suspendAccount, { body: { userId: await each.id(), reason: "a question" } });
  }
  expect((await suspended.call(getCoaching)).body).toMatchObject({ isBlocked: true, tier: null });
  expect((await suspended.call(getSlots)).body.code).toBe("account-blocked");
  await administrator.call(reactivateAccount, { body: { userId: await back.id() } });

  await advanceTo(academy, kept.startsAt, -20 * 60, suspended, held, back);
  for (const [at, student] of [suspended, held].entries()) {
    const { id = "", startsAt = "" } = gone[at] ?? {};
    expect((await student.call(getBooking, { params: { id } })).body).toMatchObject(cancelledAtNoCost);
    const booked = "select 1 from bookings where starts_at = $1 and state = 'booked'";
    expect((await academy.pool.query(booked, [startsAt])).rows).toEqual([]);
    await untilCalendarsHave(academy, student, 0);
    const subjects = (await academy.mails(student.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("Reminder"))).toEqual([]);
  }
  expect((await back.call(getBooking, { params: { id: kept.id } })).body.state).toBe("booked");

  await advanceTo(academy, kept.startsAt, -10, back);
  await hold(back);
  const join = await back.call(joinBooking, { params: { id: kept.id }, body: {} });
  expect(join).toMatchObject({ status: 403, body: { code: "account-blocked" } });
  expect(JSON.stringify(join.body)).not.toContain("meet.example.com");
});

test("after a used session and a refund a new purchase gives no session for 7 days [K02]", async ({ academy }) => {
  const { student, purchaseId } = await academy.purchase("vip");
  const booking = await bookAhead(student, academy, 0);
  const params = { id: booking.id };
  await advanceTo(academy, booking.startsAt, -5, student);
  const coach = await academy.visitor().signInAsDemo("coach@academy.test");
  expect((await student.call(joinBooking, { params, body: {} })).status).toBe(200);
  expect((await coach.call(joinAsCoach, { params, body: {} })).status).toBe(200);
  await academy.advance("1h");
  expect((await coach.call(markBooking, { params, body: { as: "held" } })).status).toBe(200);

  const administrator = await academy.visitor().signInAsDemo("admin@academy.test");
  const preview = await administrator.call(previewRefund, { params: { purchaseId } });
  expect(preview.body.sessionsHeld).toEqual([{ startsAt: booking.startsAt, coachName: "Dana" }]);
  expect((await administrator.call(refundPurchase, { body: { purchaseId } })).status).toBe(200);
  expect((await student.call(getSlots)).body.code).toBe("tier-required");
  expect((await student.buy("vip")).status).toBe(200);
  const again = await academy.now();
  const week = again + 7 * DAY - 60_000;
  const { allowance } = (await student.call(getCoaching)).body;
  expect(Date.parse(allowance?.notBefore ?? "")).toBeGreaterThanOrEqual(week);
  const stranger = await academy.member("vip");
  const early = (await freeTimes(stranger, academy)).filter(({ startsAt }) => Date.parse(startsAt) < again + 6 * DAY);
  expect(early.length).toBeGreaterThan(0);
  for (const time of [early[0], early.at(-1)]) {
    const refused = await student.call(bookSession, { body: time });
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining("After a refund") } });
  }
  const own = await startsOf(student, academy);
  expect(own.length).toBeGreaterThan(0);
  expect(own.every((startsAt) => Date.parse(startsAt) >= week)).toBe(true);
});

test("sessions after the end of the access are not offered, and cancelled if booked [K02]", async ({
  academy,
  administrator,
  student,
}) => {
  const userId = await student.id();
  const start = await academy.now();
  const endsAt = new Date(start + 10 * DAY).toISOString();
  await administrator.call(updateUserTier, { body: { userId, newTier: "vip", endsAt, reason: "ten days" } });
  const times = await startsOf(student, academy);
  expect(times.length).toBeGreaterThan(5);
  expect(times.every((startsAt) => startsAt < endsAt)).toBe(true);
  const stranger = await academy.member("vip");
  const [behind] = await freeTimes(stranger, academy, 12);
  expect(await student.call(bookSession, { body: behind })).toMatchObject({ status: 400 });

  const coachId = await firstCoach(administrator);
  const body = { userId, coachId, startsAt: behind?.startsAt, timeZone, reason: "promised on the phone" };
  expect((await administrator.call(bookForStudent, { body })).status).toBe(200);
  const group = {
    ...{ title: "Behind the end", about: "All", requiredTier: "premium", seats: null, minutes: 60, meetingUrl: null },
    ...{ coachId, startsAt: new Date(start + 15 * DAY + 1_000).toISOString(), reason: "monthly" },
  };
  expect((await administrator.call(scheduleLive, { body: group })).status).toBe(200);
  const live = (await student.call(getCoaching)).body.live.find(({ title }) => title === group.title);
  expect((await student.call(takeSeat, { params: { id: live?.id ?? "" }, body: {} })).status).toBe(200);
  await untilCalendarsHave(academy, student, 2);
  expect(await startsOf(stranger, academy)).not.toContain(behind?.startsAt);

  await advanceTo(academy, endsAt, 0, student, stranger);
  await untilCalendarsHave(academy, student, 0);
  const overview = (await student.call(getCoaching)).body;
  expect(overview).toMatchObject({ tier: null, allowance: null, upcoming: null, past: [cancelledAtNoCost] });
  expect(await startsOf(stranger, academy)).toContain(behind?.startsAt);
});

test("a month later the promise is renewed, with one more for a session the coach missed [K03]", async ({
  academy,
}) => {
  const student = await academy.member("vip");
  const { id } = await bookAhead(student, academy, 3);
  await academy.advance("31d", student);
  const { allowance, past } = (await student.call(getCoaching)).body;
  expect(allowance).toMatchObject({ left: 1, extra: 1, used: [] });
  expect(past).toMatchObject([{ id, state: "missed-by-coach" }]);
});
