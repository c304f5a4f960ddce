import { Temporal } from "temporal-polyfill";
import { beforeEach, expect } from "vitest";
import {
  announcementSteps,
  cancelAnnouncement,
  changeAnnouncement,
  createAnnouncement,
  deleteAnnouncement,
  getAnnouncement,
  type SendAt,
  sendAnnouncement,
} from "#contract/admin/announcements.ts";
import { deleteUserAccount, suspendAccount } from "#contract/admin/users.ts";
import { chooseAnnouncements } from "#contract/announcements.ts";
import { academyOfFile, forFile } from "#test/fixtures.ts";
import { inRole } from "#test/in-role.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { mailServer } from "#test/stand-ins/mail-server.ts";
import { until } from "#test/until.ts";

const server = await forFile(mailServer());
await server.start();
const { academy, administrator: admin, test } = await academyOfFile({ SMTP_URL: server.url });
await leaveOnlyJobs(academy);
beforeEach(() => admin.signInAgain());

const text = { text: "Module 6 is here.", button: null };

async function draft(subject: string, search: string) {
  const body = { ...text, subject, audience: `filter:search=${search}` };
  return (await admin.call(createAnnouncement, { body })).body.id;
}

/** A student with a confirmed address, whose browser has told this time zone. */
async function studentIn(zone: string | null, email: string) {
  const student = await inRole(academy, null, email);
  await academy.pool.query(
    `insert into coaching_calendars (user_id, time_zone, updated_at)
     select id, $2, now() from users where email = $1 and $2::text is not null`,
    [email, zone],
  );
  return student;
}

const schedule = (id: string, sendAt: SendAt, recipients = 50, by = admin) =>
  by.call(sendAnnouncement, { params: { id }, body: { recipients, sendAt } });
const stateOf = async (id: string) => (await admin.call(getAnnouncement, { params: { id } })).body;
const idOf = async (email: string): Promise<string> =>
  (await academy.pool.query("select id from users where email = $1", [email])).rows[0]?.id;
const recipientsOf = (subject: string) =>
  server.arrivals
    .filter(({ headers }) => headers.get("subject") === subject)
    .map(({ to }) => to.replace(/@.*/, ""))
    .toSorted();

/** Moves the clocks to `instant`. */
async function goTo(instant: Temporal.Instant): Promise<void> {
  await academy.advance(`${Math.ceil((instant.epochMilliseconds - (await academy.now())) / 1000)}s`, admin);
}

