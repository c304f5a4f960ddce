import { expect } from "vitest";
import { listContacts } from "#contract/admin/contacts.ts";
import { suspendAccount } from "#contract/admin/users.ts";
import { getCoachBooking, getCoachDesk, joinAsCoach, markBooking, writeSummary } from "#contract/coaching/coach.ts";
import {
  bookSession,
  cancelBooking,
  closeCalendar,
  contestBooking,
  getBooking,
  getCoaching,
  getSlots,
  joinBooking,
  moveBooking,
  openCalendar,
  setTimeZone,
  takeSeat,
} from "#contract/coaching/coaching.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { endOtherSessions } from "#contract/identity/sessions.ts";
import { deleteUser } from "#contract/profile.ts";
import type { AcademyInProcess } from "#test/academy-in-process.ts";
import { calendarAfter, readers, untilCalendarsHave } from "#test/calendar-readers.ts";
import { advanceTo, bookAhead, confirmAddress, freeTimes, timeZone } from "#test/coaching.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { databaseAsText } from "#test/tables.ts";
import { until } from "#test/until.ts";
import { exportedFile } from "#test/unzip.ts";
import type { Visitor } from "#test/visitor.ts";

const { academy: opened, test } = await academyOfFile();
await leaveOnlyJobs(opened);
const room = /meet\.example\.com/;

const signInCoach = (academy: AcademyInProcess) => academy.visitor().signInAsDemo("coach@academy.test");
const book = (student: Visitor, time: object | undefined, more: object = {}) =>
  student.call(bookSession, { body: { ...time, ...more } });
const feedOf = (academy: AcademyInProcess, url: string) => academy.visitor().send("GET", new URL(url).pathname);

test("a student books a free time once, even if asked twice", async ({ academy }) => {
  const student = await academy.member("vip");
  const times = await freeTimes(student, academy);
  expect(times.length).toBeGreaterThan(20);
  const time = times.at(-1);
  const booked = await book(student, time, { prep: "Stuck on <b>fees</b>" });
  expect(booked).toMatchObject({ status: 201, body: { state: "booked", prep: "Stuck on <b>fees</b>", movesLeft: 2 } });
  expect(await book(student, time)).toMatchObject({ status: 200, body: { id: booked.body.id } });
  expect(await book(student, times[0])).toMatchObject({ status: 409, body: { code: "already-booked" } });
  const others = await freeTimes(await academy.member("vip"), academy);
  expect(others.some(({ startsAt }) => startsAt === time?.startsAt)).toBe(false);
  const overview = (await student.call(getCoaching)).body;
  const coachId = await (await signInCoach(academy)).id();
  const told = [booked.body, overview, (await student.call(getSlots)).body];
  expect(JSON.stringify(told)).not.toContain(coachId);
  expect((await book(student, { ...times[0], coachId })).status).toBe(404);
  expect(overview).toMatchObject({ timeZone, upcoming: { id: booked.body.id } });
  const mail = await academy.mailTo(student, /^Booked/);
  expect(mail.text).toContain("(New York, your time)");
  expect(mail.text).toContain("for Dana in Berlin");
  expect(JSON.stringify(mail)).not.toContain("fees");
});

test("any time that is not free is refused with a sentence [K08]", async ({ academy }) => {
  const student = await academy.member("vip");
  const [time] = await freeTimes(student, academy);
  for (const [asked, status] of [
    [{ startsAt: new Date(Date.parse(time?.startsAt ?? "") + 60_000).toISOString() }, 409],
    [{ startsAt: "2020-01-01T00:00:00Z" }, 400],
    [{ startsAt: "9999-12-31T23:59:59Z" }, 400],
    [{ startsAt: "next Tuesday" }, 400],
    [{ startsAt: "2027-02-30T10:00:00Z" }, 400],
    [{ timeZone: "Mars/Olympus" }, 400],
    [{ prep: "x".repeat(1001) }, 400],
    [{ prep: "a\0b" }, 400],
    [{ coachId: "nobody" }, 404],
    [{ userId: "somebody" }, 400],
  ] as const) {
    const answer = await book(student, time, asked);
    expect(answer.status, JSON.stringify(asked).slice(0, 200)).toBe(status);
    expect(answer.body.message).toBeTruthy();
  }
  expect((await student.call(getCoaching)).body.upcoming).toBeNull();
});

