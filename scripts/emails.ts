import { z } from "zod";
import { builtInSettings } from "#content/site.ts";
import { newId } from "#server/db/id.ts";
import { smtpMail } from "#server/mail/smtp.ts";
import { listSampleEmails } from "#test/sample-emails.ts";

// Sends one of each of the academy's emails to the mailbox of a running sandbox, for reading.
const { env } = process;
const academy = env.PUBLIC_URL || `http://localhost:${env.PORT || 3000}`;
const sandbox = env.SANDBOX_URL || academy;

const answer = await fetch(`${sandbox}/sandbox/api`).catch(() => null);
if (!answer?.ok) {
  console.error(`No sandbox answers at ${sandbox}: run npm start first, or name another by PORT or SANDBOX_URL.`);
  process.exit(1);
}
const { smtpUrl } = z
  .object({ smtpUrl: z.url({ protocol: /^smtp$/, hostname: /^127\.0\.0\.1$/ }) })
  .parse(await answer.json());
const mail = smtpMail(smtpUrl, "localhost", async () => ({
  name: builtInSettings.name,
  address: "academy@academy.test",
}));
const emails = listSampleEmails(academy);
// The mailbox shows the newest first.
for (const email of emails.toReversed()) await mail.send(email, newId());
await mail.close();
console.log(`${emails.length} emails, one of each kind: ${sandbox}/sandbox#mailbox`);
