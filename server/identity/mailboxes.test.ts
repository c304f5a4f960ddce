import { expect, test } from "vitest";
import { mailboxOf } from "./mailboxes.ts";

test.each([
  ["Ada@Example.Test", "ada@example.test"],
  [" ada+course@example.test ", "ada@example.test"],
  ["ada+a+b@example.test", "ada@example.test"],
  ["A.D.A+x@gmail.com", "ada@gmail.com"],
  ["a.da@googlemail.com", "ada@gmail.com"],
  ["a.da@example.test", "a.da@example.test"],
  ["+only@example.test", "+only@example.test"],
  ["zoe\u0308@example.test", "zo\u00eb@example.test"],
])("the mailbox of %s is %s", (typed, mailbox) => {
  expect(mailboxOf(typed)).toBe(mailbox);
});
