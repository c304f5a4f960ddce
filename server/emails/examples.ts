import type { WordedKind } from "#server/mail/email-texts.ts";
import type { studentEmails } from "./student-emails.ts";

type FactsOf<Kind extends WordedKind> = Omit<Parameters<(typeof studentEmails)[Kind]["write"]>[0], "cardPageOf">;
type Examples<Facts> = readonly [Facts, ...Facts[]];

/** The first one, and others by what differs. */
function examples<Facts extends object>(first: NoInfer<Facts>, ...others: Partial<NoInfer<Facts>>[]): Examples<Facts> {
  return [first, ...others.map((other) => ({ ...first, ...other }))];
}

const card = { brand: "Visa", last4: "1111" };
const cardLink = "https://academy.test/payment-method#3vJ0n2mS1lq8cUtYkq9wAA";
const paid = { amountCents: 49_00, card, transactionId: "60200000001", receiptId: "r1", receiptNumber: "2026-0042" };

const session = {
  bookingId: "b1",
  sequence: 0,
  audience: "student" as const,
  startsAt: "2027-03-09T19:00:00Z",
  minutes: 30,
  coachName: "Dana",
  coachZone: "Europe/Berlin",
  studentName: "Casey",
  studentZone: "America/New_York",
  cancelledBy: null,
  state: "booked",
  isLate: false,
  isForgiven: false,
  hasPrep: false,
};
const live = {
  sessionId: "l1",
  sequence: 0,
  userId: "u1",
  audience: "student" as const,
  title: "Price history, live",
  about: "Bring a chart.",
  startsAt: "2027-03-09T19:00:00Z",
  coachName: "Dana",
  coachZone: "Europe/Berlin",
  zone: "America/New_York",
};

const kneading = { id: "lesson-4-1", title: "Kneading", isAsked: true };
const inStep = { emailId: "e1", step: 0 };

