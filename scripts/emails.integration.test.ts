import { expect, test } from "vitest";
import { openAcademyInProcess } from "#test/academy-in-process.ts";
import { freePort } from "#test/free-port.ts";
import { runProgram } from "#test/operate.ts";
import { listSampleEmails } from "#test/sample-emails.ts";

const putEmails = (env: Record<string, string>) => runProgram(["scripts/emails.ts"], env);

test("one of every email is in the sandbox's mailbox, in its order, and a sandbox that is not there is told", async () => {
  await using academy = await openAcademyInProcess();
  const { code, said, failed } = await putEmails({ PUBLIC_URL: academy.url });
  const emails = listSampleEmails(academy.url);
  expect(said).toBe(`${emails.length} emails, one of each kind: ${academy.url}/sandbox#mailbox`);
  expect([code, failed]).toEqual([0, ""]);
  const known = emails.map(({ to, subject }) => `${to}: ${subject}`);
  // The demo's own emails still arrive.
  const arrived = (await academy.mails()).map(({ to, subject }) => `${to}: ${subject}`);
  expect(arrived.filter((one) => known.includes(one))).toEqual(known);
  expect(await putEmails({ PORT: String(await freePort()) })).toMatchObject({
    code: 1,
    said: "",
    failed: expect.stringMatching(/^No sandbox answers at http:\/\/localhost:\d+: run npm start first/),
  });
});
