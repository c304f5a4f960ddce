import { beforeEach, expect } from "vitest";
import {
  addCoach,
  bookForStudent,
  cancelForStudent,
  changeCoach,
  getCoachingAdministration,
  listAllBookings,
  moveForStudent,
  scheduleLive,
} from "#contract/admin/coaching.ts";
import {
  type CoachSettings,
  cancelAsCoach,
  getCoachBooking,
  getCoachDesk,
  joinAsCoach,
  markBooking,
  setCoachSettings,
  writeSummary,
} from "#contract/coaching/coach.ts";
import { bookSession, getCoaching, getSlots, moveBooking } from "#contract/coaching/coaching.ts";
import { deleteUser } from "#contract/profile.ts";
import { untilCalendarsHave } from "#test/calendar-readers.ts";
import { advanceTo, bookAhead, timeZone } from "#test/coaching.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy, administrator: admin, test } = await academyOfFile();
const dana = await academy.visitor().signInAsDemo("coach@academy.test");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const reason = "asked on the phone";
const conflict = { status: 409, body: { code: "conflict", message: expect.stringContaining("Someone changed") } };
beforeEach(async () => {
  await admin.signInAgain();
  await dana.signInAgain();
});

const slotsOf = async (student: Visitor, coach: string) => {
  const found = (await student.call(getSlots)).body.coaches.find(({ name }) => name === coach);
  return (found?.startsAt ?? []).map((startsAt) => ({ coachId: found?.id ?? "", startsAt, timeZone }));
};

/** A coach with hours from eight to noon every day in Apia. */
async function newCoach(displayName: string): Promise<Visitor> {
  const coach = await inRole(academy, null);
  const body = { email: coach.email, displayName, timeZone: "Pacific/Apia", reason };
  expect((await admin.call(addCoach, { body })).status).toBe(200);
  const { settings } = (await coach.call(getCoachDesk)).body;
  const hours = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, fromTime: "08:00", toTime: "12:00" }));
  const changed = { isActive: true, settings: { ...settings, hours, meetingUrl: null }, reason };
  expect((await admin.call(changeCoach, { params: { id: await coach.id() }, body: changed })).status).toBe(200);
  return coach;
}

test("a session that changes coach is in one coach's calendar, and in none once cancelled [K09]", async () => {
  const [mele, tala] = [await newCoach("Mele"), await newCoach("Tala")];
  const student = await academy.member("vip");
  const userId = await student.id();
  // 19:00 UTC is the next day at the coaches, but not at the student.
  const at = (hours: number) => new Date(Math.floor(Date.now() / DAY) * DAY + hours * HOUR).toISOString();
  const expectWith = async (coach: Visitor, without: Visitor, startsAt: string) => {
    expect(await untilCalendarsHave(academy, coach, 1)).toBe(startsAt);
    await untilCalendarsHave(academy, without, 0);
    await until(async () => (await untilCalendarsHave(academy, student, 1)) === startsAt);
  };

  const body = { userId, coachId: await mele.id(), startsAt: at(115), timeZone, reason };
  expect((await admin.call(bookForStudent, { body })).status).toBe(200);
  await expectWith(mele, tala, at(115));
  const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "Pacific/Apia" }).format(
    new Date(at(115)),
  );
  await academy.mailTo(mele, ` on ${day}`);
  const params = { id: (await student.call(getCoaching)).body.upcoming?.id ?? "" };

  const handed = { coachId: await tala.id(), startsAt: at(117), reason };
  expect((await admin.call(moveForStudent, { params, body: handed })).status).toBe(200);
  await expectWith(tala, mele, at(117));
  const version = (await tala.call(getCoachBooking, { params })).body.summaryVersion;
  const ofAnother = await Promise.all([
    mele.call(getCoachBooking, { params }),
    mele.call(joinAsCoach, { params, body: {} }),
    mele.call(cancelAsCoach, { params, body: {} }),
    mele.call(markBooking, { params, body: { as: "held" } }),
    mele.call(writeSummary, { params, query: { version }, body: { summary: "Mine" } }),
  ]);
  expect(ofAnother.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);

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

