import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { freeSessions, isWithinHours, overlap, sessionsOf } from "./slots.ts";

/** Generated with Python's zoneinfo by scripts/make/slots.py. */
const fixture = JSON.parse(readFileSync(new URL("./slots.fixture.json", import.meta.url), "utf8")) as {
  minutes: number;
  hours: { fromTime: string; toTime: string }[];
  days: { zone: string; date: string; first: number; steps: number[] }[];
};
const day = 86_400_000;

test("around every clock change of two years the sessions are those of an independent engine", () => {
  expect(fixture.days.length).toBeGreaterThan(100);
  for (const { zone, date, first, steps } of fixture.days) {
    const noon = Date.parse(`${date}T12:00:00Z`);
    const weekday = new Date(noon).getUTCDay() || 7;
    const schedule = { timeZone: zone, hours: fixture.hours.map((each) => ({ weekday, ...each })), days: [] };
    const range = { startsAt: new Date(noon - 2 * day), endsAt: new Date(noon + 2 * day) };
    let at = first;
    const expected = [first, ...steps.map((step) => (at += step))];
    const found = sessionsOf(schedule, fixture.minutes, range).map(({ startsAt }) => startsAt.getTime() / 60_000);
    expect(found, `${zone} ${date}`).toEqual(expected);
  }
});

const newYork = (fromTime: string, toTime: string) => ({
  timeZone: "America/New_York",
  hours: [{ weekday: 7, fromTime, toTime }],
  days: [],
});
const on = (date: string) => ({ startsAt: new Date(`${date}T00:00:00Z`), endsAt: new Date(`${date}T23:59:00Z`) });

test("one o'clock to four is two hours in spring and four in autumn, an afternoon always the same", () => {
  expect(sessionsOf(newYork("01:00", "04:00"), 60, on("2027-03-14"))).toHaveLength(2);
  expect(sessionsOf(newYork("01:00", "04:00"), 60, on("2027-11-07"))).toHaveLength(4);
  for (const date of ["2027-03-14", "2027-11-07", "2027-07-04"]) {
    expect(sessionsOf(newYork("13:00", "18:00"), 60, on(date))).toHaveLength(5);
  }
  expect(sessionsOf(newYork("02:30", "05:00"), 30, on("2027-03-14"))[0]?.startsAt.toISOString()).toBe(
    "2027-03-14T07:30:00.000Z",
  );
});

test("a date of its own replaces the week, and a day off has none", () => {
  const week = newYork("13:00", "18:00");
  const days = (fromTime: string | null, toTime: string | null) => [{ date: "2027-07-04", fromTime, toTime }];
  expect(sessionsOf({ ...week, days: days(null, null) }, 60, on("2027-07-04"))).toEqual([]);
  expect(sessionsOf({ ...week, days: days("09:00", "10:30") }, 60, on("2027-07-04"))).toHaveLength(1);
});

test("what does not fit whole, or is taken by a minute, is not offered", () => {
  const sessions = sessionsOf(newYork("13:00", "14:45"), 30, on("2027-07-04"));
  expect(sessions).toHaveLength(3);
  const at = (time: string) => new Date(`2027-07-04T${time}Z`);
  const taken = [{ startsAt: at("17:29:00"), endsAt: at("17:31:00") }];
  expect(freeSessions(sessions, taken)).toHaveLength(1);
});

test("hours hold a session only whole", () => {
  const session = (from: string, to: string) => ({
    startsAt: new Date(`2027-07-04T${from}:00Z`),
    endsAt: new Date(`2027-07-04T${to}:00Z`),
  });
  expect(isWithinHours(newYork("13:00", "18:00"), session("17:00", "17:30"))).toBe(true);
  expect(isWithinHours(newYork("13:00", "18:00"), session("21:45", "22:15"))).toBe(false);
});

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom("00", "15", "30", "45"))
  .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${minute}`);

test("for any hours, sessions are whole, in order, apart, and in the range", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("Europe/Berlin", "Australia/Lord_Howe", "America/Santiago"),
      fc.array(fc.record({ weekday: fc.integer({ min: 1, max: 7 }), fromTime: clock, toTime: clock }), {
        maxLength: 6,
      }),
      fc.constantFrom(20, 30, 45),
      fc.integer({ min: 0, max: 700 }),
      (timeZone, hours, minutes, offset) => {
        const from = Date.UTC(2027, 0, 1) + offset * day;
        const range = { startsAt: new Date(from), endsAt: new Date(from + 9 * day) };
        const found = sessionsOf({ timeZone, hours, days: [] }, minutes, range);
        for (const [at, session] of found.entries()) {
          expect(session.endsAt.getTime() - session.startsAt.getTime()).toBe(minutes * 60_000);
          expect(session.startsAt >= range.startsAt && session.startsAt < range.endsAt).toBe(true);
          const next = found[at + 1];
          if (next) expect(overlap(session, next)).toBe(false);
          if (next) expect(next.startsAt > session.startsAt).toBe(true);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("a session is free where nothing that is taken overlaps it, in whatever order it was taken", () => {
  const range = fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 60 })).map(([from, length]) => ({
    startsAt: new Date(from * 60_000),
    endsAt: new Date((from + length) * 60_000),
  }));
  const sessions = Array.from({ length: 10 }, (_, at) => ({
    startsAt: new Date(at * 20 * 60_000),
    endsAt: new Date((at + 1) * 20 * 60_000),
  }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 8 }), (taken) => {
      const expected = sessions.filter((session) => !taken.some((other) => overlap(session, other)));
      expect(freeSessions(sessions, taken)).toEqual(expected);
    }),
  );
});
