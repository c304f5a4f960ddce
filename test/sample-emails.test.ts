import { expect, test } from "vitest";
import { listSampleEmails } from "./sample-emails.ts";

test.each(listSampleEmails("https://academy.test").map((email) => [email.subject, email] as const))(
  "“%s” is a whole email in text and in HTML, and its links lead to the academy",
  (subject, { to, text, html }) => {
    for (const part of [subject, text, html]) expect(part).not.toMatch(/undefined|null|NaN|Invalid|\[object/);
    expect(to).toMatch(/^\w+@academy\.test$/);
    expect(text.length).toBeGreaterThan(subject.length);
    expect(html).toMatch(/^<!doctype html>[\s\S]+<\/html>\s*$/);
    for (const [, url = ""] of html.matchAll(/href="([^"]*)"/g)) expect(url).toMatch(/^https:\/\/academy\.test\//);
  },
);
