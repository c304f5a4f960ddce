import { expect, test } from "vitest";
import { openAcademy } from "#test/academy.ts";
import { bookAhead, lifetimeStudent } from "#test/coaching.ts";
import { mailServer } from "#test/stand-ins/mail-server.ts";
import { until } from "#test/until.ts";

test("a reminder that a mail outage held up is not sent once its session has begun; other mails are [K06]", async () => {
  await using server = await mailServer();
  await using academy = await openAcademy({ SMTP_URL: server.url });
  const student = await lifetimeStudent(academy);
  const { startsAt } = await bookAhead(student, academy, 3);
  const advanceTo = async (hoursBefore: number) => {
    const minutes = Math.ceil((Date.parse(startsAt) - (await academy.now())) / 60_000 - hoursBefore * 60);
    await academy.advance(`${minutes}m`);
  };
  // A day before, an hour before, and five minutes after the start.
  for (const hoursBefore of [23.9, 0.9, -1 / 12]) await advanceTo(hoursBefore);

  await server.start();
  await academy.advance("2h");
  const own = () => server.arrivals.filter(({ to }) => to === student.email).map(({ text }) => text);
  await until(async () => own().some((text) => text.includes("Your session is booked")));
  await academy.advance("2h");
  expect(own().filter((text) => /a day away|about to begin/.test(text))).toEqual([]);
});

test("a reminder that a mail outage held up is sent while its session is still to come [K06]", async () => {
  await using server = await mailServer();
  await using academy = await openAcademy({ SMTP_URL: server.url });
  const student = await lifetimeStudent(academy);
  const { startsAt } = await bookAhead(student, academy, 3);
  const left = Math.ceil((Date.parse(startsAt) - (await academy.now())) / 60_000);
  await academy.advance(`${left - 23 * 60}m`);
  await server.start();
  await academy.advance("2h");
  await until(async () =>
    server.arrivals.some(({ to, text }) => to === student.email && text.includes("Your session is a day away")),
  );
});