/** Facts for previews. Each text is in one of the examples of its email. */
export const emailExamples: { readonly [Kind in WordedKind]: Examples<FactsOf<Kind>> } = {
  purchased: examples(
    {
      ...paid,
      planName: "Annual Access",
      welcome: "Welcome to Annual Access. You have modules 1-4 and the live coaching for a year.",
      amountCents: 364_34,
      lines: [
        { kind: "plan", label: "Annual Access", cents: 397_00 },
        { kind: "credit", label: "Your unused 20 of 30 days of Monthly Access", cents: -32_66 },
      ],
      paidAt: new Date("2026-11-21T10:00:00Z"),
      accessUntil: new Date("2027-11-21T10:00:00Z"),
      nextPaymentAt: null,
      renewalCents: 397_00,
      coaching: null,
      replacedPlan: "Monthly Access",
      refundableUntil: new Date("2026-11-28T10:00:00Z"),
      isRefundCertain: true,
    },
    { coaching: "one 60-minute session a month", lines: [] },
    { nextPaymentAt: new Date("2026-12-21T10:00:00Z"), replacedPlan: null, lines: [] },
  ),
  renewed: examples(
    {
      ...paid,
      planName: "Monthly Access",
      paidAt: "2026-12-21T10:00:00.000Z",
      paidUntil: "2027-01-20T10:00:00.000Z",
      nextPaymentAt: "2027-01-20T10:00:00.000Z",
      next: { cents: 49_00, later: { after: 2, price: "60.00" } },
    },
    { nextPaymentAt: null },
  ),
  "ends-soon": examples({ planName: "Annual Access", daysLeft: 7, endsAt: "2027-11-21T10:00:00Z", priceCents: 397_00 }),
  declined: examples(
    {
      planName: "Monthly Access",
      amountCents: 49_00,
      nextTryAt: "2026-12-24T10:00:00Z",
      openUntil: "2027-01-04T10:00:00Z",
      cardLink,
      cardLinkExpiresAt: "2027-01-18T10:00:00Z",
    },
    { nextTryAt: null, openUntil: null },
  ),
  unpaid: examples({
    planName: "Monthly Access",
    amountCents: 49_00,
    cardLink,
    cardLinkExpiresAt: "2027-01-18T10:00:00Z",
  }),
  "on-hold": examples({
    planName: "Monthly Access",
    amountCents: 49_00,
    cardLink,
    cardLinkExpiresAt: "2027-01-18T10:00:00Z",
  }),
  held: examples({ planName: "Monthly Access", reason: "Shared account" }, { reason: null }),
  "back-again": examples(
    {
      planName: "Monthly Access",
      nextPaymentAt: "2027-01-20T10:00:00Z",
      accessUntil: "2027-01-20T10:00:00Z",
      payment: { ...paid, planName: "Monthly Access", paidAt: "2026-12-21T10:00:00Z" },
    },
    { payment: null, due: { amountCents: 49_00, isTriedAgain: false, isOpen: false } },
    { payment: null, due: { amountCents: 49_00, isTriedAgain: true, isOpen: true } },
    { payment: null, due: { amountCents: 49_00, isTriedAgain: false, isOpen: true } },
  ),
  cancelled: examples(
    { planName: "Monthly Access", accessUntil: "2026-12-21T10:00:00Z", instead: null },
    { accessUntil: null },
    { instead: { tier: "basic", until: null } },
  ),
  resumed: examples({
    planName: "Monthly Access",
    amountCents: 49_00,
    nextPaymentAt: "2026-12-21T10:00:00Z",
    later: null,
  }),
  refunded: examples(
    {
      planName: "Annual Access",
      amountCents: 100_00,
      paidCents: 397_00,
      refundedAt: "2026-11-25T10:00:00Z",
      card,
      transactionId: "60200000009",
      kind: "refund",
      endsAccess: false,
      stopsRenewal: false,
      accessAfter: { tier: "premium", until: "2027-11-21T10:00:00Z" },
    },
    { amountCents: 397_00, kind: "void", endsAccess: true, accessAfter: { tier: null, until: null } },
  ),
  "payment-lost": examples(
    {
      planName: "Monthly Access",
      amountCents: 49_00,
      cause: "charged-back",
      endsAccess: true,
      accessAfter: { tier: null, until: null },
    },
    { cause: "never-paid", endsAccess: false },
  ),
  expired: examples({ planName: "Annual Access", endedAt: "2027-11-21T10:00:00Z" }),
  suspended: examples({ reason: "Recordings of lessons were passed on" }, { reason: null }),
  "coaching-booked": examples({ ...session, hasPrep: true }),
  "coaching-moved": examples({ ...session, before: "2027-03-08T19:00:00Z" }),
  "coaching-cancelled": examples(
    { ...session, state: "cancelled", cancelledBy: "student", isLate: true, isForgiven: true },
    { isForgiven: false },
    { isLate: false },
    { cancelledBy: "coach" },
    { cancelledBy: "administrator" },
    { cancelledBy: "system" },
  ),
  "coaching-reminder": examples({ ...session, hours: 24 }, { hours: 1 }),
  "coaching-missed": examples(
    { ...session, state: "missed-by-student", isForgiven: true },
    { isForgiven: false },
    { state: "missed-by-coach" },
  ),
  "coaching-summary": examples({ ...session, state: "held" }),
  "live-scheduled": examples(live),
  "live-seat-taken": examples({ ...live, changes: 0 }),
  "live-seat-given-up": examples({ ...live, changes: 1, because: "access" }, { because: "student" }),
  "live-changed": examples({ ...live, before: "2027-03-08T19:00:00Z" }),
  "live-cancelled": examples(live),
  "live-reminder": examples({ ...live, hours: 1 }, { hours: 24 }),
  "live-recorded": examples(live),
  "certificate-issued": examples({
    modules: "modules 1 to 3",
    code: "7K3M-9QXW-2V4C-ZT80",
    url: "https://academy.test/verify/7K3M9QXW2V4CZT80",
    pdfUrl: "https://academy.test/api/certificates/7K3M9QXW2V4CZT80/pdf",
  }),
  "certificate-withdrawn": examples(
    { code: "7K3M9QXW2V4CZT80", withdrawnAt: "2026-11-20T12:00:00.000Z", reason: "The name isn’t yours." },
    { reason: null },
  ),
  "question-answered": examples({
    ...{ answerId: "a1", questionId: "q1", userId: "u1" },
    title: "How long does the dough rest?",
    text: "**Two hours**, in the fridge.",
    author: "Dana Reed",
  }),
  "unfinished-checkout": examples(
    {
      ...inStep,
      plan: { id: "premium_annual", name: "Annual Access", price: 397, tier: "premium", features: ["Modules 1-4"] },
    },
    { step: 1, cost: null },
  ),
  "paying-for-nothing": examples(
    { ...inStep, renewsAt: "2027-03-09T19:00:00Z", cents: 49_00, lastAt: "2027-01-31T19:00:00Z" },
    { lastAt: null },
  ),
  "new-lesson": examples(
    { ...inStep, lessons: [kneading], isAsked: true },
    { lessons: [{ ...kneading, isAsked: false }], isAsked: false },
    { lessons: [kneading, { id: "lesson-4-2", title: "Baking", isAsked: true }] },
  ),
  welcome: examples({ ...inStep, tier: "basic" }, { step: 1 }, { step: 2 }),
  stalled: examples(
    { ...inStep, lessonId: "lesson-4-1", title: "Kneading", seconds: 245.5 },
    { step: 2 },
    { step: 1, seconds: null },
    { lessonId: undefined },
    { lessonId: undefined, step: 1 },
  ),
};
