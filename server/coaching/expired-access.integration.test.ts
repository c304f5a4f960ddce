import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bookForStudent, getCoachingAdministration, scheduleLive } from "#contract/admin/coaching.ts";
import { listAllPurchases, previewRefund, refundPurchase } from "#contract/admin/purchases.ts";
import { updateUserTier } from "#contract/admin/users.ts";
import { joinAsCoach, markBooking } from "#contract/coaching/coach.ts";
import { bookSession, getBooking, getCoaching, getSlots, joinBooking, takeSeat } from "#contract/coaching/coaching.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { openPool } from "#server/db/db.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { untilCalendarsHave } from "#test/calendar-readers.ts";
import { bookAhead, freeTimes, lifetimeStudent, timeZone } from "#test/coaching.ts";
import type { Visitor } from "#test/visitor.ts";

const DAY = 86_400_000;
let academy: AcademyInProcess;
let pool: pg.Pool;
let admin: Visitor;
let coachId: string;
beforeAll(async () => {
  academy = await openAcademyInProcess();
  pool = openPool(academy.database.connection, () => {}, 2);
  admin = await academy.visitor().signInAsDemo("admin@academy.test");
  coachId = (await admin.call(getCoachingAdministration)).body.coaches[0]?.id ?? "";
});
afterAll(async () => {
  await pool.end();
  await academy[Symbol.asyncDispose]();
});

const idOf = async (student: Visitor) => (await student.call(getCurrentUser)).body.id;

/** Moves the clock to some minutes before an instant, and signs everybody in again. */
async function moveTo(instant: string, minutesBefore: number, people: readonly Visitor[]): Promise<void> {
  const minutes = Math.round((Date.parse(instant) - (await academy.now())) / 60_000) - minutesBefore;
  if (minutes > 0) await academy.advance(`${minutes}m`);
  for (const person of people) await person.signInAgain();
  await admin.signInAsDemo("admin@academy.test");
}

test("bookings after the end of the access are cancelled, and no slots are offered there [K02]", async () => {
  const student = await academy.visitor().signUp();
  const userId = await idOf(student);
  const start = await academy.now();
  const endsAt = new Date(start + 10 * DAY).toISOString();
  await admin.call(updateUserTier, { body: { userId, newTier: "vip", endsAt, reason: "ten days" } });
  const times = await freeTimes(student, academy);
  expect(times.length).toBeGreaterThan(5);
  expect(times.every(({ startsAt }) => startsAt < endsAt)).toBe(true);
  const stranger = await lifetimeStudent(academy);
  const [behind] = await freeTimes(stranger, academy, 12);
  expect(await student.call(bookSession, { body: behind })).toMatchObject({ status: 400 });

  const body = { userId, coachId, startsAt: behind?.startsAt, timeZone, reason: "promised on the phone" };
  expect((await admin.call(bookForStudent, { body })).status).toBe(200);
  const group = {
    ...{ title: "Behind the end", about: "All", requiredTier: "premium", seats: null, minutes: 60, meetingUrl: null },
    ...{ coachId, startsAt: new Date(start + 15 * DAY + 1_000).toISOString(), reason: "monthly" },
  };
  expect((await admin.call(scheduleLive, { body: group })).status).toBe(200);
  const live = (await student.call(getCoaching)).body.live.find(({ title }) => title === group.title);
  expect((await student.call(takeSeat, { params: { id: live?.id ?? "" }, body: {} })).status).toBe(200);
  await untilCalendarsHave(academy, student, 2);
  expect((await freeTimes(stranger, academy)).map(({ startsAt }) => startsAt)).not.toContain(behind?.startsAt);

  await moveTo(endsAt, 0, [student, stranger]);
  await untilCalendarsHave(academy, student, 0);
  const overview = (await student.call(getCoaching)).body;
  expect(overview).toMatchObject({ tier: null, allowance: null, upcoming: null });
  expect(overview.past).toMatchObject([{ state: "cancelled", cancelledBy: "system", counts: false }]);
  expect((await freeTimes(stranger, academy)).map(({ startsAt }) => startsAt)).toContain(behind?.startsAt);
});