test("a session moves twice at most, as one calendar entry, which cancelling removes [K09]", async ({ academy }) => {
  const student = await academy.member("vip");
  const times = await freeTimes(student, academy, 3);
  const { body } = await book(student, times[0], { prep: "secret sums" });
  const params = { id: body.id };
  const move = (to: object | undefined) => student.call(moveBooking, { params, body: to });
  const entries = async (count: number) => {
    const mails = await until(async () => {
      const all = (await academy.mails(student.email)).filter(({ calendar }) => calendar);
      return all.length === count && all;
    });
    return mails.map(({ calendar }) => calendar ?? "").reverse();
  };
  await entries(1);
  expect(await move(times[1])).toMatchObject({ status: 200, body: { movesLeft: 1, sequence: 1 } });
  expect(await move(times[1])).toMatchObject({ status: 200, body: { movesLeft: 1, sequence: 1 } });
  await entries(2);
  expect(await move(times[2])).toMatchObject({ status: 200, body: { movesLeft: 0, mayMove: false } });
  await entries(3);
  expect(await move(times[3])).toMatchObject({ status: 409, body: { code: "too-late" } });
  const cancelled = await student.call(cancelBooking, { params, body: {} });
  expect(cancelled).toMatchObject({ status: 200, body: { state: "cancelled", isLate: false, counts: false } });
  expect((await student.call(cancelBooking, { params, body: {} })).status).toBe(200);
  const emails = await entries(4);
  for (const subject of [/^Moved/, /^Cancelled/]) await academy.mailTo(student, subject);

  for (const read of Object.values(readers)) {
    for (const at of [0, 1, 2]) {
      expect(calendarAfter(read, emails.slice(0, at + 1))).toMatchObject([{ startsAt: times[at]?.startsAt }]);
    }
    expect(calendarAfter(read, emails)).toEqual([]);
    const said = emails.map(read);
    expect(said.map(({ method, sequence, status, startsAt }) => [method, sequence, status, startsAt])).toEqual([
      ["REQUEST", 0, "CONFIRMED", times[0]?.startsAt],
      ["REQUEST", 1, "CONFIRMED", times[1]?.startsAt],
      ["REQUEST", 2, "CONFIRMED", times[2]?.startsAt],
      ["CANCEL", 3, "CANCELLED", times[2]?.startsAt],
    ]);
    expect(new Set(said.map(({ uid }) => uid)).size).toBe(1);
    for (const { attendees } of said) {
      expect(attendees).toEqual([{ to: student.email, partstat: "ACCEPTED", rsvp: false }]);
    }
  }
  for (const content of emails) expect(content).toContain("mailto:support@academy.test");
  expect(emails.join("\n")).not.toContain("secret sums");
  expect((await book(student, times[0])).status).toBe(201);
});

test("a subscribed calendar has the session, no attendee, and ends with its address [K09]", async ({ academy }) => {
  const student = await academy.member("vip");
  const { startsAt } = await bookAhead(student, academy, 5);
  expect(await student.call(openCalendar, { body: {} })).toMatchObject({ status: 409, body: { code: "conflict" } });
  await confirmAddress(academy, student);
  const { url } = (await student.call(openCalendar, { body: {} })).body;
  const answer = await feedOf(academy, url);
  expect(answer.headers.get("content-type")).toContain("text/calendar");
  const content = await answer.text();
  for (const read of Object.values(readers)) {
    expect(read(content)).toMatchObject({ method: "PUBLISH", startsAt, attendees: [] });
  }

  const { url: second } = (await student.call(openCalendar, { body: {} })).body;
  expect((await feedOf(academy, url)).status).toBe(404);
  expect((await feedOf(academy, second)).status).toBe(200);
  await student.call(closeCalendar);
  expect((await feedOf(academy, second)).status).toBe(404);
  expect(academy.log.join("\n")).not.toContain(url.split("/").at(-1));
});

test("a calendar ends with the other sign-ins and with a suspension [K09]", async ({ academy, administrator }) => {
  const student = await academy.member("vip");
  await confirmAddress(academy, student);
  const userId = await student.id();
  for (const end of [
    () => student.call(endOtherSessions, { body: {} }),
    () => administrator.call(suspendAccount, { body: { userId, reason: "a test" } }),
  ]) {
    const { url } = (await student.call(openCalendar, { body: {} })).body;
    expect((await feedOf(academy, url)).status).toBe(200);
    expect((await end()).status).toBe(200);
    await until(async () => (await feedOf(academy, url)).status === 404);
  }
});

