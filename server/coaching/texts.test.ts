import { expect, test } from "vitest";
import { promiseWords } from "#contract/coaching/promise.ts";
import { TimeZone } from "#contract/coaching/time-zone.ts";
import {
  cityOf,
  clockInZone,
  dayInZone,
  isTimeZone,
  knownZone,
  timeForBoth,
  timeInZone,
} from "#contract/coaching/times.ts";
import { printedFeatures } from "#contract/course-words.ts";

test("a city has its current name, whatever name of the zone the browser uses", () => {
  expect(["Asia/Calcutta", "Asia/Katmandu", "America/Argentina/Buenos_Aires"].map(cityOf)).toEqual([
    "Kolkata",
    "Kathmandu",
    "Buenos Aires",
  ]);
});

test("a time is shown for both, with the day where it differs", () => {
  const dana = { name: "Dana", timeZone: "Europe/Berlin" };
  expect(timeForBoth("2027-03-09T19:00:00Z", "America/New_York", dana, new Date("2027-03-01"))).toBe(
    "Tuesday, March 9, 2:00 PM EST (New York, your time) · 8:00 PM for Dana in Berlin",
  );
  expect(timeForBoth("2027-03-09T23:30:00Z", "America/New_York", dana)).toBe(
    "Tuesday, March 9, 2027, 6:30 PM EST (New York, your time) · Wednesday, March 10, 12:30 AM for Dana in Berlin",
  );
  expect(timeInZone("2027-03-09T19:00:00Z", "America/Argentina/Buenos_Aires")).toContain("(Buenos Aires)");
});

test("a zone without a city is named once", () => {
  const dana = { name: "Dana", timeZone: "Europe/Berlin" };
  expect(timeInZone("2027-03-09T19:00:00Z", "UTC")).toBe("Tuesday, March 9, 2027, 7:00 PM UTC");
  expect(timeForBoth("2027-03-09T19:00:00Z", "UTC", dana)).toBe(
    "Tuesday, March 9, 2027, 7:00 PM UTC (your time) · 8:00 PM for Dana in Berlin",
  );
});

test("only IANA names are accepted as zones", () => {
  for (const name of ["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "Asia/Kathmandu"]) {
    expect(isTimeZone(name), name).toBe(true);
  }
  for (const name of ["Mars/Olympus", "+05:00", "", "Europe/", "../etc", "a".repeat(5000)]) {
    expect(isTimeZone(name), name).toBe(false);
  }
  expect(TimeZone.safeParse("E".repeat(5000)).success).toBe(false);
});

test("times in a zone that the engine does not know are those of UTC, and say so", () => {
  expect(knownZone(null)).toBe("UTC");
  for (const zone of ["Etc/Unknown", "Mars/Olympus", ""]) {
    const dana = { name: "Dana", timeZone: zone };
    expect(knownZone(zone)).toBe("UTC");
    expect(timeInZone("2027-03-09T19:00:00Z", zone)).toBe("Tuesday, March 9, 2027, 7:00 PM UTC");
    expect(timeForBoth("2027-03-09T19:00:00Z", "Europe/Berlin", dana)).toMatch(/ · 7:00 PM for Dana in UTC$/);
    expect([dayInZone("2027-03-09T19:00:00Z", zone), clockInZone("2027-03-09T19:00:00Z", zone), cityOf(zone)]).toEqual([
      "Tuesday, March 9",
      "7:00 PM",
      "UTC",
    ]);
  }
});

test("a coaching promise has one wording", () => {
  expect(promiseWords({ sessions: 1, everyDays: 30, minutes: 30 })).toBe("one session of 30 minutes every 30 days");
  expect(promiseWords({ sessions: 2, everyDays: 7, minutes: 45 })).toBe("2 sessions of 45 minutes every 7 days");
  const plan = (sessions: number) => ({ features: ["Lessons"], coaching: { sessions, everyDays: 30, minutes: 30 } });
  expect(printedFeatures(plan(0), [])).toEqual(["Lessons"]);
  expect(printedFeatures(plan(1), [])).toEqual(["Lessons", "1-on-1 coaching: one session of 30 minutes every 30 days"]);
});
