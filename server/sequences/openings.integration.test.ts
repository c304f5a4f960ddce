import { expect } from "vitest";
import { changeSequences } from "#contract/admin/sequences.ts";
import { getCatalogue, getPlayback } from "#contract/catalogue.ts";
import { askForOpening, getLessonBody, listOpeningRequests, withdrawOpeningRequest } from "#contract/lesson-pages.ts";
import { lessonById, opensAtOf } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import { openDb } from "#server/db/db.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { publishWith } from "#test/drafts.ts";
import { academyOfFile, forFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { liveAtNoon } from "#test/sequence-people.ts";
import type { Visitor } from "#test/visitor.ts";
import { openedLessons } from "./audiences/queries.ts";
import { spanOf } from "./rules.ts";

// Two nodes share a database. Each has its clock and its mail server, so both move at the same time.

const { academy, administrator: admin, test } = await academyOfFile();
const second = await forFile(openAcademyInProcess({}, academy.database));
await leaveOnlyJobs(academy, "run-sequences");

const day = 24 * 60 * 60_000;

const atNoon = (student: Visitor) => liveAtNoon(academy, student);
const inDays = async (days: number) => new Date((await academy.now()) + days * day).toISOString();

const publish = (kind: "lessons" | "modules", id: string, changes: object) => publishWith(admin, kind, id, changes);

const lessonId = "lesson-2-2";
const playback = async (student: Visitor) => (await student.call(getPlayback, { params: { lessonId } })).status;
const ask = (student: Visitor) => student.call(askForOpening, { params: { lessonId }, body: {} });
const mailsTo = async (student: Visitor) =>
  (await Promise.all([academy, second].map((node) => node.mails(student.email))))
    .flat()
    .filter(({ text }) => text.includes("You asked us to tell you"));
const advance = (duration: string) => Promise.all([academy.advance(duration, admin), second.advance(duration)]);

/** The opening dates on the landing page. */
const datesOn = async ({ url }: { url: string }) =>
  [...(await (await fetch(url)).text()).matchAll(/<time dateTime="([^"]+)">(Opens \w+ \d+)/gi)].map(([, at]) => at);

test("a lesson opens by the clock on every node, and who asked gets one email [Z28]", async () => {
  const student = await atNoon(await academy.member("basic"));
  const [quiet, gone, locked] = [
    await atNoon(await academy.member("basic")),
    await atNoon(await academy.member("basic")),
    await academy.visitor().signUp(),
  ];
  expect((await ask(student)).status).toBe(409);
  expect(await datesOn(academy)).toEqual([]);
  // Later than the lesson's own time.
  await publish("lessons", lessonId, { opensAt: await inDays(1) });
  const opensAt = await inDays(3);
  await publish("modules", "module-2", { opensAt });

  for (const node of [academy, second]) {
    expect(new Set(await datesOn(node))).toEqual(new Set([opensAt]));
    const { body } = await node.visitor().call(getCatalogue);
    const module = body.find(({ id }) => id === "module-2");
    expect(module).toMatchObject({ comingSoon: true, opensAt });
    expect(module?.lessons.find(({ id }) => id === lessonId)).toMatchObject({ comingSoon: true, opensAt });
  }
  expect(await playback(student)).toBe(404);
  expect((await student.call(getLessonBody, { params: { lessonId } })).status).toBe(404);
  expect((await ask(locked)).status).toBe(403);
  expect((await ask(student)).body).toEqual([{ lessonId, createdAt: expect.any(String) }]);
  await Promise.all([ask(student), ask(quiet), ask(gone), second.visitor().call(listOpeningRequests)]);
  expect((await quiet.call(withdrawOpeningRequest, { params: { lessonId } })).body).toEqual([]);
  await academy.pool.query("update users set account_status = 'suspended' where email = $1", [gone.email]);

  await advance("2d");
  expect(await playback(student)).toBe(404);
  expect(await mailsTo(student)).toEqual([]);
  await advance("1d");
  for (const node of [academy, second]) {
    expect(await datesOn(node)).toEqual([]);
    const { body } = await node.visitor().call(getCatalogue);
    expect(body.find(({ id }) => id === "module-2")).toMatchObject({ comingSoon: false, opensAt: null });
  }
  expect(await playback(student)).toBe(200);
  await expect.poll(() => mailsTo(student)).toHaveLength(1);
  await advance("1d");
  expect(await mailsTo(student)).toHaveLength(1);
  for (const person of [quiet, gone]) expect(await mailsTo(person)).toEqual([]);
  expect((await student.call(listOpeningRequests)).body).toEqual([]);
});

/** The second in which clocks change in New York. */
const atChange = new Date("2030-03-10T07:00:00.000Z");

test("a postponed lesson opens and mails at the second of its new time, and one that opens early at once", async () => {
  const student = await atNoon(await academy.member("vip"));
  await publish("lessons", lessonId, { opensAt: await inDays(2) });
  await ask(student);
  await publish("lessons", lessonId, { opensAt: atChange.toISOString() });
  await advance("3d");
  expect(await mailsTo(student)).toEqual([]);
  const ctx = { db: openDb(academy.pool as Parameters<typeof openDb>[0]) } as Context;
  const { lesson, module } = await lessonById(ctx, lessonId);
  for (const [now, isOpen] of [
    [new Date(atChange.getTime() - 1), false],
    [atChange, true],
  ] as const) {
    expect(opensAtOf(lesson, module, now) === null).toBe(isOpen);
    const { rows } = (await ctx.db.execute(
      openedLessons(spanOf(0, undefined, null, now), { ...ctx, now, sending: "" }),
    )) as unknown as {
      rows: object[];
    };
    expect(rows).toHaveLength(isOpen ? 1 : 0);
  }
  await publish("lessons", lessonId, { opensAt: null });
  await expect.poll(() => mailsTo(student)).toHaveLength(1);
});

test("a request that a node with a slow clock takes after the opening is mailed, but no blocked account's", async () => {
  const [early, late, held] = [
    await atNoon(await academy.visitor().signUp()),
    await atNoon(await academy.visitor().signUp()),
    await atNoon(await academy.visitor().signUp()),
  ];
  await publish("lessons", lessonId, { opensAt: await inDays(1), freePreview: true });
  await Promise.all([ask(early), ask(held)]);
  await academy.pool.query("update users set account_status = 'on_hold' where email = $1", [held.email]);
  await academy.advance("1d", admin);
  await expect.poll(() => mailsTo(early)).toHaveLength(1);
  const onSecond = await second.visitor().signInAsDemo(late.email);
  expect((await ask(onSecond)).status).toBe(200);
  await academy.advance("5m", admin);
  await expect.poll(() => mailsTo(late)).toHaveLength(1);
  expect(await mailsTo(held)).toEqual([]);
});

test("who asked is told although they turned off news, once for each lesson, and no request stays for long", async () => {
  await admin.signInAgain();
  const body = { on: ["new-lesson" as const], controlPercent: 0 };
  expect((await admin.call(changeSequences, { body })).status).toBe(200);
  const [quiet, reader, blocked] = [
    await atNoon(await academy.buyer("vip")),
    await atNoon(await academy.buyer("vip")),
    await atNoon(await academy.buyer("vip")),
  ];
  await publish("lessons", lessonId, { opensAt: await inDays(2), comingSoon: false });
  for (const student of [quiet, blocked]) expect((await ask(student)).status).toBe(200);
  const { pool } = academy;
  await pool.query(
    "insert into announcement_choices (user_id, wanted, updated_at) select id, false, now() from users where email = $1",
    [quiet.email],
  );
  await pool.query("update users set email_verified = false where email = $1", [quiet.email]);
  await pool.query("update users set account_status = 'on_hold' where email = $1", [blocked.email]);
  // Before its time, by publishing.
  await publish("lessons", lessonId, { opensAt: null });
  await expect.poll(() => mailsTo(quiet)).toHaveLength(1);
  expect((await mailsTo(quiet))[0]?.text).not.toContain("Unsubscribe");
  expect((await quiet.call(listOpeningRequests)).body).toEqual([]);
  const news = async () => (await academy.mails(reader.email)).filter(({ text }) => text.includes("You can now watch"));
  await expect.poll(news).toHaveLength(1);
  await publish("lessons", lessonId, { opensAt: await inDays(-1) });
  await advance("1d");
  await advance("1h");
  expect(await mailsTo(quiet)).toHaveLength(1);
  expect(await news()).toHaveLength(1);
  const requests = () => pool.query("select from opening_requests");
  expect((await requests()).rowCount).toBeGreaterThan(0);
  await advance("3d");
  await advance("1h");
  expect((await requests()).rowCount).toBe(0);
});