test("a scanner that follows every link of every email changes nothing [K11]", async ({ academy }) => {
  const student = await academy.member("vip");
  const booking = await bookAhead(student, academy, 3);
  await untilCalendarsHave(academy, student, 1);
  const links = (await academy.mails(student.email)).flatMap(({ html, text }) => [
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
  const { startsAt } = booking;
  const same = { state: "booked", sequence: 0, startsAt };
  expect((await student.call(getBooking, { params: { id: booking.id } })).body).toMatchObject(same);
  await untilCalendarsHave(academy, student, 1);
});

test("contesting is limited to thirty times an hour [K10]", async ({ student }) => {
  const contest = () => student.call(contestBooking, { params: { id: "none" }, body: { text: "It was held" } });
  for (let at = 0; at < 30; at++) expect((await contest()).status).toBe(404);
  expect((await contest()).status).toBe(429);
});

test("a browser's time zone is stored until the student chooses one", async ({ academy }) => {
  const student = await academy.visitor().signUp();
  const set = async (timeZone: string, isGuess?: boolean) =>
    (await student.call(setTimeZone, { body: { timeZone, isGuess } })).body.timeZone;
  expect(await set("Asia/Tokyo", true)).toBe("Asia/Tokyo");
  expect(await set("Europe/Berlin", true)).toBe("Asia/Tokyo");
  expect(await set("Europe/Paris")).toBe("Europe/Paris");
  expect(await set("Asia/Tokyo", true)).toBe("Europe/Paris");
});

test("the export has the coaching, and deletion leaves times and states without text [K12]", async ({ academy }) => {
  const zone = { timeZone: "Pacific/Chatham" };
  const student = await academy.member("vip");
  const userId = await student.id();
  await bookAhead(await academy.member("vip"), academy, 20, "Somebody else's marimba");
  await student.call(setTimeZone, { body: zone });
  const [soon] = await freeTimes(student, academy);
  const held = await book(student, soon, { ...zone, prep: "My zither", lessonId: "lesson-1-1" });
  expect(held.status).toBe(201);
  const live = (await student.call(getCoaching)).body.live[0];
  const question = { question: "Where do dulcimers go?" };
  expect((await student.call(takeSeat, { params: { id: live?.id ?? "" }, body: question })).status).toBe(200);
  await confirmAddress(academy, student);
  const { url } = (await student.call(openCalendar, { body: {} })).body;

  const params = { id: held.body.id };
  await advanceTo(academy, held.body.endsAt, 0);
  const coach = await signInCoach(academy);
  await student.signInAgain();
  expect((await coach.call(markBooking, { params, body: { as: "held" } })).status).toBe(200);
  expect((await coach.call(writeSummary, { params, body: { summary: "Tune the ocarina." } })).status).toBe(200);

  const text = await exportedFile(student, "coaching.json");
  expect(JSON.parse(text)).toMatchObject({
    timeZone: zone.timeZone,
    calendarSince: expect.any(String),
    sessions: [
      {
        ...{ id: held.body.id, state: "held", startsAt: soon?.startsAt, studentZone: zone.timeZone },
        ...{ prep: "My zither", lessonId: "lesson-1-1", summary: "Tune the ocarina." },
      },
    ],
    groupSessions: [{ state: "taken", ...question }],
    extraSessions: [],
    coach: null,
  });
  const coachId = await coach.id();
  expect(text).not.toMatch(/marimba|meet\.example\.com/);
  expect(text).not.toContain(coachId);
  const ofCoach = await exportedFile(coach, "coaching.json");
  expect(JSON.parse(ofCoach)).toMatchObject({ coach: { displayName: "Dana" }, sessions: [] });
  expect(ofCoach).not.toMatch(/zither|dulcimer|marimba/);

  const words = /zither|dulcimer|ocarina/i;
  expect(await databaseAsText(academy.pool)).toMatch(words);
  expect((await student.call(deleteUser)).status).toBe(200);
  const late = { params, body: { summary: "The ocarina is tuned." } };
  expect((await coach.call(writeSummary, late)).status).toBe(404);
  await until(async () => !words.test(await databaseAsText(academy.pool)));
  const { rows } = await academy.pool.query("select state, starts_at from bookings where user_id = $1", [userId]);
  expect(rows).toEqual([{ state: "held", starts_at: new Date(soon?.startsAt ?? "") }]);
  expect((await feedOf(academy, url)).status).toBe(404);
  const left = JSON.stringify([
    (await coach.call(getCoachDesk)).body,
    (await coach.call(getCoachBooking, { params })).body,
  ]);
  expect(left).not.toMatch(words);
  expect(left).not.toContain(student.email);
});

test("the student gets the room 15 minutes before, and afterwards the coach's summary [K07]", async ({ academy }) => {
  const student = await academy.member("vip");
  const stranger = await academy.member("vip");
  const booking = await bookAhead(student, academy, 3);
  const params = { id: booking.id };
  const join = (visitor: Visitor) => visitor.call(joinBooking, { params, body: {} });
  const basic = await academy.visitor().signInAsDemo("basic@academy.test");
  const early = await join(student);
  expect(early).toMatchObject({ status: 409, body: { code: "conflict" } });
  expect(await join(stranger)).toMatchObject({ status: 404 });
  expect(await join(basic)).toMatchObject({ status: 403, body: { code: "tier-required" } });
  expect(JSON.stringify([early, booking, (await student.call(getCoaching)).body])).not.toMatch(room);
  await confirmAddress(academy, student);
  const { url } = (await student.call(openCalendar, { body: {} })).body;
  expect(await (await feedOf(academy, url)).text()).not.toMatch(room);

  await advanceTo(academy, booking.startsAt, -10);
  await student.signInAgain();
  const coach = await signInCoach(academy);
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
  await academy.mailTo(student, /^Dana wrote/);

  expect(JSON.stringify(await academy.mails()) + academy.log.join("\n")).not.toMatch(room);
  const reminders = (await academy.mails(student.email)).filter(({ subject }) => subject.startsWith("Reminder"));
  expect(reminders).toHaveLength(2);
});

test("a student says once, within 7 days, that a mark is wrong [K10]", async ({ academy }) => {
  const student = await academy.member("vip");
  const stranger = await academy.member("vip");
  const late = await academy.member("vip");
  const { id, startsAt } = await bookAhead(student, academy, 2);
  const tooLate = { params: { id: (await bookAhead(late, academy, 2)).id }, body: { text: "It was held" } };
  const params = { id };
  const contest = (visitor = student) => visitor.call(contestBooking, { params, body: { text: "We both were there" } });
  expect(await contest()).toMatchObject({ status: 409, body: { code: "conflict" } });

  // Nobody joined, so a day after its end the session counts as missed by the coach.
  await advanceTo(academy, startsAt, 26 * 60);
  for (const visitor of [student, stranger]) await visitor.signInAgain();
  expect((await student.call(getBooking, { params })).body).toMatchObject({
    state: "missed-by-coach",
    mayContest: true,
    contestedAt: null,
  });
  expect((await contest(stranger)).status).toBe(404);
  expect((await student.call(contestBooking, { params, body: { text: " " } })).status).toBe(400);
  const both = await Promise.all([contest(), contest()]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await student.call(getBooking, { params })).body).toMatchObject({
    mayContest: false,
    contestedAt: expect.any(String),
  });
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const messages = (await admin.call(listContacts, { query: { search: student.email } })).body;
  expect(messages).toMatchObject([{ email: student.email, message: expect.stringContaining("We both were there") }]);
  expect(messages[0]?.message).toContain(id);

  await academy.advance("8d", late);
  expect((await late.call(getBooking, { params: tooLate.params })).body).toMatchObject({
    state: "missed-by-coach",
    mayContest: false,
  });
  expect(await late.call(contestBooking, tooLate)).toMatchObject({ status: 409, body: { code: "too-late" } });
});

test("the calendar of a suspended coach names no student [A07]", async ({ academy, administrator }) => {
  const student = await academy.member("vip");
  const { firstName } = (await student.call(getCurrentUser)).body;
  await bookAhead(student, academy, 3);
  const coach = await signInCoach(academy);
  const { url } = (await coach.call(openCalendar, { body: {} })).body;
  const read = async () => (await feedOf(academy, url)).text();
  expect(await read()).toContain(`Coaching with ${firstName}`);
  const userId = await coach.id();
  expect((await administrator.call(suspendAccount, { body: { userId, reason: "A complaint" } })).status).toBe(200);
  expect(await read()).not.toContain("Coaching with");
});
