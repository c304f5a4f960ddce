import { expect, test } from "vitest";
import { bookSession } from "#contract/coaching/coaching.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { advanceTo, freeTimes } from "#test/coaching.ts";
import { mailServer } from "#test/stand-ins/mail-server.ts";
import { until } from "#test/until.ts";

const HOUR = 3_600_000;

test("a reminder that a mail outage held up is sent only while its session is to come [K06]", async () => {
  await using server = await mailServer();
  await using academy = await openAcademyInProcess({ SMTP_URL: server.url });
  const [missed, coming] = [await academy.member("vip"), await academy.member("vip")];
  const times = await freeTimes(missed, academy, 3);
  const at = ({ startsAt }: { startsAt: string }) => Date.parse(startsAt);
  const dayAfter = (time: (typeof times)[number]) =>
    times.find((later) => at(later) - at(time) >= 20 * HOUR && at(later) - at(time) < 24 * HOUR);
  const first = times.find(dayAfter) ?? expect.fail("no two days in a row");
  expect((await missed.call(bookSession, { body: first })).status).toBe(201);
  expect((await coming.call(bookSession, { body: dayAfter(first) })).status).toBe(201);
  // A day before the first session, an hour before it, and five minutes after its start.
  for (const minutes of [-24 * 60 + 6, -54, 5]) await advanceTo(academy, first.startsAt, minutes);

  await server.start();
  await academy.advance("2h");
  const textsTo = ({ email }: { email: string }) =>
    server.arrivals.filter(({ to }) => to === email).map(({ text }) => text);
  await until(async () => textsTo(missed).some((text) => text.includes("Your session is booked")));
  await until(async () => textsTo(coming).some((text) => text.includes("Your session starts in 24 hours")));
  await academy.advance("2h");
  expect(textsTo(missed).filter((text) => /Your session starts in/.test(text))).toEqual([]);
});
