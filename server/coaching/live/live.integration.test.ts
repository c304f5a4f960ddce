import { beforeEach, expect } from "vitest";
import {
  cancelLive,
  changeLive,
  getCoachingAdministration,
  recordLive,
  scheduleLive,
} from "#contract/admin/coaching.ts";
import { updateUserTier } from "#contract/admin/users.ts";
import {
  getCoaching,
  getRecording,
  giveSeatUp,
  joinLive,
  openCalendar,
  takeSeat,
} from "#contract/coaching/coaching.ts";
import { deleteUser } from "#contract/profile.ts";
import { calendarAfter, readers, untilCalendarsHave } from "#test/calendar-readers.ts";
import { advanceTo, confirmAddress } from "#test/coaching.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { whileLocked } from "#test/locks.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

const HOUR = 3_600_000;
const room = "https://meet.example.com/together";
const { academy, administrator: admin, test } = await academyOfFile();
await leaveOnlyJobs(academy);
const coachId = (await admin.call(getCoachingAdministration)).body.coaches[0]?.id ?? "";
beforeEach(() => admin.signInAgain());

const textOf = (title: string, startsAt: number) => ({
  ...{ title, about: "Bring one product.", requiredTier: "premium", seats: null, minutes: 60, meetingUrl: room },
  ...{ coachId, startsAt: new Date(startsAt).toISOString(), reason: "a group" },
});

/** Creates a group session and returns its id. */
async function schedule(title: string, startsAt: number, more: object = {}): Promise<string> {
  expect((await admin.call(scheduleLive, { body: { ...textOf(title, startsAt), ...more } })).status).toBe(200);
  const { live } = (await admin.call(getCoachingAdministration)).body;
  return live.find((session) => session.title === title)?.id ?? "";
}

const mailsTo = async (email: string, subject: RegExp) =>
  (await academy.mails(email)).filter((mail) => subject.test(mail.subject));

/** The calendar entries that a user was sent about a session, the oldest first. */
const entriesTo = async (email: string, title: string) =>
  (await academy.mails(email))
    .filter(({ calendar }) => calendar?.includes(`SUMMARY:${title}`))
    .map(({ calendar }) => calendar ?? "")
    .reverse();

async function afterEntries(email: string, title: string, count: number) {
  const entries = await until(async () => {
    const all = await entriesTo(email, title);
    return all.length >= count && all;
  });
  return Object.values(readers).map((read) => calendarAfter(read, entries));
}

test("a seat is an entry that moves with its session and leaves with the seat or the session [K09]", async () => {
  const title = "Calendars together";
  const student = await academy.member("premium");
  const at = (await academy.now()) + 10 * 24 * HOUR + 2_345_000;
  const id = await schedule(title, at);
  const params = { id };
  const take = () => student.call(takeSeat, { params, body: { question: "why" } });
  const startsAt = new Date(Math.floor(at / 1000) * 1000).toISOString();
  expect((await take()).status).toBe(200);
  expect((await take()).status).toBe(200);
  for (const calendar of await afterEntries(student.email, title, 1)) {
    expect(calendar).toMatchObject([
      { title, startsAt, status: "CONFIRMED", attendees: [{ to: student.email, partstat: "ACCEPTED", rsvp: false }] },
    ]);
  }
  expect((await student.call(giveSeatUp, { params })).status).toBe(200);
  for (const calendar of await afterEntries(student.email, title, 2)) expect(calendar).toEqual([]);
  await take();
  for (const calendar of await afterEntries(student.email, title, 3)) expect(calendar).toHaveLength(1);

  const later = at + 2 * HOUR;
  expect((await admin.call(changeLive, { params, body: textOf(title, later) })).status).toBe(200);
  for (const email of [student.email, "coach@academy.test"]) {
    for (const calendar of await afterEntries(email, title, email === student.email ? 4 : 2)) {
      expect(calendar).toMatchObject([{ startsAt: new Date(Math.floor(later / 1000) * 1000).toISOString() }]);
    }
  }
  expect(await mailsTo(student.email, /^Changed: Calendars/)).toHaveLength(1);
  expect((await admin.call(cancelLive, { params, body: { reason: "ill" } })).status).toBe(200);
  for (const calendar of await afterEntries(student.email, title, 5)) expect(calendar).toEqual([]);
  for (const calendar of await afterEntries("coach@academy.test", title, 3)) expect(calendar).toEqual([]);
  const entries = (await entriesTo(student.email, title)).map(readers["ical.js"]);
  expect(new Set(entries.map(({ uid }) => uid)).size).toBe(1);
  expect(entries.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4]);
});

test("a change of an older version of a group session or its recording is refused", async () => {
  const title = "Two at once";
  const at = (await academy.now()) + 20 * 24 * HOUR + 1_234_000;
  const id = await schedule(title, at);
  const params = { id };
  const read = async () => {
    const found = (await admin.call(getCoachingAdministration)).body.live.find((session) => session.id === id);
    if (!found) throw new Error("the session is not listed");
    return found;
  };
  const { meetingUrl: _, ...body } = textOf(title, at);
  const change = (about: string, version: string, more = {}) =>
    admin.call(changeLive, { params, query: { version }, body: { ...body, about, ...more } });
  const older = await read();
  expect((await change("First.", older.version)).status).toBe(200);
  const message = expect.stringContaining("Someone changed");
  const conflict = { status: 409, body: { code: "conflict", message } };
  expect(await change("Second.", older.version)).toMatchObject(conflict);
  const newer = await read();
  expect(newer).toMatchObject({ about: "First.", hasOwnRoom: true });
  expect((await change("First.", newer.version, { meetingUrl: `${room}-2` })).status).toBe(200);
  // The room is never read, and a newer one is kept all the same.
  expect(await change("First.", newer.version, { meetingUrl: `${room}-3` })).toMatchObject(conflict);

  await academy.advance(`${21 * 24}h`, admin);
  const { version } = await read();
  const record = (videoId: string) =>
    admin.call(recordLive, { params, query: { version }, body: { videoId, seconds: 60, reason: "recorded" } });
  expect((await record("sample:lesson-1-1")).status).toBe(200);
  expect(await record("sample:lesson-1-2")).toMatchObject(conflict);
  expect(await read()).toMatchObject({ recordingVideoId: "sample:lesson-1-1" });
});

