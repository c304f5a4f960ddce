import { expect, test } from "vitest";
import { composeEmail } from "#server/mail/student-emails.ts";
import type { Reader } from "#server/mail/wording.ts";
import { studentEmails } from "./student-emails.ts";

type Kind = keyof typeof studentEmails;
type FactsOf<K extends Kind> = Parameters<(typeof studentEmails)[K]["write"]>[1];
type Sample = { [K in Kind]: { kind: K; facts: Omit<FactsOf<K>, "cardPageOf"> } }[Kind];

function compose(reader: Reader, { kind, facts }: Sample) {
  return composeEmail(
    studentEmails[kind] as { write: (typeof studentEmails)["held"]["write"] },
    reader,
    facts as never,
  );
}

const reader = { firstName: "Casey", publicUrl: "https://academy.test", supportEmail: "help@academy.test" };
const card = { brand: "Visa", last4: "1111" };
const cardLink = "https://academy.test/payment-method#3vJ0n2mS1lq8cUtYkq9wAA";
const paid = { amountCents: 49_00, card, transactionId: "60200000001", receiptId: "r1" };

/** One of each kind, and what its reader must find in it. */
const samples: Record<Kind, { email: Sample; says: string[] }> = {
  purchased: {
    email: {
      kind: "purchased",
      facts: {
        ...paid,
        planName: "Annual Access",
        tier: "premium",
        amountCents: 397_00,
        paidAt: new Date("2026-11-21T10:00:00Z"),
        accessUntil: new Date("2027-11-21T10:00:00Z"),
        nextPaymentAt: null,
        replacedPlan: "Monthly Access",
      },
    },
    says: [
      "Welcome to Annual Access",
      "$397",
      "November 21, 2026 (UTC)",
      "Visa ending in 1111",
      "60200000001",
      "November 21, 2027, 10:00 UTC",
      "does not renew by itself",
      "Your Monthly Access no longer renews",
      "https://academy.test/receipts/r1",
    ],
  },
  renewed: {
    email: {
      kind: "renewed",
      facts: {
        ...paid,
        planName: "Monthly Access",
        paidAt: "2026-12-21T10:00:00.000Z",
        paidUntil: "2027-01-20T10:00:00.000Z",
        nextPaymentAt: "2027-01-20T10:00:00.000Z",
      },
    },
    says: ["$49", "every 30 days, next on January 20, 2027 (UTC)", "1111", "60200000001", "/receipts/r1"],
  },
  "ends-soon": {
    email: {
      kind: "ends-soon",
      facts: { planName: "Annual Access", daysLeft: 7, endsAt: "2027-11-21T10:00:00Z", priceCents: 397_00 },
    },
    says: ["ends in 7 days", "November 21, 2027, 10:00 UTC", "$397", "added to the end", "/membership"],
  },
  declined: {
    email: {
      kind: "declined",
      facts: {
        planName: "Monthly Access",
        amountCents: 49_00,
        nextTryAt: "2026-12-24T10:00:00Z",
        finalAt: "2027-01-04T10:00:00Z",
        cardLink,
        cardLinkExpiresAt: "2027-01-18T10:00:00Z",
      },
    },
    says: ["$49", "December 24, 2026 (UTC)", "January 4, 2027, 10:00 UTC", "Your progress", cardLink, "works once"],
  },
  unpaid: {
    email: {
      kind: "unpaid",
      facts: { planName: "Monthly Access", amountCents: 49_00, cardLink, cardLinkExpiresAt: "2027-01-18T10:00:00Z" },
    },
    says: ["$49", "For a week", "no fault of your card", cardLink],
  },
  "on-hold": {
    email: {
      kind: "on-hold",
      facts: {
        planName: "Monthly Access",
        amountCents: 49_00,
        cardLink,
        cardLinkExpiresAt: "2027-01-18T10:00:00Z",
      },
    },
    says: ["on hold", "$49", "have stopped trying", "January 18, 2027, 10:00 UTC", cardLink],
  },
  held: {
    email: { kind: "held", facts: { planName: "Monthly Access", reason: "Shared account" } },
    says: ["on hold", "Shared account", "nothing is charged"],
  },
  "back-again": {
    email: {
      kind: "back-again",
      facts: {
        planName: "Monthly Access",
        nextPaymentAt: "2027-01-20T10:00:00Z",
        accessUntil: "2027-01-20T10:00:00Z",
        payment: { ...paid, planName: "Monthly Access", paidAt: "2026-12-21T10:00:00Z" },
      },
    },
    says: [
      "active again",
      "charged $49",
      "next on January 20, 2027 (UTC)",
      "January 20, 2027, 10:00 UTC",
      "/receipts/r1",
    ],
  },
  cancelled: {
    email: { kind: "cancelled", facts: { planName: "Monthly Access", accessUntil: "2026-12-21T10:00:00Z" } },
    says: ["does not renew", "December 21, 2026, 10:00 UTC"],
  },
  resumed: {
    email: {
      kind: "resumed",
      facts: { planName: "Monthly Access", amountCents: 49_00, nextPaymentAt: "2026-12-21T10:00:00Z" },
    },
    says: ["every 30 days, next on December 21, 2026 (UTC)", "$49", "Nothing was charged"],
  },
  refunded: {
    email: {
      kind: "refunded",
      facts: {
        planName: "Annual Access",
        amountCents: 100_00,
        paidCents: 397_00,
        refundedAt: "2026-11-25T10:00:00Z",
        card,
        transactionId: "60200000009",
        kind: "refund",
        endsAccess: false,
        accessAfter: { tier: "premium", until: "2027-11-21T10:00:00Z" },
      },
    },
    says: ["$100 of the $397", "stays open: Annual Access until November 21, 2027, 10:00 UTC", "60200000009"],
  },
  "payment-lost": {
    email: {
      kind: "payment-lost",
      facts: {
        planName: "Monthly Access",
        amountCents: 49_00,
        cause: "charged-back",
        accessAfter: { tier: null, until: null },
      },
    },
    says: ["bank has taken back the $49", "Monthly Access has ended", "progress are kept", "help@academy.test"],
  },
  expired: {
    email: { kind: "expired", facts: { planName: "Annual Access", endedAt: "2027-11-21T10:00:00Z" } },
    says: ["November 21, 2027, 10:00 UTC", "Nothing more is charged"],
  },
  suspended: {
    email: { kind: "suspended", facts: { reason: "Recordings of lessons were passed on" } },
    says: ["suspended", "Recordings of lessons were passed on", "help@academy.test"],
  },
  "account-deleted": {
    email: { kind: "account-deleted", facts: { deletedAt: "2027-02-01T10:00:00Z" } },
    says: ["February 1, 2027, 10:00 UTC", "no card is kept", "Records of payments stay"],
  },
};

