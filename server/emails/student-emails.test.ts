import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { builtInEmails } from "#content/emails.ts";
import { escapeHtml } from "#server/http/html.ts";
import type { WordedKind } from "#server/mail/email-texts.ts";
import { composeEmail } from "#server/mail/student-emails.ts";
import { originalTexts } from "#server/settings/email-texts.ts";
import { composeSample, reader, type StudentEmailKind, sampleFacts, studentEmailKinds } from "#test/sample-emails.ts";
import { emailExamples } from "./examples.ts";
import { studentEmails } from "./student-emails.ts";

const bothTimes = ["Tuesday, March 9, 2027, 2:00 PM EST (New York, your time)", "8:00 PM for Dana in Berlin"];
/** What the sample of each kind says. */
const says: Readonly<Record<StudentEmailKind, readonly string[]>> = {
  purchased: [
    "Welcome to Annual Access",
    "$397.00",
    "Your unused 20 of 30 days of Monthly Access",
    "-$32.66",
    "$364.34",
    "November 21, 2026",
    "Visa ending in 1111",
    "60200000001",
    "November 21, 2027, 10:00 AM UTC",
    "It won't renew",
    "We took the unused days of your Monthly Access off the price. Monthly Access has ended.",
    "a full refund, including your earlier payment, until November 28, 2026, 10:00 AM UTC",
    "https://academy.test/receipts/r1",
  ],
  renewed: [
    "You pay $49.00 for 2 more payments, then $60.00 every 30 days.",
    "every 30 days, next on January 20, 2027",
    "1111",
    "60200000001",
    "/receipts/r1",
  ],
  "ends-soon": [
    "ends in 7 days",
    "November 21, 2027, 10:00 AM UTC",
    "$397",
    "starts when this year ends",
    "/membership",
  ],
  declined: [
    "$49",
    "December 24, 2026",
    "January 4, 2027, 10:00 AM UTC",
    "your progress",
    "https://academy.test/payment-method#",
    "works once",
  ],
  unpaid: ["$49", "For a week", "Your card may be fine", "https://academy.test/payment-method#"],
  "on-hold": [
    "on hold",
    "$49",
    "we've stopped trying",
    "January 18, 2027, 10:00 AM UTC",
    "https://academy.test/payment-method#",
  ],
  held: ["on hold", "Shared account", "won't charge you"],
  "back-again": [
    "active again",
    "charged $49",
    "next on January 20, 2027",
    "January 20, 2027, 10:00 AM UTC",
    "/receipts/r1",
  ],
  cancelled: ["won't renew", "December 21, 2026, 10:00 AM UTC"],
  resumed: ["every 30 days, next on December 21, 2026", "$49", "You weren't charged today"],
  refunded: [
    "$100.00 of the $397.00",
    "You still have Annual Access until November 21, 2027, 10:00 AM UTC",
    "60200000009",
  ],
  "payment-lost": ["bank took back the $49", "Monthly Access has ended", "your progress", "help@academy.test"],
  expired: ["November 21, 2027, 10:00 AM UTC", "You won't be charged again"],
  suspended: ["suspended", "Recordings of lessons were passed on", "help@academy.test"],
  "role-changed": ["Your role at Academy: Support", "Sign in with this email address", "/admin"],
  "team-changed": ["kim@academy.test", "Support", "admin@academy.test", "/admin/team"],
  "account-deleted": ["February 1, 2027, 10:00 AM UTC", "no card is kept", "keep records of your payments"],
  "coaching-booked": ["Coaching with Dana", ...bothTimes, "for free until 24 hours", "/coaching/b1"],
  "coaching-moved": ["is now", ...bothTimes, "It was on Monday, March 8, 2027", "/coaching/b1"],
  "coaching-cancelled": ["Your session is cancelled", "You cancelled it.", "so it doesn't count as used", ...bothTimes],
  "coaching-handed-over": ["Casey moved the session to another coach", "Monday, March 8, 2027, 8:00 PM", "/coach"],
  "coaching-reminder": ["Coaching with Dana", ...bothTimes, "counts as used"],
  "coaching-missed": ["You missed this session", "We forgive", "If this isn't what happened", "/coaching/b1"],
  "coaching-summary": ["Dana wrote down", ...bothTimes, "Read the summary", "/coaching/b1"],
  "live-scheduled": ["A new group session", "Price history, live", ...bothTimes, "Bring a chart."],
  "live-seat-taken": ["You have a seat", "Price history, live", ...bothTimes, "give up your seat"],
  "live-seat-given-up": ["Your access changed", "Price history, live", ...bothTimes, "removes it from your calendar"],
  "live-handed-over": ["Dana now leads Price history, live", "Monday, March 8, 2027, 8:00 PM GMT+1 (Berlin)", "/coach"],
  "live-changed": ["has changed", ...bothTimes, "It was on Monday, March 8, 2027", "You still have your seat"],
  "live-cancelled": ["is cancelled", ...bothTimes, "when we schedule another one"],
  "live-reminder": ["starts in an hour", ...bothTimes, "15 minutes before"],
  "live-recorded": ["The recording is ready", ...bothTimes, "Watch the recording"],
  "unfinished-checkout": [
    "didn't finish your checkout",
    "Annual Access costs $397.00",
    "Modules 1-4",
    "Continue to checkout",
  ],
  "paying-for-nothing": [
    "You haven't opened the course since January 31, 2027",
    "renews on March 9, 2027 for $49.00",
    "Cancel here",
  ],
  "new-lesson": ["“Kneading” opens", "Go to the lesson"],
  "lesson-open": ["You asked us to tell you when Kneading opens.", "/dashboard?lesson=lesson-4-1"],
  welcome: ["Monthly Access is open for you", "Go to the course", "Unsubscribe from news and reminders"],
  stalled: ["4:05 of “Kneading”", "lesson=lesson-4-1&at=245", "This is our last reminder."],
  "certificate-issued": ["You completed modules 1 to 3", "7K3M-9QXW-2V4C-ZT80", "Download as PDF"],
  "certificate-withdrawn": [
    "withdrawn your certificate",
    "The name isn’t yours.",
    "/verify/7K3M9QXW2V4CZT80",
    "can’t download the PDF",
  ],
  "question-answered": [
    "Dana Reed answered",
    "“How long does the dough rest?”",
    "Two hours",
    "/questions/q1",
    "Unsubscribe from answers",
  ],
  "video-prepared": [
    "We couldn’t convert your video lesson-4-1.mov",
    "This file is damaged or incomplete.",
    "/admin/content",
  ],
  "questions-waiting": [
    "12 questions are waiting for an answer",
    "1 question has been reported.",
    "November 21, 2026",
    "How long does the dough rest?",
    "/admin/questions",
  ],
};

