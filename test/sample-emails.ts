import { builtInPlanNames } from "#content/plans.ts";
import { builtInColors } from "#contract/branding.ts";
import { issuerEmails } from "#issuer/mails.ts";
import { receivedEmail, replyEmail } from "#server/contact/emails.ts";
import { emailExamples } from "#server/emails/examples.ts";
import { studentEmails } from "#server/emails/student-emails.ts";
import { type AdministratorEmail, composeAdministratorEmail } from "#server/identity/administrator-emails.ts";
import { composeImportInvitation } from "#server/imports/invitations.ts";
import { renderEmail } from "#server/mail/layout.ts";
import type { Message } from "#server/mail/mail.ts";
import { composeEmail, type StudentReader } from "#server/mail/student-emails.ts";

export type StudentEmailKind = keyof typeof studentEmails;
type FactsOf<K extends StudentEmailKind> = Parameters<(typeof studentEmails)[K]["write"]>[0];
export type Sample = { [K in StudentEmailKind]: { kind: K; facts: Omit<FactsOf<K>, "cardPageOf"> } }[StudentEmailKind];

/** A student's email as it is sent. */
export function composeSample(reader: StudentReader, { kind, facts }: Sample) {
  const link = `${reader.academy.publicUrl}/unsubscribe/3vJ0n2mS1lq8cUtYkq9wAA`;
  return composeEmail(studentEmails[kind], facts as never, reader, { unsubscribeUrl: link });
}

const academy = {
  name: "Academy",
  supportEmail: "help@academy.test",
  seller: { name: "Academy Ltd.", address: ["1 Main Street", "Springfield, IL 62701"] },
  refundDays: 7,
  timeZone: "UTC",
  taxLine: "Prices include sales tax where it applies.",
  ...{ colors: builtInColors, brandingStylesheet: null, logo: null, icon: "/favicon.svg", isPlain: false },
  publicUrl: "https://academy.test",
};
/** Of the built-in academy. */
export const reader = { firstName: "Casey", academy, planNames: builtInPlanNames };
const bothTimes = ["Tuesday, March 9, 2027, 2:00 PM EST (New York, your time)", "8:00 PM for Dana in Berlin"];

