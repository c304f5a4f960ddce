import { expect, test } from "vitest";
import { formatDay, formatTime, formatWeekday, instantOf } from "./dates.ts";

test.each([
  ["America/New_York", "2027-03-13", "09:00", "2027-03-13T14:00:00.000Z"],
  ["America/New_York", "2027-03-14", "09:00", "2027-03-14T13:00:00.000Z"],
  // Clocks skip from 2:00 to 3:00.
  ["America/New_York", "2027-03-14", "02:30", "2027-03-14T07:30:00.000Z"],
  // Clocks show 1:30 twice.
  ["America/New_York", "2027-11-07", "01:30", "2027-11-07T05:30:00.000Z"],
  ["America/New_York", "2027-11-07", "09:00", "2027-11-07T14:00:00.000Z"],
  ["Pacific/Auckland", "2027-04-03", "09:00", "2027-04-02T20:00:00.000Z"],
  ["Pacific/Auckland", "2027-04-04", "09:00", "2027-04-03T21:00:00.000Z"],
  ["Pacific/Auckland", "2027-09-26", "02:30", "2027-09-25T14:30:00.000Z"],
  ["Australia/Lord_Howe", "2027-10-03", "02:10", "2027-10-02T15:40:00.000Z"],
  ["UTC", "2028-02-29", "23:59", "2028-02-29T23:59:00.000Z"],
])("in %s, clocks show %s %s at %s", (zone, date, time, expected) => {
  expect(instantOf(zone, date, time).toISOString()).toBe(expected);
});

test("a time is written in the zone that is asked for, whatever the last one was", () => {
  const at = "2027-03-03T19:05:00Z";
  for (const [zone, day, weekday, time] of [
    ["UTC", "March 3, 2027", "Wednesday, March 3, 2027", "March 3, 2027, 7:05 PM UTC"],
    ["Asia/Kolkata", "March 4, 2027", "Thursday, March 4, 2027", "March 4, 2027, 12:35 AM GMT+5:30"],
    ["America/New_York", "March 3, 2027", "Wednesday, March 3, 2027", "March 3, 2027, 2:05 PM EST"],
    ["UTC", "March 3, 2027", "Wednesday, March 3, 2027", "March 3, 2027, 7:05 PM UTC"],
  ] as const) {
    expect([formatDay(at, zone), formatWeekday(at, zone), formatTime(at, zone)], zone).toEqual([day, weekday, time]);
  }
});
