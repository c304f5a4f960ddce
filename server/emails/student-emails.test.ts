import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { builtInEmails } from "#content/emails.ts";
import { escapeHtml } from "#server/http/html.ts";
import type { WordedKind } from "#server/mail/email-texts.ts";
import { composeEmail } from "#server/mail/student-emails.ts";
import { originalTexts } from "#server/settings/email-texts.ts";
import { composeSample, reader, type Sample, type StudentEmailKind, studentSamples } from "#test/sample-emails.ts";
import { emailExamples } from "./examples.ts";
import { studentEmails } from "./student-emails.ts";

for (const kind of Object.keys(studentEmails) as StudentEmailKind[]) {
  const { email, says } = studentSamples[kind];

  test(`the email "${kind}" has its facts and names in text and HTML, also by the data of a job`, () => {
    const { subject, text, html } = composeSample(reader, email);
    expect(subject).toBeTruthy();
    for (const fact of ["Casey", "academy.test", ...says]) {
      expect(text).toContain(fact);
      expect(html).toContain(escapeHtml(fact));
    }
    for (const body of [subject, text, html]) expect(body).not.toMatch(/undefined|null|NaN|Invalid|\[object/);
    expect(studentEmails[kind].kind).toBe(kind);
    expect(composeSample(reader, JSON.parse(JSON.stringify(email)))).toMatchObject({ subject, text, html });
  });
}

test("each email to a student that a domain defines can be sent", async () => {
  const server = new URL("../", import.meta.url);
  const files = readdirSync(server, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const emails = files.flatMap((file) => {
    const source = readFileSync(new URL(file, server), "utf8");
    return [...source.matchAll(/\bconst (\w+): StudentEmail</g)].map(([, name = ""]) => ({ file, name }));
  });
  const sendable: readonly unknown[] = Object.values(studentEmails).map(({ write }) => write);
  for (const { file, name } of emails) {
    const domain = await import(new URL(file, server).href);
    expect(sendable.includes(domain[name].write), `${name} of ${file}`).toBe(true);
  }
  expect(emails).toHaveLength(sendable.length);
});

for (const kind of Object.keys(emailExamples) as WordedKind[]) {
  test(`each text of "${kind}" is in one of its examples, and in all unless it tells when it is used`, () => {
    const names = Object.keys(originalTexts(kind));
    const marked = Object.fromEntries(names.map((name) => [name, `<${name}> ${originalTexts(kind)[name]}`]));
    const sent = emailExamples[kind]
      .map((facts) => composeEmail(studentEmails[kind], facts as never, reader, { texts: marked }))
      .map(({ subject, text }) => `${subject}\n${text}`);
    for (const [name, text] of Object.entries<string | readonly string[]>(builtInEmails[kind].texts)) {
      const having = sent.filter((one) => one.includes(`<${name}>`)).length;
      expect(having, name).toBeGreaterThan(0);
      expect(having === sent.length, `${name} is in every email`).toBe(typeof text === "string");
    }
    expect(sent.join()).not.toMatch(/\{\w+\}/);
  });
}

test("a student who asked about some of the lessons reads about those first, in the plural", () => {
  const lessons = ["Kneading", "Proofing", "Baking", "Cakes"].map((title) => {
    return { id: title, title, isAsked: title !== "Cakes" };
  });
  const facts = { ...emailExamples["new-lesson"][0], lessons };
  const { subject, text } = composeSample(reader, { kind: "new-lesson", facts });
  expect(subject).toBe("4 lessons are open");
  expect(text).toContain("when “Kneading”, “Proofing”, and “Baking” open. You can start them now.");
  expect(text).toContain("You can now watch “Cakes”.");
  expect(text).toContain("lesson=Kneading");
});

test("an email to a coach has the built-in texts", () => {
  const [facts] = emailExamples["coaching-booked"];
  const texts = { ...originalTexts("coaching-booked"), heading: "See you soon" };
  const textFor = (audience: "student" | "coach") =>
    composeEmail(studentEmails["coaching-booked"], { ...facts, audience } as never, reader, { texts }).text;
  expect(textFor("student")).toContain("See you soon");
  expect(textFor("coach")).toContain("Your session is booked");
});

test("a name with markup stays text, and a person without a name is not greeted", () => {
  const hostile = composeSample({ ...reader, firstName: '<img src=x onerror="alert(1)">' }, studentSamples.held.email);
  expect(hostile.html).not.toContain("<img");
  expect(hostile.html).toContain("&lt;img");
  expect(composeSample({ ...reader, firstName: null }, studentSamples.held.email).text).not.toContain("Hello");
});

test("what an administrator wrote stays text too", () => {
  const { html } = composeSample(reader, { kind: "suspended", facts: { reason: "<script>alert(1)</script>" } });
  expect(html).not.toContain("<script");
});

test("a plan that renews says every 30 days in its confirmation, and a lifetime that it has no end", () => {
  const { facts } = studentSamples.purchased.email as Extract<Sample, { kind: "purchased" }>;
  const monthly = composeSample(reader, {
    kind: "purchased",
    facts: { ...facts, planName: "Monthly Access", renewalCents: 49_00, nextPaymentAt: facts.paidAt },
  });
  expect(monthly.text).toContain("It renews every 30 days, next on November 21, 2026 for $49.00, until you cancel.");
  const lifetime = composeSample(reader, { kind: "purchased", facts: { ...facts, accessUntil: null } });
  expect(lifetime.text).toContain("Access until: No end date");
});

test("a card that can never be charged is not said to be tried again", () => {
  const { facts } = studentSamples.declined.email as Extract<Sample, { kind: "declined" }>;
  const { text } = composeSample(reader, { kind: "declined", facts: { ...facts, nextTryAt: null } });
  expect(text).toContain("can't charge this card again");
  expect(text).not.toContain("We'll try the same card");
});

test("a whole refund says that the access has ended, and what is left by other purchases", () => {
  const { facts } = studentSamples.refunded.email as Extract<Sample, { kind: "refunded" }>;
  const whole = { ...facts, amountCents: 397_00, kind: "void", endsAccess: true } as const;
  const left = composeSample(reader, {
    kind: "refunded",
    facts: { ...whole, accessAfter: { tier: "basic", until: null } },
  });
  expect(left.text).toContain("the whole $397.00");
  expect(left.text).toContain("You still have Monthly Access without an end date.");
  const none = composeSample(reader, {
    kind: "refunded",
    facts: { ...whole, accessAfter: { tier: null, until: null } },
  });
  expect(none.text).toContain("Annual Access has ended");
});

test("emails do not announce renewals, closures or periods that do not apply", () => {
  const { facts: renewed } = studentSamples.renewed.email as Extract<Sample, { kind: "renewed" }>;
  const last = composeSample(reader, { kind: "renewed", facts: { ...renewed, nextPaymentAt: null } });
  expect(last.text).toContain("It won't renew again.");
  const cancelled = { planName: "Monthly Access", accessUntil: null, instead: null };
  const closed = composeSample(reader, { kind: "cancelled", facts: cancelled });
  expect(closed.text).toContain("Your access has ended. We keep your progress");
  const { facts: soon } = studentSamples["ends-soon"].email as Extract<Sample, { kind: "ends-soon" }>;
  expect(composeSample(reader, { kind: "ends-soon", facts: { ...soon, daysLeft: 1 } }).subject).toMatch(/ in 1 day$/);
});

test("dates are those of the reader's time zone, and of the academy's while it is unknown", () => {
  const expired: Sample = { kind: "expired", facts: { planName: "Annual Access", endedAt: "2027-11-21T22:00:00Z" } };
  const inTokyo = { ...reader.academy, timeZone: "Asia/Tokyo" };
  const textFor = (timeZone: string | null) => composeSample({ ...reader, academy: inTokyo, timeZone }, expired).text;
  expect(textFor("America/New_York")).toContain("November 21, 2027, 5:00 PM EST");
  for (const unknown of [null, "Mars/Olympus"]) expect(textFor(unknown)).toContain("November 22, 2027, 7:00 AM GMT+9");
});

test("a reminder names the price of the day", () => {
  const { facts } = studentSamples["ends-soon"].email as Extract<Sample, { kind: "ends-soon" }>;
  const { text } = composeSample(reader, { kind: "ends-soon", facts: { ...facts, priceCents: 397_00 } });
  expect(text).toContain("another year for $397.00 today");
  expect(text).toContain("Price of another year today: $397.00");
});

test("a confirmation names the price of later periods, what was credited and the seller's tax", () => {
  const { facts } = studentSamples.purchased.email as Extract<Sample, { kind: "purchased" }>;
  const coupon = { ...facts, amountCents: 41_65, renewalCents: 49_00, lines: [] } as const;
  const monthly = composeSample(reader, { kind: "purchased", facts: { ...coupon, nextPaymentAt: facts.paidAt } });
  expect(monthly.text).toContain(" for $49.00, until you cancel");
  expect(monthly.text).not.toContain("off the price");
  expect(composeSample(reader, { kind: "purchased", facts }).text).toContain("off the price");
  const seller = { ...reader, academy: { ...reader.academy, taxLine: "VAT GB 123, 20% included" } };
  expect(composeSample(seller, { kind: "purchased", facts }).text).toContain("Tax: VAT GB 123, 20% included");
});
