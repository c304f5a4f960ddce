import { afterAll, beforeAll, expect, test } from "vitest";
import { changeCoach, getCoachingAdministration } from "#contract/admin/coaching.ts";
import {
  type CoachSettings,
  getCoachBooking,
  getCoachDesk,
  markBooking,
  setCoachSettings,
  writeSummary,
} from "#contract/coaching/coach.ts";
import { getCoaching } from "#contract/coaching/coaching.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
let admin: Visitor;
let coach: Visitor;
beforeAll(async () => {
  academy = await openAcademyInProcess();
  admin = await academy.visitor().signInAsDemo("admin@academy.test");
  coach = await academy.visitor().signInAsDemo("coach@academy.test");
});
afterAll(() => academy[Symbol.asyncDispose]());

const conflict = { status: 409, body: { code: "conflict", message: expect.stringContaining("Somebody has changed") } };
const reason = "asked on the phone";
const deskOf = async () => (await coach.call(getCoachDesk)).body;
const administered = async () => {
  const { coaches } = (await admin.call(getCoachingAdministration)).body;
  return coaches.find(({ email }) => email === "coach@academy.test") ?? expect.fail("no coach");
};
const saveAsCoach = (version: string, settings: CoachSettings) =>
  coach.call(setCoachSettings, { query: { version }, body: settings });
const saveAsAdmin = (id: string, version: string, settings: CoachSettings, isActive = true) =>
  admin.call(changeCoach, { params: { id }, query: { version }, body: { isActive, settings, reason } });

test("of a coach and an administrator who change the same hours, the second is told and overwrites nothing", async () => {
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
  // Like a page of the previous release.
  expect((await coach.call(setCoachSettings, { body: settings })).status).toBe(200);
});

test("of saves at the same time one counts, and no old page makes a coach active again", async () => {
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

test("a summary that was written elsewhere meanwhile stays", async () => {
  const student = await academy.visitor().signInAsDemo("vip@academy.test");
  const { id = "", endsAt = "" } = (await student.call(getCoaching)).body.upcoming ?? {};
  await academy.advance(`${Math.round((Date.parse(endsAt) - (await academy.now())) / 60_000) + 10}m`);
  await coach.signInAsDemo("coach@academy.test");
  await coach.call(markBooking, { params: { id }, body: { as: "held" } });
  const read = async () => (await coach.call(getCoachBooking, { params: { id } })).body;
  const write = (version: string, summary: string) =>
    coach.call(writeSummary, { params: { id }, query: { version }, body: { summary } });
  const { summaryVersion } = await read();
  const written = (await write(summaryVersion, "From the phone")).body;
  expect(await write(summaryVersion, "From the desk")).toMatchObject(conflict);
  expect((await read()).summary).toBe("From the phone");
  expect((await write(written.summaryVersion, "From the desk")).body).toMatchObject({ summary: "From the desk" });
});
