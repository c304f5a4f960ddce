import { welcomeMessages } from "#content/welcome.ts";
import { formatMoney } from "#contract/money.ts";
import type { Context } from "#server/context.ts";
import { userById } from "#server/identity/users.ts";
import { writeLetter } from "#server/mail/letter.ts";
import { findPurchase } from "./queries.ts";

const date = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

/** The job that tells a buyer what was bought, what it cost and when it renews. */
export async function mailConfirmation(ctx: Context, { purchaseId }: { purchaseId: string }): Promise<void> {
  const purchase = await findPurchase(ctx.db, purchaseId);
  if (!purchase?.completedAt) return;
  const user = await userById(ctx.db, purchase.userId);
  const renewal = purchase.nextBillingDate
    ? `It renews every 30 days, next on ${date.format(purchase.nextBillingDate)}, until you cancel. You can cancel at any time.`
    : "It is paid once and does not renew by itself.";
  await ctx.mail.send({
    to: user.email,
    subject: `Your ${purchase.planName} is open`,
    ...writeLetter({
      heading: "Payment received",
      paragraphs: [`Hello ${user.firstName ?? "there"},`, welcomeMessages[purchase.tier], renewal],
      rows: [
        ["Plan", purchase.planName],
        ["Amount", formatMoney(purchase.amount)],
        ["Date", date.format(purchase.completedAt)],
        ["Transaction", purchase.transactionId ?? ""],
      ],
      action: { text: "Open the course", url: `${ctx.config.publicUrl}/dashboard` },
      closing: `Questions? Write to ${ctx.config.supportEmail}. First purchases can be refunded within 7 days.`,
    }),
  });
}
