import { afterAll, beforeAll, expect, test } from "vitest";
import { sendContactMessage } from "#contract/contact.ts";
import { openPool } from "#server/db/db.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";
import { until } from "#test/until.ts";

let academy: AcademyInProcess;
beforeAll(async () => {
  academy = await openAcademyInProcess();
});
afterAll(() => academy[Symbol.asyncDispose]());

const form = (change: object = {}) => ({
  name: "Nora Quill",
  email: "nora@example.test",
  message: "Do you ship?",
  ...change,
});
const send = (body: unknown, at: AcademyInProcess = academy) => at.visitor().call(sendContactMessage, { body });
const mailsAbout = async (text: string, at: AcademyInProcess = academy) =>
  (await at.mails()).filter((mail) => mail.text.includes(text));

test("a message gets the specification's answer and is mailed to support", async () => {
  const answer = await send(form());
  expect(answer).toMatchObject({
    status: 200,
    body: { success: true, message: "Your message has been sent successfully. We'll get back to you soon!" },
  });
  const [mail] = await until(async () => {
    const found = await mailsAbout("Do you ship?");
    return found.length > 0 && found;
  });
  expect(mail?.to).toEqual(expect.stringContaining("support@academy.test"));
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

test("a robot's message gets the usual answer and is not stored, and a repeated one is stored once [C02]", async () => {
  expect((await send(form({ message: "buy pills", website: "http://pills.example" }))).status).toBe(200);
  expect((await send(form({ message: "too fast", elapsed: 100 }))).status).toBe(200);
  for (let times = 0; times < 4; times++) expect((await send(form({ message: "only once" }))).status).toBe(200);
  await until(async () => (await mailsAbout("only once")).length === 1);
  expect(await mailsAbout("pills")).toEqual([]);
  expect(await mailsAbout("too fast")).toEqual([]);
});

test("no header is injected, and nothing is sent to the address in the form [C03 C07]", async () => {
  await send(form({ name: "x\r\nBcc: victim@example.test", email: "victim@example.test", message: "header trick" }));
  const [mail] = await until(async () => {
    const found = await mailsAbout("header trick");
    return found.length > 0 && found;
  });
  expect(mail?.subject).toBe("A message from the contact form");
  expect((await academy.mails()).filter((one) => one.to.includes("victim@example.test"))).toEqual([]);
});

test("a form sent without scripts is answered with a page, also when it is refused", async () => {
  await using quiet = await openAcademyInProcess();
  const visitor = quiet.visitor();
  const sent = await visitor.navigate("/contact", { ...form({ message: "Sent without a script" }), website: "" });
  expect(sent.status).toBe(200);
  expect(sent.html).toContain("Your message has been sent successfully.");
  await until(async () => (await mailsAbout("Sent without a script", quiet)).length > 0);
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
  await using quiet = await openAcademyInProcess();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) => send(form({ message: `flood ${at}` }), quiet)),
  );
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10);
  const refused = answers.find((answer) => answer.status === 429);
  expect(refused?.headers.get("retry-after")).toBe("3600");
  await quiet.advance("61m");
  expect((await send(form({ message: "an hour later" }), quiet)).status).toBe(200);
});

test("all addresses together send at most two hundred messages an hour [C01]", async () => {
  await using quiet = await openAcademyInProcess();
  const pool = openPool(quiet.database.connection, () => {}, 1);
  await pool
    .query(`insert into contacts (id, name, email, message, client_hash, created_at)
      select 'flood' || n, 'x', 'x@example.test', 'flood ' || n, 'client ' || n, now() from generate_series(1, 199) as n`)
    .finally(() => pool.end());
  expect((await send(form({ message: "the last one" }), quiet)).status).toBe(200);
  expect((await send(form({ message: "one too many" }), quiet)).status).toBe(429);
});

test("while the mail server is down a message is stored and mailed later [C06]", async () => {
  await using cut = await openAcademyInProcess({ SMTP_URL: "smtp://127.0.0.1:9" });
  expect((await send(form({ message: "in the dark" }), cut)).status).toBe(200);
  await until(async () => cut.log.some((line) => line.includes("job failed") && line.includes("mail-contact")));
  expect(cut.log.join("\n")).not.toContain("in the dark");
});
