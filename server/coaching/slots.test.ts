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
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test("around every clock change of two years the sessions are those of an independent engine", () => {
  expect(fixture.days.length).toBeGreaterThan(100);
  for (const { zone, date, first, steps } of fixture.days) {
    const noon = Date.parse(`${date}T12:00:00Z`);
    const weekday = new Date(noon).getUTCDay() || 7;
    const schedule = { timeZone: zone, hours: fixture.hours.map((each) => ({ weekday, ...each })), days: [] };
    const range = { startsAt: new Date(noon - 2 * DAY), endsAt: new Date(noon + 2 * DAY) };
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

// The following tests find the expected slots by asking Intl for the wall-clock time at one instant after the other.

const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall-clock time there, as if it were UTC. */
function wallAt(zone: string, instant: number): number {
  let format = formats.get(zone);
  if (!format) {
    const numeric = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric" } as const;
    format = new Intl.DateTimeFormat("en-US", { ...numeric, minute: "numeric", hourCycle: "h23", timeZone: zone });
    formats.set(zone, format);
  }
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const part = (type: string) => parts.get(type as Intl.DateTimeFormatPartTypes) ?? Number.NaN;
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
}

const offsetAt = (zone: string, instant: number) => wallAt(zone, instant) - instant;

/** The first instant with this wall-clock time. A time that a clock change skips moves forward by the gap. */
function instantOf(zone: string, wall: number): number {
  const offsets = [-30, -20, -10, 0, 10, 20, 30].map((hours) => offsetAt(zone, wall + hours * 60 * MINUTE));
  const shown = offsets.map((offset) => wall - offset).filter((at) => wallAt(zone, at) === wall);
  return shown.length > 0 ? Math.min(...shown) : wall - (offsets[0] as number);
}

interface Hours {
  readonly weekday: number;
  readonly fromTime: string;
  readonly toTime: string;
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

function expectedStarts(zone: string, hours: readonly Hours[], minutes: number, from: number, until: number): number[] {
  const starts = new Set<number>();
  for (let date = from - 3 * DAY; date <= until + 3 * DAY; date += DAY) {
    const midnight = Math.floor(date / DAY) * DAY;
    const weekday = new Date(midnight).getUTCDay() || 7;
    for (const { fromTime, toTime } of hours.filter((each) => each.weekday === weekday)) {
      const end = instantOf(zone, midnight + minutesOf(toTime) * MINUTE);
      let at = instantOf(zone, midnight + minutesOf(fromTime) * MINUTE);
      for (; at + minutes * MINUTE <= end; at += minutes * MINUTE) if (at >= from && at < until) starts.add(at);
    }
  }
  const apart: number[] = [];
  for (const at of [...starts].sort((a, b) => a - b)) {
    if (at >= (apart.at(-1) ?? Number.NEGATIVE_INFINITY) + minutes * MINUTE) apart.push(at);
  }
  return apart;
}

/** Days near a clock change of the zone. */
function changesOf(zone: string, fromYear: number, toYear: number): number[] {
  const changes: number[] = [];
  const step = 8 * DAY;
  for (let at = Date.UTC(fromYear, 0, 1); at < Date.UTC(toYear, 0, 1); at += step) {
    let [low, high] = [at, at + step];
    if (offsetAt(zone, low) === offsetAt(zone, high)) continue;
    while (high - low > MINUTE) {
      const middle = Math.floor((low + high) / 2 / MINUTE) * MINUTE;
      if (offsetAt(zone, middle) === offsetAt(zone, low)) low = middle;
      else high = middle;
    }
    changes.push(high);
  }
  return changes;
}

function compare(zone: string, hours: readonly Hours[], minutes: number, around: number): void {
  const [from, until] = [around - 2 * DAY, around + 2 * DAY];
  const range = { startsAt: new Date(from), endsAt: new Date(until) };
  const sessions = sessionsOf({ timeZone: zone, hours, days: [] }, minutes, range);
  const found = sessions.map(({ startsAt }) => startsAt.getTime());
  const iso = (all: readonly number[]) => all.map((at) => new Date(at).toISOString());
  const words = `${zone} around ${new Date(around).toISOString()}: ${JSON.stringify(hours)}, ${minutes} minutes`;
  expect(iso(found), words).toEqual(iso(expectedStarts(zone, hours, minutes, from, until)));
  for (const { startsAt, endsAt } of sessions) expect(endsAt.getTime() - startsAt.getTime()).toBe(minutes * MINUTE);
}

const everyDay = (fromTime: string, toTime: string) =>
  [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, fromTime, toTime }));

// Clock changes for a month each year, of a whole day, and at midnight. The fixture has those of other zones.
test.each([
  ["Africa/Casablanca", 2023],
  ["Pacific/Apia", 2011],
  ["Asia/Beirut", 2027],
  ["America/Havana", 2027],
  ["America/Scoresbysund", 2023],
])("in %s the times around each change from %i on are those of a clock on the wall", (zone, year) => {
  const changes = changesOf(zone, year, year + 2);
  expect(changes.length).toBeGreaterThan(0);
  for (const around of changes) {
    for (const [from, to] of [
      ["00:00", "24:00"],
      ["01:30", "04:15"],
      ["13:00", "18:00"],
      ["22:45", "24:00"],
    ] as const) {
      compare(zone, everyDay(from, to), 30, around);
    }
  }
});

const clock = fc.integer({ min: 0, max: 95 }).map((quarter) => {
  const [hour, minute] = [Math.floor(quarter / 4), (quarter % 4) * 15];
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
});
const anyHours = fc
  .tuple(fc.integer({ min: 1, max: 7 }), clock, clock)
  .filter(([, from, to]) => from < to)
  .map(([weekday, fromTime, toTime]) => ({ weekday, fromTime, toTime }));

test("in any zone, around any change of its clock, any hours give the times of a clock on the wall", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Intl.supportedValuesOf("timeZone")),
      fc.integer({ min: 0, max: 1000 }),
      fc.array(anyHours, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(15, 30, 45, 60),
      (zone, pick, hours, minutes) => {
        const changes = changesOf(zone, 2026, 2030);
        compare(zone, hours, minutes, changes[pick % changes.length] ?? Date.UTC(2027, 0, 1 + pick));
      },
    ),
    { numRuns: 100 },
  );
});
