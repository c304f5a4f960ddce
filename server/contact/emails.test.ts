import { expect, test } from "vitest";
import { reader } from "#test/sample-emails.ts";
import { receivedEmail, replyEmail } from "./emails.ts";

const written = { name: "Ines Park", email: "ines@example.test", message: "Is it for beginners?", isSuspected: false };

test("a reply goes to the sender of the message, and replies to it go to support", () => {
  const { academy } = reader;
  expect(receivedEmail(written, academy)).toMatchObject({ to: academy.supportEmail, replyTo: written.email });
  const reply = replyEmail(written, "Yes, it is.", academy);
  expect(reply).toMatchObject({ to: written.email, replyTo: academy.supportEmail });
  expect(reply.text).toMatch(/Yes, it is\.[\s\S]*Is it for beginners\?/);
});
