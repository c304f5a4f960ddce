import { createServer } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { listening } from "#test/listening.ts";
import { offersUtf8, smtpMail } from "./smtp.ts";

interface Taken {
  greeting: string;
  to: string;
  content: string;
}

async function mailTo({ hideSMTPUTF8 }: { hideSMTPUTF8: boolean }) {
  const taken: Taken[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    hideSMTPUTF8,
    async onData(stream, { hostNameAppearsAs, envelope }, done) {
      const to = envelope.rcptTo.map(({ address }) => address).join();
      taken.push({ greeting: String(hostNameAppearsAs), to, content: await text(stream) });
      done();
    },
  });
  const port = await listening(server.server);
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  const sender = { name: "Academy", address: "support@academy.example" };
  const mail = smtpMail(`smtp://127.0.0.1:${port}`, "academy.example", async () => sender);
  onTestFinished(() => mail.close());
  return { mail, taken };
}

const message = { subject: "Kvittering", text: "Prøv", html: "<p>Prøv</p>" };

test("a message names the academy to the mail server, and is no person's answer", async () => {
  const { mail, taken } = await mailTo({ hideSMTPUTF8: true });
  await mail.send({ to: "jo@example.test", ...message }, "one");
  const [{ greeting, content } = { greeting: "", content: "" }] = taken;
  expect(greeting).toBe("academy.example");
  expect(content).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
  expect(content.match(/charset=utf-8/g)).toHaveLength(2);
});

test("a mail server that hangs up before its greeting has not said what it offers", async () => {
  const server = createServer((socket) => socket.destroy());
  const url = `smtp://127.0.0.1:${await listening(server)}`;
  onTestFinished(() => void server.close());
  await expect(offersUtf8(url, "academy.example")).rejects.toThrow();
  const mail = smtpMail(url, "academy.example", async () => ({ name: "", address: "" }));
  expect(await mail.canWriteTo("müller@example.de")).toBe(true);
});

test("letters beyond ASCII before the @ need a mail server with SMTPUTF8", async () => {
  const { mail: old } = await mailTo({ hideSMTPUTF8: true });
  expect(await old.canWriteTo("müller@example.de")).toBe(false);
  expect(await old.canWriteTo("a/b@xn--e1afmkfd.xn--p1ai")).toBe(true);

  const { mail, taken } = await mailTo({ hideSMTPUTF8: false });
  expect(await mail.canWriteTo("müller@example.de")).toBe(true);
  await mail.send({ to: "müller@example.de", ...message }, "one");
  await mail.send({ to: "!#$%&'*+-/=?^_`{|}~@example.de", ...message }, "two");
  expect(taken.map(({ to }) => to)).toEqual(["müller@example.de", "!#$%&'*+-/=?^_`{|}~@example.de"]);
  expect(taken[0]?.content).toMatch(/^To: müller@example.de\r?$/m);
});
