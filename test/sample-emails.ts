import { builtInPlanNames } from "#content/plans.ts";
import { builtInColors } from "#contract/branding.ts";
import { issuerEmails } from "#issuer/mails.ts";
import { receivedEmail, replyEmail } from "#server/contact/emails.ts";
import { emailExamples } from "#server/emails/examples.ts";
import { studentEmails } from "#server/emails/student-emails.ts";
import { type AdministratorEmail, composeAdministratorEmail } from "#server/identity/administrator-emails.ts";
import { composeImportInvitation } from "#server/imports/invitations.ts";
import type { WordedKind } from "#server/mail/email-texts.ts";
import { renderEmail } from "#server/mail/layout.ts";
import type { Message } from "#server/mail/mail.ts";
import { composeEmail, type StudentReader } from "#server/mail/student-emails.ts";

export type StudentEmailKind = keyof typeof studentEmails;
export const studentEmailKinds = Object.keys(studentEmails) as StudentEmailKind[];
type SampleFacts<K extends StudentEmailKind> = Omit<Parameters<(typeof studentEmails)[K]["write"]>[0], "cardPageOf">;

/** A student's email as it is sent: the sample of its kind, with these facts instead. */
export function composeSample<K extends StudentEmailKind>(
  reader: StudentReader,
  kind: K,
  change: Partial<SampleFacts<K>> = {},
) {
  const link = `${reader.academy.publicUrl}/unsubscribe/3vJ0n2mS1lq8cUtYkq9wAA`;
  const facts = { ...sampleFacts(kind), ...change };
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

/** The facts of emails whose words are fixed, and of those that a sample needs otherwise than a preview. */
const ownFacts: { readonly [K in Exclude<StudentEmailKind, WordedKind> | "stalled"]: SampleFacts<K> } = {
  "role-changed": { from: null, to: "support" },
  "team-changed": { from: null, to: "support", member: "kim@academy.test", actor: "admin@academy.test" },
  "account-deleted": { deletedAt: "2027-02-01T10:00:00Z" },
  "coaching-handed-over": {
    ...emailExamples["coaching-booked"][0],
    ...{ audience: "coach", coachId: "c2", before: "2027-03-08T19:00:00Z" },
  },
  "live-handed-over": {
    ...emailExamples["live-scheduled"][0],
    ...{ audience: "coach", coachId: "c2", before: "2027-03-08T19:00:00Z" },
  },
  "lesson-open": { lessonId: "lesson-4-1", title: "Kneading" },
  stalled: { ...emailExamples.stalled[0], step: 2 },
  "video-prepared": { videoId: "v1", fileName: "lesson-4-1.mov", reason: "This file is damaged or incomplete." },
  "questions-waiting": {
    isCoach: false,
    ...{ unanswered: 12, reported: 1, oldestAt: "2026-11-21T10:00:00Z" },
    rows: [{ lessonTitle: "Kneading", title: "How long does the dough rest?" }],
  },
};

/** The facts of one email of this kind. */
export function sampleFacts<K extends StudentEmailKind>(kind: K): SampleFacts<K> {
  const first = Object.entries(emailExamples).map(([name, [facts]]) => [name, facts]);
  return { ...Object.fromEntries(first), ...ownFacts }[kind];
}

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
  const toStudents = studentEmailKinds.map((kind) => ({ to, ...composeSample(ofAcademy, kind) }));
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