test("on hold a student does not join; held a day before, the session is cancelled and its time is free [K02]", async () => {
  const [early, late, other] = [
    await lifetimeStudent(academy),
    await lifetimeStudent(academy),
    await lifetimeStudent(academy),
  ];
  const first = await bookAhead(early, academy, 3);
  const second = await bookAhead(late, academy, 3);
  const hold = async (student: Visitor) =>
    pool.query("update users set account_status = 'on_hold' where id = $1", [await idOf(student)]);
  await hold(early);
  await moveTo(second.startsAt, 60, [early, late, other]);
  expect((await early.call(getBooking, { params: { id: first.id } })).body).toMatchObject({
    state: "cancelled",
    cancelledBy: "system",
    counts: false,
  });
  const { rows } = await pool.query("select state from bookings where starts_at = $1 and state = 'booked'", [
    first.startsAt,
  ]);
  expect(rows).toEqual([]);
  await untilCalendarsHave(academy, early, 0);
  await moveTo(second.startsAt, 10, [late]);
  await hold(late);
  const join = await late.call(joinBooking, { params: { id: second.id }, body: {} });
  expect(join).toMatchObject({ status: 403, body: { code: "account-blocked" } });
  expect(JSON.stringify(join.body)).not.toContain("meet.example.com");
});

test("after a used session and a refund a new purchase gives no session for 7 days [K02]", async () => {
  const student = await lifetimeStudent(academy);
  const coach = await academy.visitor().signInAsDemo("coach@academy.test");
  const [soon] = await freeTimes(student, academy);
  const { body: booking } = await student.call(bookSession, { body: soon });
  const params = { id: booking.id };
  await moveTo(booking.startsAt, 5, [student]);
  await coach.signInAsDemo("coach@academy.test");
  expect((await student.call(joinBooking, { params, body: {} })).status).toBe(200);
  expect((await coach.call(joinAsCoach, { params, body: {} })).status).toBe(200);
  await academy.advance("1h");
  expect((await coach.call(markBooking, { params, body: { as: "held" } })).status).toBe(200);

  await admin.signInAsDemo("admin@academy.test");
  const [purchase] = (await admin.call(listAllPurchases, { query: { search: student.email } })).body;
  const preview = await admin.call(previewRefund, { params: { purchaseId: purchase?.id ?? "" } });
  expect(preview.body.sessionsHeld).toEqual([{ startsAt: booking.startsAt, coachName: "Dana" }]);
  expect((await admin.call(refundPurchase, { body: { purchaseId: purchase?.id ?? "" } })).status).toBe(200);
  expect((await student.call(getSlots)).body.code).toBe("tier-required");
  expect((await student.call(acceptPayment, { body: await student.paymentFor("vip") })).status).toBe(200);
  const again = await academy.now();
  const stranger = await lifetimeStudent(academy);
  const early = (await freeTimes(stranger, academy)).filter(({ startsAt }) => Date.parse(startsAt) < again + 6 * DAY);
  expect(early.length).toBeGreaterThan(0);
  for (const time of [early[0], early.at(-1)]) {
    const refused = await student.call(bookSession, { body: time });
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining("After a refund") } });
  }
  const own = await freeTimes(student, academy);
  expect(own.length).toBeGreaterThan(0);
  expect(own.every(({ startsAt }) => Date.parse(startsAt) >= again + 7 * DAY - 60_000)).toBe(true);
});

test("a scanner that follows every link of every email changes nothing [K11]", async () => {
  const student = await lifetimeStudent(academy);
  const booking = await bookAhead(student, academy, 3);
  await untilCalendarsHave(academy, student, 1);
  const emails = (await academy.mails()).filter(({ to }) => to === student.email);
  const links = emails.flatMap(({ html, text }) => [
    ...Array.from(html.matchAll(/href="([^"]+)"/g), ([, url = ""]) => url.replaceAll("&amp;", "&")),
    ...Array.from(text.matchAll(/https?:\/\/\S+/g), ([url]) => url),
  ]);
  const ours = links.filter((url) => url.startsWith(academy.url));
  expect(ours.some((url) => url.endsWith(`/coaching/${booking.id}`))).toBe(true);
  for (const url of new Set(ours)) {
    for (const visitor of [academy.visitor(), student]) {
      await visitor.send("GET", url);
      await visitor.send("HEAD", url);
    }
  }
  expect((await student.call(getBooking, { params: { id: booking.id } })).body).toMatchObject({
    ...{ state: "booked", sequence: 0, startsAt: booking.startsAt },
  });
  await untilCalendarsHave(academy, student, 1);
});
