import { expect } from "vitest";
import { listContacts } from "#contract/admin/contacts.ts";
import { sendContactMessage } from "#contract/contact.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { academyOfFile } from "#test/fixtures.ts";
import { leaveOnlyJobs } from "#test/regular-jobs.ts";
import { until } from "#test/until.ts";

const { academy, test } = await academyOfFile();
await leaveOnlyJobs(academy);

const written = { name: "Nora Quill", email: "nora@example.test", message: "Do you ship?" };
const form = (change: object = {}) => ({ ...written, ...change });
const send = (body: unknown, at: AcademyInProcess = academy) => at.visitor().call(sendContactMessage, { body });
const mailsAbout = async (text: string) => (await academy.mails()).filter((mail) => mail.text.includes(text));
const mailAbout = (text: string) => until(async () => (await mailsAbout(text))[0]);

test("a message gets the specification's answer and is mailed to support", async () => {
  const answer = await send(form());
  expect(answer).toMatchObject({
    status: 200,
    body: { success: true, message: "Your message has been sent successfully. We'll get back to you soon!" },
  });
  expect((await mailAbout("Do you ship?")).to).toContain("support@academy.test");
});

test("an international address of a message is stored in the one form", async ({ administrator }) => {
  expect((await send(form({ email: "Müller/a=b@ПРИМЕР.РФ", message: "From abroad" }))).status).toBe(200);
  const { body } = await administrator.call(listContacts, { query: { search: "from abroad" } });
  expect(body).toMatchObject([{ email: "müller/a=b@xn--e1afmkfd.xn--p1ai" }]);
});

test("each field has limits and an error message [C05]", async () => {
  expect((await send(form({ email: "not an address" }))).body.errors).toMatchObject({ email: ["Invalid email"] });
  for (const change of [
    { name: "" },
    { name: " " },
    { message: "" },
    { name: "x".repeat(201) },
    { message: "x".repeat(5001) },
    { email: ["nora@example.test"] },
    { message: { a: 1 } },
    { extra: "field" },
  ]) {
    const answer = await send(form(change));
    expect(answer.status, JSON.stringify(change)).toBe(400);
    expect(Object.keys(answer.body.errors ?? {})).toHaveLength(1);
  }
});

test("a message that a program seems to have written is stored and marked, and a repeated one is stored once [C02]", async ({
  administrator,
}) => {
  expect((await send(form({ message: "buy pills", website: "http://pills.example" }))).status).toBe(200);
  expect((await send(form({ message: "too fast", elapsed: 100 }))).status).toBe(200);
  for (const search of ["buy pills", "too fast"]) {
    expect((await mailAbout(search)).subject).toBe("New message from the contact form (suspected spam)");
    const { body } = await administrator.call(listContacts, { query: { search } });
    expect(body).toMatchObject([{ message: search, isSuspected: true }]);
  }
  for (let times = 0; times < 4; times++) expect((await send(form({ message: "only once" }))).status).toBe(200);
  await until(async () => (await mailsAbout("only once")).length === 1);
});

test("no header is injected, and nothing is sent to the address in the form [C03 C07]", async () => {
  await send(form({ name: "x\r\nBcc: victim@example.test", email: "victim@example.test", message: "header trick" }));
  expect((await mailAbout("header trick")).subject).toBe("New message from the contact form");
  expect((await academy.mails()).filter((one) => one.to.includes("victim@example.test"))).toEqual([]);
});

test("a form sent without scripts is answered with a page, also when it is refused", async () => {
  await academy.advance("61m");
  const visitor = academy.visitor();
  const sent = await visitor.navigate("/contact", { ...form({ message: "Sent without a script" }), website: "" });
  expect(sent.status).toBe(200);
  expect(sent.html).toContain("Your message has been sent successfully.");
  await mailAbout("Sent without a script");
  const refused = await visitor.navigate("/contact", form({ email: "nobody" }));
  expect(refused.status).toBe(400);
  expect(refused.html).toContain("The message was not sent");
  const elsewhere = await visitor.send("POST", "/contact", "name=x", {
    "content-type": "application/x-www-form-urlencoded",
    origin: "https://elsewhere.example",
  });
  expect(elsewhere.status).toBe(403);
});

test("one address sends at most ten messages an hour [C01]", async () => {
  await academy.advance("61m");
  const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => send(form({ message: `flood ${at}` }))));
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10);
  const refused = answers.find((answer) => answer.status === 429);
  expect(refused?.headers.get("retry-after")).toBe("3600");
  await academy.advance("61m");
  expect((await send(form({ message: "an hour later" }))).status).toBe(200);
});

test("all addresses together send at most two hundred messages an hour [C01]", async () => {
  await academy.advance("61m");
  await academy.pool.query(
    `insert into contacts (id, name, email, message, client_hash, created_at)
     select 'flood' || n, 'x', 'x@example.test', 'flood ' || n, 'client ' || n, $1 from generate_series(1, 199) as n`,
    [new Date(await academy.now())],
  );
  expect((await send(form({ message: "the last one" }))).status).toBe(200);
  expect((await send(form({ message: "one too many" }))).status).toBe(429);
});

test("while the mail server is down a message is stored and mailed later [C06]", async () => {
  await using cut = await openAcademyInProcess({ SMTP_URL: "smtp://127.0.0.1:9" });
  expect((await send(form({ message: "in the dark" }), cut)).status).toBe(200);
  await until(async () => cut.log.some((line) => line.includes("job failed") && line.includes("mail-contact")));
  expect(cut.log.join("\n")).not.toContain("in the dark");
});