test("students who lose access or delete their account lose their seat and its calendar entry [K02]", async () => {
  const title = "Seats that end";
  const [lowered, leaving] = [await academy.member("premium"), await academy.member("premium")];
  const fromLifetime = await academy.member("vip");
  const id = await schedule(title, (await academy.now()) + 12 * 24 * HOUR);
  const ofLifetime = await schedule("Of Lifetime", (await academy.now()) + 14 * 24 * HOUR, { requiredTier: "vip" });
  for (const student of [lowered, leaving]) await student.call(takeSeat, { params: { id }, body: {} });
  await fromLifetime.call(takeSeat, { params: { id: ofLifetime }, body: {} });
  for (const student of [lowered, leaving, fromLifetime]) await untilCalendarsHave(academy, student, 1);
  for (const [student, newTier] of [
    [lowered, "basic"],
    [fromLifetime, "premium"],
  ] as const) {
    await admin.call(updateUserTier, { body: { userId: await student.id(), newTier, reason: "asked for it" } });
  }
  expect((await leaving.call(deleteUser)).status).toBe(200);
  for (const student of [lowered, leaving, fromLifetime]) await untilCalendarsHave(academy, student, 0);
  const { live } = (await admin.call(getCoachingAdministration)).body;
  expect(live.filter((session) => [id, ofLifetime].includes(session.id)).map(({ coming }) => coming)).toEqual([0, 0]);
});

test("a group session is announced, has as many seats as it has, and is joined at its time [K05]", async () => {
  const title = "Two of us";
  const [first, second] = [await academy.member("vip"), await academy.member("premium")];
  const at = (await academy.now()) + 3 * 24 * HOUR;
  const id = await schedule(title, at, { seats: 1, meetingUrl: null });
  await academy.mailTo(first, `Group session: ${title}`);
  const params = { id };
  const take = (visitor: Visitor) => visitor.call(takeSeat, { params, body: { question: "Why?" } });
  const taking: ReturnType<typeof take>[] = [];
  const session = "select from live_sessions where id = $1 for update";
  await whileLocked(academy.pool, session, [id], async ({ waiting }) => {
    taking.push(take(first), take(second));
    await waiting(2);
  });
  const answers = await Promise.all(taking);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [holder, refused] = answers[0]?.status === 200 ? [first, second] : [second, first];
  await holder.call(giveSeatUp, { params });
  expect((await take(refused)).status).toBe(200);
  expect((await refused.call(joinLive, { params, body: {} })).body.code).toBe("conflict");
  await academy.advance(`${3 * 24}h`, refused);
  expect((await refused.call(joinLive, { params, body: {} })).body.meetingUrl).toMatch(/^https:/);
  const basic = await academy.visitor().signInAsDemo("basic@academy.test");
  expect((await basic.call(joinLive, { params, body: {} })).status).toBe(403);
});

test("students are reminded of a group session once, join on time, and get its recording [K06, K07]", async () => {
  const title = "Until the recording";
  const student = await academy.member("premium");
  const absent = await academy.member("premium");
  const at = (await academy.now()) + 4 * 24 * HOUR;
  const id = await schedule(title, at);
  const params = { id };
  await student.call(takeSeat, { params, body: {} });
  await absent.call(takeSeat, { params, body: {} });
  await absent.call(giveSeatUp, { params });
  await confirmAddress(academy, student);
  const { url } = (await student.call(openCalendar, { body: {} })).body;
  const feed = await (await academy.visitor().send("GET", new URL(url).pathname)).text();
  expect(readers["ts-ics"](feed)).toMatchObject({ method: "PUBLISH", title, attendees: [] });
  const early = await student.call(joinLive, { params, body: {} });
  expect(early).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect(JSON.stringify([feed, early.body, (await student.call(getCoaching)).body])).not.toContain(room);
  const body = { videoId: "sample:lesson-1-1", seconds: 60, reason: "recorded" };
  expect((await admin.call(recordLive, { params, body })).status).toBe(409);

  await advanceTo(academy, new Date(at).toISOString(), -5, student);
  expect((await student.call(joinLive, { params, body: {} })).body.meetingUrl).toBe(room);
  await academy.advance("2h", admin);
  expect((await admin.call(recordLive, { params, body })).status).toBe(200);
  for (const person of [student, { email: "coach@academy.test" }]) await academy.mailTo(person, /^Recording: Until/);
  await student.signInAgain();
  expect((await student.call(getRecording, { params })).body).toMatchObject({ kind: "file" });
  for (const email of [student.email, "coach@academy.test"]) {
    expect(await mailsTo(email, /^Reminder: Until/)).toHaveLength(2);
  }
  expect(await mailsTo(absent.email, /^(Reminder|Recording): Until/)).toEqual([]);
  expect(JSON.stringify(await academy.mails()) + academy.log.join("\n")).not.toContain(room);
});