test.each(studentEmailKinds)(
  "the email %s has its facts and names in text and HTML, also by the data of a job",
  (kind) => {
    const { subject, text, html } = composeSample(reader, kind);
    expect(subject).toBeTruthy();
    for (const fact of ["Casey", "academy.test", ...says[kind]]) {
      expect(text).toContain(fact);
      expect(html).toContain(escapeHtml(fact));
    }
    for (const body of [subject, text, html]) expect(body).not.toMatch(/undefined|null|NaN|Invalid|\[object/);
    expect(studentEmails[kind].kind).toBe(kind);
    const ofJob = JSON.parse(JSON.stringify(sampleFacts(kind)));
    expect(composeSample(reader, kind, ofJob)).toMatchObject({ subject, text, html });
  },
);

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
  const { subject, text } = composeSample(reader, "new-lesson", { lessons });
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
  const hostile = composeSample({ ...reader, firstName: '<img src=x onerror="alert(1)">' }, "held");
  expect(hostile.html).not.toContain("<img");
  expect(hostile.html).toContain("&lt;img");
  expect(composeSample({ ...reader, firstName: null }, "held").text).not.toContain("Hello");
});

test("what an administrator wrote stays text too", () => {
  const { html } = composeSample(reader, "suspended", { reason: "<script>alert(1)</script>" });
  expect(html).not.toContain("<script");
});

test("a plan that renews says every 30 days in its confirmation, and a lifetime that it has no end", () => {
  const { paidAt } = sampleFacts("purchased");
  const renewal = { planName: "Monthly Access", renewalCents: 49_00, nextPaymentAt: paidAt };
  expect(composeSample(reader, "purchased", renewal).text).toContain(
    "It renews every 30 days, next on November 21, 2026 for $49.00, until you cancel.",
  );
  const lifetime = composeSample(reader, "purchased", { accessUntil: null });
  expect(lifetime.text).toContain("Access until: No end date");
});

test("a card that can never be charged is not said to be tried again", () => {
  const { text } = composeSample(reader, "declined", { nextTryAt: null });
  expect(text).toContain("can't charge this card again");
  expect(text).not.toContain("We'll try the same card");
});

test("a whole refund says that the access has ended, and what is left by other purchases", () => {
  const textFor = (tier: "basic" | null) => {
    const whole = { amountCents: 397_00, kind: "void", endsAccess: true, accessAfter: { tier, until: null } } as const;
    return composeSample(reader, "refunded", whole).text;
  };
  expect(textFor("basic")).toContain("the whole $397.00");
  expect(textFor("basic")).toContain("You still have Monthly Access without an end date.");
  expect(textFor(null)).toContain("Annual Access has ended");
});

test("emails do not announce renewals, closures or periods that do not apply", () => {
  expect(composeSample(reader, "renewed", { nextPaymentAt: null }).text).toContain("It won't renew again.");
  const closed = composeSample(reader, "cancelled", { accessUntil: null });
  expect(closed.text).toContain("Your access has ended. We keep your progress");
  expect(composeSample(reader, "ends-soon", { daysLeft: 1 }).subject).toMatch(/ in 1 day$/);
});

test("dates are those of the reader's time zone, and of the academy's while it is unknown", () => {
  const inTokyo = { ...reader.academy, timeZone: "Asia/Tokyo" };
  const textFor = (timeZone: string | null) =>
    composeSample({ ...reader, academy: inTokyo, timeZone }, "expired", { endedAt: "2027-11-21T22:00:00Z" }).text;
  expect(textFor("America/New_York")).toContain("November 21, 2027, 5:00 PM EST");
  for (const unknown of [null, "Mars/Olympus"]) expect(textFor(unknown)).toContain("November 22, 2027, 7:00 AM GMT+9");
});

test("a reminder names the price of the day", () => {
  const { text } = composeSample(reader, "ends-soon");
  expect(text).toContain("another year for $397.00 today");
  expect(text).toContain("Price of another year today: $397.00");
});

test("a confirmation names the price of later periods, what was credited and the seller's tax", () => {
  const coupon = { amountCents: 41_65, renewalCents: 49_00, lines: [], nextPaymentAt: sampleFacts("purchased").paidAt };
  const monthly = composeSample(reader, "purchased", coupon);
  expect(monthly.text).toContain(" for $49.00, until you cancel");
  expect(monthly.text).not.toContain("off the price");
  expect(composeSample(reader, "purchased").text).toContain("off the price");
  const seller = { ...reader, academy: { ...reader.academy, taxLine: "VAT GB 123, 20% included" } };
  expect(composeSample(seller, "purchased").text).toContain("Tax: VAT GB 123, 20% included");
});