test("a scheduled email arrives at its time on each student's clock, also when clocks change [N17 N18]", async () => {
  // Europe's clocks change on the Sunday, and those of North America have changed two weeks before.
  const { year } = Temporal.Instant.fromEpochMilliseconds(await academy.now()).toZonedDateTimeISO("UTC");
  const lastOfMarch = Temporal.PlainDate.from({ year: year + 1, month: 3, day: 31 });
  const sunday = lastOfMarch.subtract({ days: lastOfMarch.dayOfWeek % 7 });
  const at = (zone: string, time: string, day = sunday) =>
    day.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant();
  await goTo(at("UTC", "09:00", sunday.subtract({ days: 2 })));

  for (const [zone, name] of [
    ["Europe/Berlin", "berlin"],
    ["America/New_York", "york"],
    [null, "unknown"],
    ["Mars/Olympus", "mars"],
    ["Europe/Berlin", "deleted"],
    ["Europe/Berlin", "suspended"],
  ] as const) {
    await studentIn(zone, `${name}@zones.test`);
  }
  const left = await studentIn("Europe/Berlin", "unsubscribed@zones.test");
  const id = await draft("Nine o'clock", "zones.test");
  const sendAt = { day: sunday.toString(), time: "09:00", zone: "student" } as const;

  const now = Temporal.Instant.fromEpochMilliseconds(await academy.now()).toZonedDateTimeISO("UTC");
  const soon = { day: now.toPlainDate().toString(), time: now.toPlainTime().toString().slice(0, 5) };
  const inBerlin = expect.stringContaining("in Berlin");
  for (const [refused, why] of [
    [{ ...soon, zone: "academy" }, expect.stringMatching(/less than a minute away\. Choose a later time/)],
    [{ ...soon, day: "2020-02-03", zone: "academy" }, expect.stringContaining("in the past")],
    [{ day: soon.day, time: "09:59", zone: "student" }, inBerlin],
  ] as const) {
    const answer = await schedule(id, refused);
    // The day where it is over, else the time.
    const field = refused.day === "2020-02-03" ? /^sendAt\.day$/ : /^sendAt\.(day|time)$/;
    const [[name = "", faults] = []] = Object.entries((answer.body as { errors: object }).errors);
    expect([answer.status, name, faults]).toEqual([400, expect.stringMatching(field), [why]]);
  }
  for (const wrong of [
    { ...sendAt, day: "2027-02-30" },
    { ...sendAt, time: "25:00" },
    { ...sendAt, zone: "UTC" },
  ]) {
    expect((await schedule(id, wrong as SendAt)).status).toBe(400);
  }
  // It is past in the academy's zone, where none of the recipients is.
  const west = await draft("West", "york@zones.test");
  expect((await schedule(west, { day: soon.day, time: "08:00", zone: "student" })).body.state).toBe("scheduled");
  expect((await admin.call(cancelAnnouncement, { params: { id: west }, body: {} })).body.state).toBe("draft");
  expect((await schedule(id, sendAt, 6)).status).toBe(409);
  const scheduled = (await schedule(id, { ...sendAt, time: "08:00", zone: "academy" })).body;
  expect(scheduled).toMatchObject({
    state: "scheduled",
    people: 7,
    startsAt: at("UTC", "08:00").toString({ fractionalSecondDigits: 3 }),
  });
  expect((await schedule(id, sendAt)).body).toMatchObject({
    sendAt,
    startsAt: at("Pacific/Kiritimati", "09:00").toString({ fractionalSecondDigits: 3 }),
  });
  expect((await admin.call(announcementSteps.pause, { params: { id }, body: {} })).status).toBe(409);
  expect((await admin.call(deleteAnnouncement, { params: { id }, body: {} })).status).toBe(409);
  const changed = await admin.call(changeAnnouncement, {
    params: { id },
    body: { ...text, subject: "Other", audience: "everybody" },
  });
  expect(changed).toMatchObject({ status: 409, body: { message: expect.stringContaining("is scheduled") } });
  await until(async () =>
    server.arrivals.find(({ headers }) => headers.get("subject") === "An announcement is scheduled"),
  );

  await left.call(chooseAnnouncements, { body: { wanted: false } });
  await admin.call(suspendAccount, { body: { userId: await idOf("suspended@zones.test"), reason: "Test" } });
  await admin.call(deleteUserAccount, { body: { userId: await idOf("deleted@zones.test") } });
  await studentIn("America/New_York", "joined@zones.test");
  await studentIn("Australia/Sydney", "sydney@zones.test");

  await goTo(at("Pacific/Kiritimati", "08:59"));
  expect(await stateOf(id)).toMatchObject({ state: "scheduled" });
  await goTo(at("Australia/Sydney", "08:59"));
  expect(recipientsOf("Nine o'clock")).toEqual([]);
  await goTo(at("Australia/Sydney", "09:01"));
  expect(recipientsOf("Nine o'clock")).toEqual(["sydney"]);
  await goTo(at("Europe/Berlin", "08:59"));
  expect(recipientsOf("Nine o'clock")).toEqual(["sydney"]);
  await goTo(at("Europe/Berlin", "09:01"));
  expect(recipientsOf("Nine o'clock")).toEqual(["berlin", "sydney"]);
  expect(await stateOf(id)).toMatchObject({ state: "running", people: 6, done: 2 });
  expect((await admin.call(cancelAnnouncement, { params: { id }, body: {} })).status).toBe(409);
  // Pausing does not bring the others forward.
  for (const step of ["pause", "resume"] as const) {
    expect((await admin.call(announcementSteps[step], { params: { id }, body: {} })).status).toBe(200);
  }
  await goTo(at("UTC", "08:59"));
  expect(recipientsOf("Nine o'clock")).toEqual(["berlin", "sydney"]);
  await goTo(at("UTC", "09:01"));
  expect(recipientsOf("Nine o'clock")).toEqual(["berlin", "mars", "sydney", "unknown"]);
  await goTo(at("America/New_York", "08:59"));
  expect(recipientsOf("Nine o'clock")).toHaveLength(4);
  await goTo(at("America/New_York", "09:01"));
  expect(recipientsOf("Nine o'clock")).toEqual(["berlin", "joined", "mars", "sydney", "unknown", "york"]);
  expect(await stateOf(id)).toMatchObject({ state: "done", people: 6, done: 6 });

  // It begins where it is afternoon for who joins in Berlin now.
  await goTo(at("UTC", "12:00", sunday.add({ days: 1 })));
  await studentIn("America/New_York", "york@late.test");
  await admin.signInAgain();
  const late = await draft("Late", "late.test");
  const monday = { ...sendAt, day: sunday.add({ days: 1 }).toString() };
  expect((await schedule(late, monday)).body.state).toBe("scheduled");
  await studentIn("Europe/Berlin", "berlin@late.test");
  await goTo(at("America/New_York", "09:01", sunday.add({ days: 1 })));
  expect(recipientsOf("Late")).toEqual(["york"]);
  await goTo(at("Europe/Berlin", "08:59", sunday.add({ days: 2 })));
  expect(recipientsOf("Late")).toEqual(["york"]);
  await goTo(at("Europe/Berlin", "09:01", sunday.add({ days: 2 })));
  expect(recipientsOf("Late")).toEqual(["berlin", "york"]);
});