/** One of each kind of email to students, with its expected content. */
export const studentSamples: Record<StudentEmailKind, { email: Sample; says: string[] }> = {
  purchased: {
    email: {
      kind: "purchased",
      facts: emailExamples.purchased[0],
    },
    says: [
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
  },
  renewed: {
    email: {
      kind: "renewed",
      facts: emailExamples.renewed[0],
    },
    says: [
      "You pay $49.00 for 2 more payments, then $60.00 every 30 days.",
      "every 30 days, next on January 20, 2027",
      "1111",
      "60200000001",
      "/receipts/r1",
    ],
  },
  "ends-soon": {
    email: {
      kind: "ends-soon",
      facts: emailExamples["ends-soon"][0],
    },
    says: ["ends in 7 days", "November 21, 2027, 10:00 AM UTC", "$397", "starts when this year ends", "/membership"],
  },
  declined: {
    email: {
      kind: "declined",
      facts: emailExamples.declined[0],
    },
    says: [
      "$49",
      "December 24, 2026",
      "January 4, 2027, 10:00 AM UTC",
      "your progress",
      "https://academy.test/payment-method#",
      "works once",
    ],
  },
  unpaid: {
    email: {
      kind: "unpaid",
      facts: emailExamples.unpaid[0],
    },
    says: ["$49", "For a week", "Your card may be fine", "https://academy.test/payment-method#"],
  },
  "on-hold": {
    email: {
      kind: "on-hold",
      facts: emailExamples["on-hold"][0],
    },
    says: [
      "on hold",
      "$49",
      "we've stopped trying",
      "January 18, 2027, 10:00 AM UTC",
      "https://academy.test/payment-method#",
    ],
  },
  held: {
    email: { kind: "held", facts: emailExamples.held[0] },
    says: ["on hold", "Shared account", "won't charge you"],
  },
  "back-again": {
    email: {
      kind: "back-again",
      facts: emailExamples["back-again"][0],
    },
    says: ["active again", "charged $49", "next on January 20, 2027", "January 20, 2027, 10:00 AM UTC", "/receipts/r1"],
  },
  cancelled: {
    email: {
      kind: "cancelled",
      facts: emailExamples.cancelled[0],
    },
    says: ["won't renew", "December 21, 2026, 10:00 AM UTC"],
  },
  resumed: {
    email: {
      kind: "resumed",
      facts: emailExamples.resumed[0],
    },
    says: ["every 30 days, next on December 21, 2026", "$49", "You weren't charged today"],
  },
  refunded: {
    email: {
      kind: "refunded",
      facts: emailExamples.refunded[0],
    },
    says: [
      "$100.00 of the $397.00",
      "You still have Annual Access until November 21, 2027, 10:00 AM UTC",
      "60200000009",
    ],
  },
  "payment-lost": {
    email: {
      kind: "payment-lost",
      facts: emailExamples["payment-lost"][0],
    },
    says: ["bank took back the $49", "Monthly Access has ended", "your progress", "help@academy.test"],
  },
  expired: {
    email: { kind: "expired", facts: emailExamples.expired[0] },
    says: ["November 21, 2027, 10:00 AM UTC", "You won't be charged again"],
  },
  suspended: {
    email: { kind: "suspended", facts: emailExamples.suspended[0] },
    says: ["suspended", "Recordings of lessons were passed on", "help@academy.test"],
  },
  "role-changed": {
    email: { kind: "role-changed", facts: { from: null, to: "support" } },
    says: ["Your role at Academy: Support", "Sign in with this email address", "/admin"],
  },
  "team-changed": {
    email: {
      kind: "team-changed",
      facts: { from: null, to: "support", member: "kim@academy.test", actor: "admin@academy.test" },
    },
    says: ["kim@academy.test", "Support", "admin@academy.test", "/admin/team"],
  },
  "account-deleted": {
    email: { kind: "account-deleted", facts: { deletedAt: "2027-02-01T10:00:00Z" } },
    says: ["February 1, 2027, 10:00 AM UTC", "no card is kept", "keep records of your payments"],
  },
  "coaching-booked": {
    email: { kind: "coaching-booked", facts: emailExamples["coaching-booked"][0] },
    says: ["Coaching with Dana", ...bothTimes, "for free until 24 hours", "/coaching/b1"],
  },
  "coaching-moved": {
    email: { kind: "coaching-moved", facts: emailExamples["coaching-moved"][0] },
    says: ["is now", ...bothTimes, "It was on Monday, March 8, 2027", "/coaching/b1"],
  },
  "coaching-cancelled": {
    email: {
      kind: "coaching-cancelled",
      facts: emailExamples["coaching-cancelled"][0],
    },
    says: ["Your session is cancelled", "You cancelled it.", "so it doesn't count as used", ...bothTimes],
  },
  "coaching-handed-over": {
    email: {
      kind: "coaching-handed-over",
      facts: {
        ...emailExamples["coaching-booked"][0],
        ...{ audience: "coach", coachId: "c2", before: "2027-03-08T19:00:00Z" },
      },
    },
    says: ["Casey moved the session to another coach", "Monday, March 8, 2027, 8:00 PM", "/coach"],
  },
  "coaching-reminder": {
    email: { kind: "coaching-reminder", facts: emailExamples["coaching-reminder"][0] },
    says: ["Coaching with Dana", ...bothTimes, "counts as used"],
  },
  "coaching-missed": {
    email: { kind: "coaching-missed", facts: emailExamples["coaching-missed"][0] },
    says: ["You missed this session", "We forgive", "If this isn't what happened", "/coaching/b1"],
  },
  "coaching-summary": {
    email: { kind: "coaching-summary", facts: emailExamples["coaching-summary"][0] },
    says: ["Dana wrote down", ...bothTimes, "Read the summary", "/coaching/b1"],
  },
  "live-scheduled": {
    email: { kind: "live-scheduled", facts: emailExamples["live-scheduled"][0] },
    says: ["A new group session", "Price history, live", ...bothTimes, "Bring a chart."],
  },
  "live-seat-taken": {
    email: { kind: "live-seat-taken", facts: emailExamples["live-seat-taken"][0] },
    says: ["You have a seat", "Price history, live", ...bothTimes, "give up your seat"],
  },
  "live-seat-given-up": {
    email: { kind: "live-seat-given-up", facts: emailExamples["live-seat-given-up"][0] },
    says: ["Your access changed", "Price history, live", ...bothTimes, "removes it from your calendar"],
  },
  "live-handed-over": {
    email: {
      kind: "live-handed-over",
      facts: {
        ...emailExamples["live-scheduled"][0],
        ...{ audience: "coach", coachId: "c2", before: "2027-03-08T19:00:00Z" },
      },
    },
    says: ["Dana now leads Price history, live", "Monday, March 8, 2027, 8:00 PM GMT+1 (Berlin)", "/coach"],
  },
  "live-changed": {
    email: { kind: "live-changed", facts: emailExamples["live-changed"][0] },
    says: ["has changed", ...bothTimes, "It was on Monday, March 8, 2027", "You still have your seat"],
  },
  "live-cancelled": {
    email: { kind: "live-cancelled", facts: emailExamples["live-cancelled"][0] },
    says: ["is cancelled", ...bothTimes, "when we schedule another one"],
  },
  "live-reminder": {
    email: { kind: "live-reminder", facts: emailExamples["live-reminder"][0] },
    says: ["starts in an hour", ...bothTimes, "15 minutes before"],
  },
  "live-recorded": {
    email: { kind: "live-recorded", facts: emailExamples["live-recorded"][0] },
    says: ["The recording is ready", ...bothTimes, "Watch the recording"],
  },
  "unfinished-checkout": {
    email: { kind: "unfinished-checkout", facts: emailExamples["unfinished-checkout"][0] },
    says: ["didn't finish your checkout", "Annual Access costs $397.00", "Modules 1-4", "Continue to checkout"],
  },
  "paying-for-nothing": {
    email: { kind: "paying-for-nothing", facts: emailExamples["paying-for-nothing"][0] },
    says: ["You haven't opened the course since January 31, 2027", "renews on March 9, 2027 for $49.00", "Cancel here"],
  },
  "new-lesson": {
    email: { kind: "new-lesson", facts: emailExamples["new-lesson"][0] },
    says: ["“Kneading” opens", "Go to the lesson"],
  },
  "lesson-open": {
    email: { kind: "lesson-open", facts: { lessonId: "lesson-4-1", title: "Kneading" } },
    says: ["You asked us to tell you when Kneading opens.", "/dashboard?lesson=lesson-4-1"],
  },
  welcome: {
    email: { kind: "welcome", facts: emailExamples.welcome[0] },
    says: ["Monthly Access is open for you", "Go to the course", "Unsubscribe from news and reminders"],
  },
  stalled: {
    email: { kind: "stalled", facts: { ...emailExamples.stalled[0], step: 2 } },
    says: ["4:05 of “Kneading”", "lesson=lesson-4-1&at=245", "This is our last reminder."],
  },
  "certificate-issued": {
    email: {
      kind: "certificate-issued",
      facts: emailExamples["certificate-issued"][0],
    },
    says: ["You completed modules 1 to 3", "7K3M-9QXW-2V4C-ZT80", "Download as PDF"],
  },
  "certificate-withdrawn": {
    email: {
      kind: "certificate-withdrawn",
      facts: emailExamples["certificate-withdrawn"][0],
    },
    says: ["withdrawn your certificate", "The name isn’t yours.", "/verify/7K3M9QXW2V4CZT80", "can’t download the PDF"],
  },
  "question-answered": {
    email: {
      kind: "question-answered",
      facts: emailExamples["question-answered"][0],
    },
    says: [
      "Dana Reed answered",
      "“How long does the dough rest?”",
      "Two hours",
      "/questions/q1",
      "Unsubscribe from answers",
    ],
  },
  "video-prepared": {
    email: {
      kind: "video-prepared",
      facts: { videoId: "v1", fileName: "lesson-4-1.mov", reason: "This file is damaged or incomplete." },
    },
    says: ["We couldn’t convert your video lesson-4-1.mov", "This file is damaged or incomplete.", "/admin/content"],
  },
  "questions-waiting": {
    email: {
      kind: "questions-waiting",
      facts: {
        isCoach: false,
        ...{ unanswered: 12, reported: 1, oldestAt: "2026-11-21T10:00:00Z" },
        rows: [{ lessonTitle: "Kneading", title: "How long does the dough rest?" }],
      },
    },
    says: [
      "12 questions are waiting for an answer",
      "1 question has been reported.",
      "November 21, 2026",
      "How long does the dough rest?",
      "/admin/questions",
    ],
  },
};

const administratorSamples: {
  [Kind in AdministratorEmail["kind"]]: Extract<AdministratorEmail, { kind: Kind }>["facts"];
} = {
  "renewals-stopped": { code: "E00007", since: "2026-11-21T10:00:00Z" },
  "discrepancies-found": {
    found: [
      { title: "Payment disputed", count: 1 },
      { title: "Approved but never settled", count: 2 },
    ],
    open: 4,
  },
  "large-coupon": { code: "SPRING60", discount: "60%", codes: 1, renewals: 3 },
  "token-export": { token: "Zapier", list: "users", rows: 412 },
  "webhook-stopped": { host: "hooks.example.test", isGone: false },
  "renewals-unpaid": {
    unpaid: ["casey", "drew", "ellis"].map((name) => ({
      email: `${name}@academy.test`,
      planName: "Monthly Access",
      amountCents: 49_00,
      paidUntil: "2026-11-14T10:00:00Z",
      reason: "This transaction has been declined.",
    })),
    count: 23,
  },
};

/** One of each kind of all the academy's emails, as students, administrators or support get it. */
export function listSampleEmails(publicUrl: string): Message[] {
  const to = "casey@academy.test";
  const ofAcademy = { ...reader, academy: { ...academy, publicUrl } };
  const urls = {
    link: `${publicUrl}/issuer/confirm-address?token=3vJ0n2mS1lq8cUtYkq9wAA`,
    reset: `${publicUrl}/issuer/reset-password/ask`,
    contact: `${publicUrl}/contact`,
  };
  const ofIssuer = Object.values(issuerEmails).map((write) => ({ to, ...renderEmail(write(urls), ofAcademy) }));
  const toStudents = Object.values(studentSamples).map(({ email }) => ({
    to,
    ...composeSample(ofAcademy, email),
  }));
  const toAdministrators = Object.entries(administratorSamples).map(([kind, facts]) => ({
    to: "admin@academy.test",
    ...composeAdministratorEmail({ kind, facts } as AdministratorEmail, { ...academy, publicUrl }),
  }));
  const message = "Do you ship to Portugal?\n\nAnd how long does it take?";
  const contact = { name: "Nora", email: "nora@academy.test", message, isSuspected: false };
  const names = { basic: "Monthly Access", premium: "Annual Access", vip: "Lifetime Access" };
  const endsAt = new Date("2027-06-01T00:00:00Z");
  const moved = {
    email: to,
    name: "Casey Lind",
    tier: "premium",
    endsAt,
    completed: ["lesson-1-1"],
    deletesAt: endsAt,
  } as const;
  return [
    composeImportInvitation({ ...academy, publicUrl }, moved, names),
    ...ofIssuer,
    ...toStudents,
    ...toAdministrators,
    receivedEmail(contact, academy),
    replyEmail(contact, "Yes, we do.\nIt takes a week.", academy),
  ];
}
