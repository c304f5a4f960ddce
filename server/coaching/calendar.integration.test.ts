import { afterAll, beforeAll, expect, test } from "vitest";
import { suspendAccount } from "#contract/admin/users.ts";
import {
  bookSession,
  cancelBooking,
  closeCalendar,
  getSlots,
  moveBooking,
  openCalendar,
} from "#contract/coaching/coaching.ts";
import { getCurrentUser } from "#contract/identity/identity.ts";
import { acceptPayment } from "#contract/purchases/purchases.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { calendarAfter, readers } from "#test/calendar-readers.ts";
import { until } from "#test/until.ts";
import type { Visitor } from "#test/visitor.ts";

let academy: AcademyInProcess;
beforeAll(async () => {
  academy = await openAcademyInProcess();
});
afterAll(() => academy[Symbol.asyncDispose]());

const timeZone = "Asia/Kathmandu";

async function lifetimeStudent(): Promise<Visitor> {
  const student = await academy.visitor().signUp();
  await student.call(acceptPayment, { body: await student.paymentFor("vip") });
  return student;
}

test("book, move and cancel are one entry of one calendar, which is empty afterwards [K09]", async () => {
  const student = await lifetimeStudent();
  const { coaches } = (await student.call(getSlots)).body;
  const [coach] = coaches;
  const times = (coach?.startsAt ?? []).filter((at) => Date.parse(at) > Date.now() + 3 * 86_400_000);
  const time = (at: number) => ({ coachId: coach?.id ?? "", startsAt: times[at] ?? "", timeZone });
  const entries = () =>
    academy
      .mails()
      .then((mails) => mails.filter(({ to, calendar }) => to === student.email && calendar).reverse())
      .then((mails) => mails.map(({ calendar }) => calendar ?? ""));
  const { body: booking } = await student.call(bookSession, { body: { ...time(0), prep: "secret sums" } });
  await until(async () => (await entries()).length === 1);
  await student.call(moveBooking, { params: { id: booking.id }, body: time(1) });
  await until(async () => (await entries()).length === 2);
  await student.call(cancelBooking, { params: { id: booking.id }, body: {} });
  await until(async () => (await entries()).length === 3);

  const emails = await entries();
  for (const read of Object.values(readers)) {
    expect(calendarAfter(read, emails.slice(0, 1))).toMatchObject([{ startsAt: times[0] }]);
    expect(calendarAfter(read, emails.slice(0, 2))).toMatchObject([{ startsAt: times[1] }]);
    expect(calendarAfter(read, emails)).toEqual([]);
    const said = emails.map(read);
    expect(said.map(({ method, sequence, status, startsAt }) => [method, sequence, status, startsAt])).toEqual([
      ["REQUEST", 0, "CONFIRMED", times[0]],
      ["REQUEST", 1, "CONFIRMED", times[1]],
      ["CANCEL", 2, "CANCELLED", times[1]],
    ]);
    expect(new Set(said.map(({ uid }) => uid)).size).toBe(1);
    for (const { attendees } of said) {
      expect(attendees).toEqual([{ to: student.email, partstat: "ACCEPTED", rsvp: false }]);
    }
  }
  for (const content of emails) expect(content).toContain("mailto:support@academy.test");
  expect((await entries()).join("\n")).not.toContain("secret sums");
});

test("a calendar that is subscribed to has the session, no attendee, and ends with its address [K09]", async () => {
  const student = await lifetimeStudent();
  const { coaches } = (await student.call(getSlots)).body;
  const startsAt = coaches[0]?.startsAt.at(-1) ?? "";
  await student.call(bookSession, { body: { coachId: coaches[0]?.id ?? "", startsAt, timeZone } });
  const feed = async (url: string) => academy.visitor().send("GET", new URL(url).pathname);
  const { url } = (await student.call(openCalendar, { body: {} })).body;
  const answer = await feed(url);
  expect(answer.headers.get("content-type")).toContain("text/calendar");
  const content = await answer.text();
  for (const read of Object.values(readers)) {
    expect(read(content)).toMatchObject({ method: "PUBLISH", startsAt, attendees: [] });
  }

  const { url: second } = (await student.call(openCalendar, { body: {} })).body;
  expect((await feed(url)).status).toBe(404);
  expect((await feed(second)).status).toBe(200);
  await student.call(closeCalendar);
  expect((await feed(second)).status).toBe(404);
  expect(academy.log.join("\n")).not.toContain(url.split("/").at(-1));
});

test("the calendar of a coach whose account is closed names no student any more [A07]", async () => {
  const student = await lifetimeStudent();
  const { firstName } = (await student.call(getCurrentUser)).body;
  const { coaches } = (await student.call(getSlots)).body;
  const startsAt = coaches[0]?.startsAt.at(-1) ?? "";
  await student.call(bookSession, { body: { coachId: coaches[0]?.id ?? "", startsAt, timeZone } });
  const coach = await academy.visitor().signInAsDemo("coach@academy.test");
  const { pathname } = new URL((await coach.call(openCalendar, { body: {} })).body.url);
  const read = async () => (await academy.visitor().send("GET", pathname)).text();
  expect(await read()).toContain(`Coaching with ${firstName}`);
  const admin = await academy.visitor().signInAsDemo("admin@academy.test");
  const userId = (await coach.call(getCurrentUser)).body.id;
  expect((await admin.call(suspendAccount, { body: { userId, reason: "A complaint" } })).status).toBe(200);
  expect(await read()).not.toContain("Coaching with");
});
