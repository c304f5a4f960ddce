import { expect, test } from "vitest";
import { draftEmail, getContent, publishContent } from "#contract/admin/content.ts";
import { suspendAccount } from "#contract/admin/users.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { openAcademy } from "#test/academy.ts";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { mailServer } from "#test/stand-ins/mail-server.ts";
import { until } from "#test/until.ts";

const message = { name: "Nora", email: "nora@example.test", message: "Do you ship?" };

test("a mail accepted just before a kill is sent again under the same Message-ID", async () => {
  await using server = await mailServer();
  await server.start();
  server.fallSilentAbout(message.message);
  await using academy = await openAcademy({ SMTP_URL: server.url });
  expect((await academy.visitor().call(sendContactMessage, { body: message })).status).toBe(200);
  const isOurs = ({ text }: { text: string }) => text.includes(message.message);
  const first = await until(async () => server.arrivals.find(isOurs));
  await academy.kill();
  server.fallSilentAbout(null);
  await using next = await openAcademyInProcess({ SMTP_URL: server.url }, academy.database);
  await next.advance("3m");
  const arrivals = server.arrivals.filter(isOurs);
  expect(arrivals.length).toBeGreaterThan(1);
  expect(new Set(arrivals.map(({ messageId }) => messageId))).toEqual(new Set([first.messageId]));
  expect(first.messageId).toMatch(/^<[0-9a-z]{20}@localhost>$/);
});

test("an outage of the mail server loses no mail, no row has a working link, and texts are those of then", async () => {
  await using server = await mailServer();
  await using academy = await openAcademyInProcess({ SMTP_URL: server.url });
  const student = await academy.visitor().signUpAtIssuer();
  const { rows } = await academy.pool.query("select data from jobs where name = 'mail-of-issuer'");
  expect(rows).toEqual([{ data: { kind: "confirm-address", to: student.email } }]);
  const owner = await academy.visitor().signInAsDemo("admin@academy.test");
  const suspended = await academy.visitor().signUp();
  await owner.call(suspendAccount, { body: { userId: await suspended.id(), reason: "None" } });
  const { published, version } = (await owner.call(getContent)).body.emails.find(({ id }) => id === "suspended") ?? {};
  const body = { ...published, subject: "Please write to us" };
  await owner.call(draftEmail, { params: { id: "suspended" }, query: { version: version ?? "" }, body });
  await owner.call(publishContent, { body: {} });
  await academy.stop();
  await academy.start();
  await academy.advance("1d");

  await server.start();
  await academy.advance("2h");
  const told = await until(async () => server.arrivals.find(({ to }) => to === suspended.email));
  expect(told.text).toContain("Please write to us");
  const mail = await until(async () => server.arrivals.find(({ to }) => to === student.email));
  const [link = ""] = /http\S+token=\S+/.exec(mail.text) ?? [];
  expect((await student.navigate(link)).html).toContain("Confirm my email address");
});
