import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { freePort } from "#test/free-port.ts";
import { programEnv } from "#test/program-env.ts";
import { listSampleEmails } from "#test/sample-emails.ts";

async function putEmails(env: Record<string, string>) {
  const child = spawn(process.execPath, ["scripts/emails.ts"], { env: { ...programEnv, ...env } });
  const [said, failed, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: code as number, said: said + failed };
}

test("one of every email is in the sandbox's mailbox, in its order, and a sandbox that is not there is told", async () => {
  await using academy = await openAcademyInProcess();
  const { code, said } = await putEmails({ PUBLIC_URL: academy.url });
  const emails = listSampleEmails(academy.url);
  expect(said).toBe(`${emails.length} emails, one of each kind: ${academy.url}/sandbox#mailbox\n`);
  expect(code).toBe(0);
  const known = emails.map(({ to, subject }) => `${to}: ${subject}`);
  // The demo's own emails still arrive.
  const arrived = (await academy.mails()).map(({ to, subject }) => `${to}: ${subject}`);
  expect(arrived.filter((one) => known.includes(one))).toEqual(known);
  expect(await putEmails({ PORT: String(await freePort()) })).toMatchObject({
    code: 1,
    said: expect.stringMatching(/^No sandbox answers at http:\/\/localhost:\d+: run npm start first/),
  });
});
