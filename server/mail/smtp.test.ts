import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { expect, onTestFinished, test } from "vitest";
import { smtpMail } from "./smtp.ts";

test("a message names the academy to the mail server, and is no person's answer", async () => {
  const taken: { greeting: string; content: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    async onData(stream, { hostNameAppearsAs }, done) {
      taken.push({ greeting: String(hostNameAppearsAs), content: await text(stream) });
      done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  const sender = { name: "Academy", address: "support@academy.example" };
  const mail = smtpMail(`smtp://127.0.0.1:${port}`, "academy.example", async () => sender);
  onTestFinished(() => mail.close());

  await mail.send({ to: "jo@example.test", subject: "Kvittering", text: "Prøv", html: "<p>Prøv</p>" }, "one");
  const [{ greeting, content } = { greeting: "", content: "" }] = taken;
  expect(greeting).toBe("academy.example");
  expect(content).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
  expect(content.match(/charset=utf-8/g)).toHaveLength(2);
});
