import { z } from "zod";
import { href } from "#contract/addresses.ts";
import { formatCents } from "#contract/money.ts";
import type { Db } from "#server/db/db.ts";
import { idFor } from "#server/db/id.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { renderEmail } from "#server/mail/layout.ts";
import { atTime, onDay, type Reader, type WrittenEmail } from "#server/mail/wording.ts";
import type { Academy } from "#server/settings/settings.ts";

export interface UnpaidFacts {
  readonly email: string;
  readonly planName: string;
  readonly amountCents: number;
  readonly paidUntil: string;
  readonly reason: string;
}

/** The longest unpaid first, cut to a page. `count` counts all. */
export interface UnpaidReport {
  readonly unpaid: readonly UnpaidFacts[];
  readonly count: number;
}

const Stopped = z.object({ code: z.string(), since: z.string() });

const LargeCoupon = z.object({
  code: z.string(),
  discount: z.string().describe("Such as 60% or $300.00"),
  codes: z.int().default(1).describe("How many were made together"),
  renewals: z.int().default(0).describe("How many renewals have it too"),
});

const StoppedWebhook = z.object({ host: z.string(), isGone: z.boolean().describe("It answered 410") });

const TokenExport = z.object({ token: z.string(), list: z.string(), rows: z.int() });

const Found = z.object({
  found: z.array(z.object({ title: z.string(), count: z.int() })),
  open: z.int().describe("All that are open"),
});

/** The unpaid renewals are read when the email is sent, so that no job holds a student's address. */
const Ordered = z.discriminatedUnion("kind", [
  z.object({ id: z.string(), kind: z.literal("renewals-stopped"), facts: Stopped }),
  z.object({ id: z.string(), kind: z.literal("discrepancies-found"), facts: Found }),
  z.object({ id: z.string(), kind: z.literal("large-coupon"), facts: LargeCoupon }),
  z.object({ id: z.string(), kind: z.literal("webhook-stopped"), facts: StoppedWebhook }),
  z.object({ id: z.string(), kind: z.literal("token-export"), facts: TokenExport }),
  z.object({ id: z.string(), kind: z.literal("renewals-unpaid") }),
]);
export type Ordered = z.infer<typeof Ordered>;
type WithoutId<Email> = Email extends Ordered ? Omit<Email, "id"> : never;

export type AdministratorEmail =
  | { readonly kind: "renewals-stopped"; readonly facts: z.infer<typeof Stopped> }
  | { readonly kind: "discrepancies-found"; readonly facts: z.infer<typeof Found> }
  | { readonly kind: "large-coupon"; readonly facts: z.infer<typeof LargeCoupon> }
  | { readonly kind: "webhook-stopped"; readonly facts: z.infer<typeof StoppedWebhook> }
  | { readonly kind: "token-export"; readonly facts: z.infer<typeof TokenExport> }
  | { readonly kind: "renewals-unpaid"; readonly facts: UnpaidReport };

export const emailAdministratorsJob = defineJob("email-administrators", Ordered, { lane: "mail" });
export const emailAdministratorJob = defineJob(
  "email-administrator",
  z.intersection(Ordered, z.object({ to: z.string() })),
  { lane: "mail" },
);

/** @param occasion at most one email of a kind is sent for it */
export async function emailAdministrators(
  tx: Db,
  { occasion, ...email }: WithoutId<Ordered> & { readonly occasion: string },
  now: Date,
): Promise<void> {
  const id = idFor(email.kind, occasion);
  await scheduleJob(tx, emailAdministratorsJob, { data: { ...email, id }, key: id, runAt: now, now });
}

const closing = "You're getting this email because you're an owner.";

export function composeAdministratorEmail(email: AdministratorEmail, academy: Academy) {
  return renderEmail({ closing, ...write(email, { academy }) }, { academy });
}

function write(email: AdministratorEmail, reader: Reader): WrittenEmail {
  switch (email.kind) {
    case "renewals-stopped":
      return stopped(email.facts, reader);
    case "renewals-unpaid":
      return unpaid(email.facts, reader);
    case "discrepancies-found":
      return differing(email.facts);
    case "large-coupon":
      return large(email.facts);
    case "webhook-stopped":
      return unreachable(email.facts);
    case "token-export":
      return downloaded(email.facts);
  }
}

