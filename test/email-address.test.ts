import { expect, test } from "vitest";
import { claimedEmail, EmailAddress, storedEmail } from "#contract/email-address.ts";

test.each([
  ["user@xn--e1afmkfd.xn--p1ai", "user@xn--e1afmkfd.xn--p1ai"],
  ["user@пример.рф", "user@xn--e1afmkfd.xn--p1ai"],
  ["User@ПРИМЕР.РФ", "user@xn--e1afmkfd.xn--p1ai"],
  ["user@例え。テスト", "user@xn--r8jz45g.xn--zckzah"],
  ["user@fußball.example", "user@xn--fuball-cta.example"],
  ["Ada@Example.COM", "ada@example.com"],
  ["!#$%&'*+-/=?^_`{|}~.a@example.com", "!#$%&'*+-/=?^_`{|}~.a@example.com"],
  ["Müller@example.de", "müller@example.de"],
  ["mu\u0308ller@example.de", "müller@example.de"],
  ["用户²@example.com", "用户²@example.com"],
  ["\u202a ada\u200b@\u00adexample.com\u00a0\u202c", "ada@example.com"],
  ["ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ", "ada@example.com"],
  ["ａda\u200d@example.com", "ada@example.com"],
  ["jean\u2011luc@exa\u2010mple.com", "jean-luc@exa-mple.com"],
])("%j is stored as %j", (typed, stored) => {
  expect(EmailAddress.parse(typed)).toBe(stored);
  expect(EmailAddress.parse(stored)).toBe(stored);
});

test.each([
  ...["", "ada", "ada@", "@example.com", "ada@example", "ada@@example.com", "a@b@example.com", "ada,b@example.com"],
  ...[".ada@example.com", "ada.@example.com", "a..b@example.com", "ada lovelace@example.com", "Ada <ada@example.com>"],
  ...["ada@exam ple.com", "ada@.com", "ada@example..com", "ada@-example.com", "ada@example.com.", "ada@example.c"],
  ...[
    "ada@127.0.0.1",
    "ada@0x7f.1",
    "ada@example.com:25",
    "ada@example.com/b",
    "ada@example.com?b",
    "ada@example.com#b",
  ],
  ...["ada@ex%61mple.com", "ada@example.com\\b", "ada@exa\nmple.com", "ada@a_b.com", "ада\0@example.com"],
  ...["ä\u2028b@example.com", `ada@${"a".repeat(64)}.com`, "ada@<b>.com"],
])("%j is no address", (typed) => {
  expect(EmailAddress.safeParse(typed).error?.issues).toMatchObject([{ message: "Invalid email" }]);
});

test.each([
  ['"ada lovelace"@example.com', /quotation marks/],
  ["ada@[127.0.0.1]", /numbers after the @/],
  ["maria.παππά@example.com", /Latin letters with Greek/],
  [`${"a".repeat(243)}@example.com`, /^Use 254 characters or fewer$/],
  [`${"a".repeat(228)}@${"ü".repeat(12)}.example`, /^Use 254 characters or fewer$/],
])("the reason is named for %j", (typed, reason) => {
  expect(EmailAddress.safeParse(typed).error?.issues).toMatchObject([{ message: expect.stringMatching(reason) }]);
  expect(storedEmail(typed)).toBeNull();
});

test.each([
  ["Ada@Example.com", "ada@example.com"],
  ["Mu\u0308ller@ПРИМЕР.РФ", "müller@xn--e1afmkfd.xn--p1ai"],
  ["\u212aim@example.com", null],
  ["é\u212aim@example.com", null],
  ["İda@example.com", null],
  ["\u0430da@example.com", null],
  ["ада@example.com", "ада@example.com"],
  ["ａｄａ@example.com", null],
  [" ada@example.com", null],
  ["ada\u200b@example.com", null],
  ["ada@exam\u00adple.com", null],
  ["ada@exa\u2010mple.com", "ada@xn--example-706c.com"],
])("a provider's %j counts as %j", (claim, stored) => {
  expect(claimedEmail(claim)).toBe(stored);
});