test("what a month offered follows from the hours that coaches have now", async () => {
  const lastMonth = async () =>
    (await admin.call(getCoachingAdministration)).body.months[1] ?? { month: "", offered: 0 };
  const before = await lastMonth();
  const coach = await newCoach("Moana");
  expect(await lastMonth()).toEqual(before);
  const id = await coach.id();
  await academy.pool.query("update coaches set created_at = created_at - interval '70 days' where user_id = $1", [id]);
  const [year = 0, month = 0] = before.month.split("-").map(Number);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  expect((await lastMonth()).offered).toBe(before.offered + 8 * days);
});

test("an administrator moves no session away from a time that they have not seen, nor over a group's", async () => {
  const coach = await newCoach("Lani");
  const student = await academy.member("vip");
  const [userId, coachId] = [await student.id(), await coach.id()];
  const [first, second, third] = (await slotsOf(student, "Lani")).slice(-3).map(({ startsAt }) => startsAt);
  const body = { userId, coachId, startsAt: first, timeZone, reason };
  expect((await admin.call(bookForStudent, { body })).status).toBe(200);
  const read = async () => {
    const [booking] = (await admin.call(listAllBookings, { query: { userId } })).body.rows;
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

  const group = { title: "Together", about: "All of us", requiredTier: "vip", seats: null, meetingUrl: null, reason };
  const overlapping = { ...group, coachId, startsAt: first, minutes: 30 };
  expect((await admin.call(scheduleLive, { body: overlapping })).status).toBe(200);
  const over = { params, body: { coachId, startsAt: first, reason } };
  expect(await admin.call(moveForStudent, over)).toMatchObject({ status: 409, body: { code: "slot-taken" } });
  expect((await read()).startsAt).toBe(third);
});

test("a coach who leaves gives every session back, and one more, and offers none [K02]", async () => {
  const coach = await newCoach("Sina");
  const student = await academy.member("vip");
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

test("the course is for active coaches, the desk for former ones too, neither for an unconfirmed address", async () => {
  const coach = await newCoach("Vai");
  const params = { id: await coach.id() };
  const seen = async () => [(await coach.access()).source, (await coach.call(getCoachDesk)).status];
  expect(await seen()).toEqual(["team", 200]);

  const student = await academy.member("vip");
  expect((await student.call(bookSession, { body: (await slotsOf(student, "Vai")).at(-1) })).status).toBe(201);
  const { settings } = (await coach.call(getCoachDesk)).body;
  const change = (isActive: boolean) => admin.call(changeCoach, { params, body: { isActive, settings, reason } });
  expect((await change(false)).status).toBe(200);
  expect(await seen()).toEqual([null, 200]);

  expect((await change(true)).status).toBe(200);
  await academy.pool.query("update users set email_verified_at = '2999-01-01' where id = $1", [params.id]);
  expect(await seen()).toEqual([null, 403]);
});

const deskOf = async () => (await dana.call(getCoachDesk)).body;
const administered = async () => {
  const { coaches } = (await admin.call(getCoachingAdministration)).body;
  return coaches.find(({ email }) => email === "coach@academy.test") ?? expect.fail("no coach");
};
const saveAsCoach = (version: string, settings: CoachSettings) =>
  dana.call(setCoachSettings, { query: { version }, body: settings });
const saveAsAdmin = (id: string, version: string, settings: CoachSettings, isActive = true) =>
  admin.call(changeCoach, { params: { id }, query: { version }, body: { isActive, settings, reason } });

test("of a coach and an administrator who change the same hours, the second is refused", async () => {
  const { settings, settingsVersion } = await deskOf();
  const { id, version } = await administered();
  const dayOff = { ...settings, days: [{ date: "2098-01-01", fromTime: null, toTime: null }] };
  const renamed = { ...settings, displayName: "Dana from the shop" };
  expect((await saveAsCoach(settingsVersion, dayOff)).body.settings).toEqual(dayOff);
  expect(await saveAsAdmin(id, version, renamed)).toMatchObject(conflict);
  expect(await saveAsCoach(settingsVersion, renamed)).toMatchObject(conflict);
  expect((await deskOf()).settings).toEqual(dayOff);

  const found = await administered();
  const both = { ...found.settings, displayName: "Dana from the shop" };
  expect((await saveAsAdmin(id, found.version, both)).status).toBe(200);
  expect((await deskOf()).settings).toEqual(both);
  expect((await dana.call(setCoachSettings, { body: settings })).status).toBe(200);
});

test("of simultaneous saves one counts, and no old page makes a coach active again", async () => {
  const { settings, settingsVersion } = await deskOf();
  const { id, version } = await administered();
  const answers = await Promise.all([
    ...[1, 2].map((day) => saveAsAdmin(id, version, { ...settings, displayName: `Dana ${day}` })),
    ...[3, 4].map((day) => saveAsCoach(settingsVersion, { ...settings, displayName: `Dana ${day}` })),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  const { displayName } = (await deskOf()).settings;
  expect(answers[Number(displayName.slice(-1)) - 1]?.status).toBe(200);

  const before = await administered();
  expect((await saveAsAdmin(id, before.version, before.settings, false)).status).toBe(200);
  expect(await saveAsAdmin(id, before.version, { ...before.settings, displayName: "Dana" })).toMatchObject(conflict);
  const ended = await administered();
  expect(ended).toMatchObject({ isActive: false, settings: { displayName } });
  expect((await saveAsAdmin(id, ended.version, settings)).status).toBe(200);
});

test("hours that change leave what is booked, and say so [K04]", async () => {
  const booking = await bookAhead(await academy.member("vip"), academy, 3);
  const { settings } = await deskOf();
  const hours = [{ weekday: 7, fromTime: "06:00", toTime: "06:30" }];
  const desk = (await dana.call(setCoachSettings, { body: { ...settings, hours } })).body;
  expect(desk.upcoming.find(({ id }) => id === booking.id)).toMatchObject({ isOutsideHours: true, state: "booked" });
  const overlapping = [...settings.hours, { weekday: 1, fromTime: "16:00", toTime: "17:00" }];
  const refused = await dana.call(setCoachSettings, { body: { ...settings, hours: overlapping } });
  expect(refused.body.errors).toHaveProperty("hours");
  await dana.call(setCoachSettings, { body: settings });
});

test("a summary that was written elsewhere meanwhile stays, and the student is told of it once", async () => {
  const student = await academy.visitor().signInAsDemo("vip@academy.test");
  const { id = "", endsAt = "" } = (await student.call(getCoaching)).body.upcoming ?? {};
  await advanceTo(academy, endsAt, 10);
  await dana.signInAsDemo("coach@academy.test");
  await dana.call(markBooking, { params: { id }, body: { as: "held" } });
  const read = async () => (await dana.call(getCoachBooking, { params: { id } })).body;
  const write = (version: string, summary: string) =>
    dana.call(writeSummary, { params: { id }, query: { version }, body: { summary } });
  const { summaryVersion } = await read();
  const written = (await write(summaryVersion, "From the phone")).body;
  expect(await write(summaryVersion, "From the desk")).toMatchObject(conflict);
  expect((await read()).summary).toBe("From the phone");
  expect((await write(written.summaryVersion, "From the desk")).body).toMatchObject({ summary: "From the desk" });
  await academy.mailTo(student, "wrote a summary");
  const waiting = "select from jobs where data ->> 'kind' = 'coaching-summary'";
  await until(async () => (await academy.pool.query(waiting)).rowCount === 0);
  const told = (await academy.mails(student.email)).filter(({ subject }) => subject.includes("wrote a summary"));
  expect(told).toHaveLength(1);
});
