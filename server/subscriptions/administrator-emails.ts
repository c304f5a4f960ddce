import { z } from "zod";
import { href } from "#contract/addresses.ts";
import { formatCents } from "#contract/money.ts";
import { atTime, onDay } from "#server/base/dates.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { idFor } from "#server/db/id.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { type EmailContent, renderEmail } from "#server/mail/layout.ts";
import type { Message } from "#server/mail/mail.ts";
import { type Academy, describeAcademy } from "#server/settings/settings.ts";

const Unpaid = z.object({
  email: z.string(),
  planName: z.string(),
  amountCents: z.int(),
  paidUntil: z.string(),
  reason: z.string(),
});
export type UnpaidFacts = z.infer<typeof Unpaid>;

const Stopped = z.object({ code: z.string(), since: z.string() });
/** The longest unpaid first; `count` is of all. */
const UnpaidReport = z.object({ unpaid: z.array(Unpaid), count: z.int() });

const Ordered = z.discriminatedUnion("kind", [
  z.object({ id: z.string(), kind: z.literal("renewals-stopped"), facts: Stopped }),
  z.object({ id: z.string(), kind: z.literal("renewals-unpaid"), facts: UnpaidReport }),
]);
type Ordered = z.infer<typeof Ordered>;
type WithoutId<Email> = Email extends Ordered ? Omit<Email, "id"> : never;
export type AdministratorEmail = WithoutId<Ordered>;

export const emailAdministratorsJob = defineJob("email-administrators", Ordered, { lane: "mail" });
export const emailAdministratorJob = defineJob(
  "email-administrator",
  z.intersection(Ordered, z.object({ to: z.string() })),
  { lane: "mail" },
);

/** @param occasion one email of a kind is written about it. */
export async function emailAdministrators(
  tx: Db,
  { occasion, ...email }: AdministratorEmail & { readonly occasion: string },
  now: Date,
): Promise<void> {
  const id = idFor(email.kind, occasion);
  await scheduleJob(tx, emailAdministratorsJob, { data: { ...email, id }, key: id, runAt: now, now });
}

/** One job for each, so that one address that is refused holds up no other. */
export async function addressAdministrators(ctx: Context, email: Ordered): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    for (const to of ctx.administratorEmails) {
      const id = idFor(email.id, to);
      await scheduleJob(tx, emailAdministratorJob, { data: { ...email, id, to }, key: id, runAt: now, now });
    }
  });
}

export async function emailAdministrator(ctx: Context, { to, ...email }: Ordered & { to: string }): Promise<void> {
  await ctx.mail.send(
    { to, ...composeAdministratorEmail(email, ctx.site.publicUrl, await describeAcademy(ctx)) },
    email.id,
  );
}

/** @internal */
export function composeAdministratorEmail(
  email: AdministratorEmail,
  publicUrl: string,
  academy: Academy,
): Omit<Message, "to"> {
  const adminUrl = `${publicUrl}${href.admin()}`;
  const { subject, ...content } =
    email.kind === "renewals-stopped" ? stopped(email.facts, adminUrl) : unpaid(email.facts, adminUrl);
  return { subject, ...renderEmail(content, academy) };
}

function stopped({ code, since }: z.infer<typeof Stopped>, adminUrl: string): EmailContent & { subject: string } {
  return {
    subject: "Renewals have stopped: the card gateway refuses our credentials",
    heading: "Renewals have stopped",
    paragraphs: [
      `Since ${atTime(since)} the card gateway refuses the academy's own credentials (${code}). Nothing more is charged until it takes them, and new purchases will fail as well.`,
      "Check AUTHORIZE_NET_API_LOGIN_ID and AUTHORIZE_NET_TRANSACTION_KEY, and at the gateway that the account is active and not in test mode. The academy asks again by itself and goes on when the answer is right.",
      "Students whose renewal is due keep the course until then. This is the only email about it.",
    ],
    action: { text: "Open the administration", url: adminUrl },
    closing: "You receive this because your address is one of ADMIN_EMAILS.",
  };
}

function unpaid({ unpaid, count }: z.infer<typeof UnpaidReport>, adminUrl: string): EmailContent & { subject: string } {
  const more = count - unpaid.length;
  return {
    subject: `${count} ${count === 1 ? "renewal is" : "renewals are"} unpaid for a week`,
    heading: count === 1 ? "A renewal is unpaid for a week" : `${count} renewals are unpaid for a week`,
    paragraphs: [
      "These students' renewals were not paid for seven days or longer, for the reason that the gateway gave last. They were told.",
      ...(more > 0
        ? [`The first ${unpaid.length} are listed here, ${more} more are on the administration's purchases page.`]
        : []),
    ],
    rows: unpaid.map(({ email, planName, amountCents, paidUntil, reason }) => [
      email,
      `${formatCents(amountCents)} for ${planName}, paid until ${onDay(paidUntil)}: ${reason}`,
    ]),
    action: { text: "Open the administration", url: adminUrl },
    closing: "You receive this because your address is one of ADMIN_EMAILS. It comes at most once a day.",
  };
}