for (const kind of Object.keys(studentEmails) as Kind[]) {
  const { email, says } = samples[kind];

  test(`the email "${kind}" says its facts in text and in HTML, and to whom it speaks`, () => {
    const { subject, text, html } = compose(reader, email);
    expect(subject).toBeTruthy();
    for (const fact of ["Casey", "academy.test", ...says]) {
      expect(text).toContain(fact);
      expect(html).toContain(fact);
    }
    for (const body of [subject, text, html]) expect(body).not.toMatch(/undefined|null|NaN|Invalid|\[object/);
  });

  test(`the email "${kind}" is sent by that name`, () => {
    expect(studentEmails[kind].kind).toBe(kind);
  });

  test(`the email "${kind}" is the same by the data of a job`, () => {
    expect(compose(reader, JSON.parse(JSON.stringify(email)))).toEqual(compose(reader, email));
  });
}

test("a name with markup stays text, and nobody is called null", () => {
  const hostile = compose({ ...reader, firstName: '<img src=x onerror="alert(1)">' }, samples.held.email);
  expect(hostile.html).not.toContain("<img");
  expect(hostile.html).toContain("&lt;img");
  expect(compose({ ...reader, firstName: null }, samples.held.email).text).toContain("Hello there,");
});

test("what an administrator wrote stays text too", () => {
  const { html } = compose(reader, { kind: "suspended", facts: { reason: "<script>alert(1)</script>" } });
  expect(html).not.toContain("<script");
});

test("a plan that renews says every 30 days in its confirmation, and a lifetime that it has no end", () => {
  const { facts } = samples.purchased.email as Extract<Sample, { kind: "purchased" }>;
  const monthly = compose(reader, {
    kind: "purchased",
    facts: { ...facts, planName: "Monthly Access", tier: "basic", amountCents: 49_00, nextPaymentAt: facts.paidAt },
  });
  expect(monthly.text).toContain("It renews every 30 days, next on November 21, 2026 (UTC) for $49, until you cancel.");
  const lifetime = compose(reader, { kind: "purchased", facts: { ...facts, tier: "vip", accessUntil: null } });
  expect(lifetime.text).toContain("Open until: no end date");
});

test("a card that can never be charged is not said to be tried again", () => {
  const { facts } = samples.declined.email as Extract<Sample, { kind: "declined" }>;
  const { text } = compose(reader, { kind: "declined", facts: { ...facts, nextTryAt: null } });
  expect(text).toContain("cannot be charged again");
  expect(text).not.toContain("We try the same card");
});

test("a whole refund says that the access has ended, and what is left by other purchases", () => {
  const { facts } = samples.refunded.email as Extract<Sample, { kind: "refunded" }>;
  const whole = { ...facts, amountCents: 397_00, kind: "void", endsAccess: true } as const;
  const left = compose(reader, {
    kind: "refunded",
    facts: { ...whole, accessAfter: { tier: "basic", until: null } },
  });
  expect(left.text).toContain("the whole $397");
  expect(left.text).toContain("You still have Monthly Access without an end date.");
  const none = compose(reader, {
    kind: "refunded",
    facts: { ...whole, accessAfter: { tier: null, until: null } },
  });
  expect(none.text).toContain("Annual Access has ended");
});