function large({ code, discount, codes, renewals }: z.infer<typeof LargeCoupon>): WrittenEmail {
  const saved = codes > 1 ? `${codes} single-use codes such as ${code}. Each` : `the coupon ${code}. It`;
  return {
    subject: `Coupon ${code} takes ${discount} off`,
    heading: `A coupon takes ${discount} off`,
    paragraphs: [
      `Someone on your team saved ${saved} takes more than half off a price${renewals ? `, and off the next ${renewals === 1 ? "renewal" : `${renewals} renewals`}` : ""}.`,
      "If that's a mistake, end it in the list of coupons. The audit log shows who saved it.",
    ],
    link: ["Open the coupons", "/admin/coupons"],
  };
}

function unreachable({ host, isGone }: z.infer<typeof StoppedWebhook>): WrittenEmail {
  return {
    subject: `We stopped sending webhooks to ${host}`,
    heading: "We stopped sending webhooks",
    paragraphs: [
      isGone
        ? `${host} answered that it no longer receives webhooks (status 410).`
        : `Every delivery to ${host} has failed for five days.`,
      "Deliveries that were waiting won't be sent. When the address works again, resume it and resend what you need.",
    ],
    link: ["Open webhooks", "/admin/webhooks"],
  };
}

function downloaded({ token, list, rows }: z.infer<typeof TokenExport>): WrittenEmail {
  return {
    subject: `The token “${token}” downloaded a list`,
    heading: "A token downloaded a list",
    paragraphs: [
      `A tool with the token “${token}” downloaded the list “${list}” (${rows} ${rows === 1 ? "row" : "rows"}).`,
      "If you didn't expect that, revoke the token. The audit log shows every download.",
    ],
    link: ["Open tokens", "/admin/webhooks"],
    closing: `${closing} We send it at most once a day for each token.`,
  };
}

function differing({ found, open }: z.infer<typeof Found>): WrittenEmail {
  const count = found.reduce((sum, one) => sum + one.count, 0);
  const what = count === 1 ? "1 new payment problem" : `${count} new payment problems`;
  return {
    subject: `${what} to review`,
    heading: what,
    paragraphs: [
      "Our records and the card gateway's records disagree about these payments. Review each one and choose what to do.",
      "While a dispute is open, we don't charge the student, and they can't book sessions. Their course stays open until you decide.",
      open > count && `Including earlier ones, ${open} are open now.`,
    ],
    rows: found.map((one) => [one.title, String(one.count)]),
    link: ["Review payment problems", "/admin/reconciliation"],
    closing: `${closing} We send it at most once a day.`,
  };
}

function stopped({ code, since }: z.infer<typeof Stopped>, reader: Reader): WrittenEmail {
  return {
    subject: "Payments have stopped: the card gateway rejected your credentials",
    heading: "Payments have stopped",
    paragraphs: [
      `Since ${atTime(since, reader)}, the card gateway has rejected the academy's credentials (${code}). Until it accepts them again, we can't charge renewals, and new purchases fail.`,
      "Sign in to the gateway and check that your account is active and not in test mode. Then ask the person who runs your server to check the gateway's API login ID and transaction key. We keep checking, and renewals resume once the gateway accepts the credentials.",
      "Students whose renewal is due keep their access in the meantime. We won't email you about this again.",
    ],
    link: ["Go to the admin area", href.admin()],
  };
}

function unpaid({ unpaid, count }: UnpaidReport, reader: Reader): WrittenEmail {
  const more = count - unpaid.length;
  return {
    subject: `${count} ${count === 1 ? "renewal has" : "renewals have"} been unpaid for a week`,
    heading: count === 1 ? "A renewal has been unpaid for a week" : `${count} renewals have been unpaid for a week`,
    paragraphs: [
      "These renewals have been unpaid for at least a week. Each line shows the gateway's latest reason. We've emailed the students.",
      more > 0 && `This email lists the first ${unpaid.length}. You'll find ${more} more under Purchases.`,
    ],
    rows: unpaid.map(({ email, planName, amountCents, paidUntil, reason }) => [
      email,
      `${formatCents(amountCents)} for ${planName}, paid until ${onDay(paidUntil, reader)}: ${reason}`,
    ]),
    link: ["See the purchases", href.admin()],
    closing: `${closing} We send it at most once a day.`,
  };
}
