import { afterAll, beforeAll, expect, test } from "vitest";
import {
  addCoach,
  bookForStudent,
  cancelForStudent,
  changeCoach,
  getStudentCoaching,
  moveForStudent,
} from "#contract/admin/coaching.ts";
import { getCoachDesk } from "#contract/coaching/coach.ts";
import { bookSession, getCoaching, getSlots, moveBooking } from "#contract/coaching/coaching.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { deleteUser } from "#contract/profile.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { untilCalendarsHave } from "#test/calendar-readers.ts";
import { lifetimeStudent, timeZone } from "#test/coaching.ts";
import { inRole } from "#test/in-role.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const HOUR = 3_600_000;
let academy: AcademyInProcess;
let admin: Visitor;
beforeAll(async () => {
  academy = await openAcademyInProcess();
  admin = await academy.visitor().signInAsDemo("admin@academy.test");
});
afterAll(() => academy[Symbol.asyncDispose]());

const idOf = async (person: Visitor) => (await person.call(getCurrentUser)).body.id;
const slotsOf = async (student: Visitor, coach: string) => {
  const found = (await student.call(getSlots)).body.coaches.find(({ name }) => name === coach);
  return (found?.startsAt ?? []).map((startsAt) => ({ coachId: found?.id ?? "", startsAt, timeZone }));
};

/** A coach with hours from eight to noon every day in Apia. */
async function newCoach(displayName: string): Promise<Visitor> {
  const coach = await inRole(academy, null);
  const reason = "a second coach";
  const body = { email: coach.email, displayName, timeZone: "Pacific/Apia", reason };
  expect((await admin.call(addCoach, { body })).status).toBe(200);
  const { settings } = (await coach.call(getCoachDesk)).body;
  const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, fromTime: "08:00", toTime: "12:00" }));
  const changed = { isActive: true, settings: { ...settings, hours, meetingUrl: null }, reason };
  expect((await admin.call(changeCoach, { params: { id: await idOf(coach) }, body: changed })).status).toBe(200);
  return coach;
}

test("a session that changes coach is in one coach's calendar at a time, and in none once cancelled [K09]", async () => {
  const [mele, tala] = [await newCoach("Mele"), await newCoach("Tala")];
  const student = await lifetimeStudent(academy);
  const userId = await idOf(student);
  const at = (hours: number) => new Date(Math.floor(Date.now() / HOUR) * HOUR + hours * HOUR).toISOString();
  const reason = "asked on the phone";
  const expectWith = async (coach: Visitor, without: Visitor, startsAt: string) => {
    expect(await untilCalendarsHave(academy, coach, 1)).toBe(startsAt);
    await untilCalendarsHave(academy, without, 0);
    await until(async () => (await untilCalendarsHave(academy, student, 1)) === startsAt);
  };

  const body = { userId, coachId: await idOf(mele), startsAt: at(100), timeZone, reason };
  expect((await admin.call(bookForStudent, { body })).status).toBe(200);
  await expectWith(mele, tala, at(100));
  const params = { id: (await student.call(getCoaching)).body.upcoming?.id ?? "" };

  const handed = { coachId: await idOf(tala), startsAt: at(102), reason };
  expect((await admin.call(moveForStudent, { params, body: handed })).status).toBe(200);
  await expectWith(tala, mele, at(102));

  const back = (await slotsOf(student, "Mele")).at(-1);
  expect((await student.call(moveBooking, { params, body: back })).status).toBe(200);
  await expectWith(mele, tala, back?.startsAt ?? "");

  expect((await admin.call(cancelForStudent, { params, body: { reason } })).status).toBe(200);
  for (const person of [student, mele, tala]) await untilCalendarsHave(academy, person, 0);
  expect((await student.call(getCoaching)).body).toMatchObject({
    upcoming: null,
    past: [{ id: params.id, state: "cancelled", cancelledBy: "administrator", counts: false }],
    allowance: { left: 1, extra: 0 },
  });
});

test("an administrator moves no session away from a time that they have not seen", async () => {
  const coach = await newCoach("Lani");
  const student = await lifetimeStudent(academy);
  const [userId, coachId] = [await idOf(student), await idOf(coach)];
  const [first, second, third] = (await slotsOf(student, "Lani")).slice(-3).map(({ startsAt }) => startsAt);
  const reason = "asked on the phone";
  const body = { userId, coachId, startsAt: first, timeZone, reason };
  expect((await admin.call(bookForStudent, { body })).status).toBe(200);
  const read = async () => {
    const [booking] = (await admin.call(getStudentCoaching, { params: { id: userId } })).body.bookings;
    if (!booking) throw new Error("the session is not listed");
    return booking;
  };
  const { id, version } = await read();
  const params = { id };
  const own = (await slotsOf(student, "Lani")).find(({ startsAt }) => startsAt === second);
  expect((await student.call(moveBooking, { params, body: own })).status).toBe(200);
  const move = { params, body: { coachId, startsAt: third, reason } };
  expect(await admin.call(moveForStudent, { ...move, query: { version } })).toMatchObject({
    status: 409,
    body: { code: "conflict", message: expect.stringContaining("Somebody has moved") },
  });
  const moved = await read();
  expect(moved.startsAt).toBe(second);
  const query = { version: moved.version };
  expect((await admin.call(moveForStudent, { ...move, query })).status).toBe(200);
  // As after a reply that was lost.
  expect((await admin.call(moveForStudent, { ...move, query })).status).toBe(200);
  expect((await read()).startsAt).toBe(third);
});

test("a coach who leaves gives every session back, and one more, and offers none [K02]", async () => {
  const coach = await newCoach("Sina");
  const student = await lifetimeStudent(academy);
  const time = (await slotsOf(student, "Sina")).at(-1);
  const { status, body } = await student.call(bookSession, { body: time });
  expect(status).toBe(201);
  for (const person of [student, coach]) await untilCalendarsHave(academy, person, 1);
  expect((await coach.call(deleteUser)).status).toBe(200);
  await untilCalendarsHave(academy, student, 0);
  expect((await student.call(getCoaching)).body).toMatchObject({
    past: [{ id: body.id, state: "cancelled", cancelledBy: "coach", coach: { name: "A former coach" } }],
    allowance: { left: 1, extra: 1 },
  });
  expect((await student.call(getSlots)).body.coaches.map(({ name }) => name)).not.toContain("Sina");
});