test("a schedule stays when the academy moves to another zone, and ends with its author's role [N17 N18]", async () => {
  const zoneIs = (timeZone: string) =>
    academy.pool.query(
      "insert into settings values ('academy', $1, now()) on conflict (name) do update set value = excluded.value",
      [{ timeZone }],
    );
  await studentIn(null, "one@moved.test");
  const author = await inRole(academy, "administrator", "author@elsewhere.test");
  const now = Temporal.Instant.fromEpochMilliseconds(await academy.now()).toZonedDateTimeISO("America/New_York");
  const when = now.add({ days: 3 }).with({ hour: 9, minute: 0, second: 0, millisecond: 0, microsecond: 0 });
  const sendAt = { day: when.toPlainDate().toString(), time: "09:00", zone: "academy" } as const;
  const moved = await draft("Moved", "moved.test");
  const withdrawn = await draft("Withdrawn", "moved.test");
  await zoneIs("America/New_York");
  expect((await schedule(moved, sendAt)).body).toMatchObject({ sendAt });
  expect((await schedule(withdrawn, sendAt, 50, author)).body).toMatchObject({ state: "scheduled" });
  await academy.pool.query("update users set role = 'support' where email = $1", [author.email]);
  await zoneIs("America/Los_Angeles");
  expect(await stateOf(moved)).toMatchObject({ sendAt: { ...sendAt, time: "06:00" }, state: "scheduled" });
  await goTo(when.toInstant().subtract({ minutes: 1 }));
  expect(recipientsOf("Moved")).toEqual([]);
  await goTo(when.toInstant().add({ minutes: 1 }));
  await zoneIs("UTC");
  expect(recipientsOf("Moved")).toEqual(["one"]);
  expect(await stateOf(withdrawn)).toMatchObject({ state: "draft", people: 0, startedAt: null });
  await until(async () => server.arrivals.some(({ text: body }) => body.includes("we made it a draft again")));
  expect(recipientsOf("Withdrawn")).toEqual([]);
});

test("a page that shows another state neither sends nor schedules, and a cancelled start is not reported [N18]", async () => {
  await studentIn(null, "one@stale.test");
  const { year } = Temporal.Instant.fromEpochMilliseconds(await academy.now()).toZonedDateTimeISO("UTC");
  const sendAt = { day: `${year + 3}-03-04`, time: "12:00", zone: "academy" } as const;
  await server.stop();
  const id = await draft("Stale", "stale.test");
  const params = { id };
  const { version } = await stateOf(id);
  const scheduled = (await schedule(id, sendAt)).body;
  const conflict = { status: 409, body: { message: expect.stringContaining("Someone changed this announcement") } };
  expect(await admin.call(sendAnnouncement, { params, query: { version }, body: { recipients: 1 } })).toMatchObject(
    conflict,
  );
  await admin.call(cancelAnnouncement, { params, body: {} });
  const again = { params, query: { version: scheduled.version }, body: { recipients: 1, sendAt } };
  expect(await admin.call(sendAnnouncement, again)).toMatchObject(conflict);
  expect(await stateOf(id)).toMatchObject({ state: "draft", version });

  // Also more often than five may start in a day.
  for (let time = 0; time < 6; time++) {
    expect((await schedule(id, { ...sendAt, day: `${year + 4}-03-04` })).status).toBe(200);
    if (time < 5) await admin.call(cancelAnnouncement, { params, body: {} });
  }
  await server.start();
  await academy.advance("2h");
  const notices = () => server.arrivals.filter(({ text: body }) => body.includes("Stale"));
  await until(async () => notices().length > 0);
  expect(notices().map(({ text: body }) => body.includes(`March 4, ${year + 4}`))).toEqual([true]);
  await admin.call(cancelAnnouncement, { params, body: {} });
});

test("a cancelled announcement is a draft again, and one of a restored backup pauses [N18]", async () => {
  await studentIn(null, "one@later.test");
  const tomorrow = Temporal.Instant.fromEpochMilliseconds(await academy.now())
    .toZonedDateTimeISO("UTC")
    .toPlainDate()
    .add({ days: 1 });
  const sendAt = { day: tomorrow.toString(), time: "12:00", zone: "academy" } as const;
  const cancelled = await draft("Cancelled", "later.test");
  const restored = await draft("Restored", "later.test");
  for (const id of [cancelled, restored]) expect((await schedule(id, sendAt)).status).toBe(200);
  const answer = await admin.call(cancelAnnouncement, { params: { id: cancelled }, body: {} });
  expect(answer.body).toMatchObject({ state: "draft", sendAt, startedAt: null, people: 0 });
  // Later than the nightly comparison of records, which ends the pause.
  const noon = tomorrow.toZonedDateTime({ timeZone: "UTC", plainTime: "12:00" }).toInstant();
  await goTo(noon.subtract({ minutes: 1 }));
  await academy.pool.query(
    "insert into operational_marks (name, value, updated_at) values ('renewals-stopped:restored', '{}', $1)",
    [new Date(await academy.now())],
  );
  await goTo(noon.add({ minutes: 1 }));
  expect(await stateOf(cancelled)).toMatchObject({ state: "draft" });
  expect(await stateOf(restored)).toMatchObject({ state: "paused", people: 1, done: 0 });
  expect([...recipientsOf("Cancelled"), ...recipientsOf("Restored")]).toEqual([]);
});
