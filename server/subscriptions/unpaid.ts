import { and, asc, desc, eq, gt, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import { after, DAY } from "#server/clock.ts";
import type { Context } from "#server/context.ts";
import type { Db } from "#server/db/db.ts";
import { settings } from "#server/db/tables.ts";
import { lockUser, userById } from "#server/identity/users.ts";
import { enqueueJob } from "#server/jobs/jobs.ts";
import { emailAdministrators, type UnpaidFacts } from "#server/purchases/letters/administrator-emails.ts";
import { postLetter } from "#server/purchases/letters/post.ts";
import { findPlanName, openStates, type PurchaseRow } from "#server/purchases/queries.ts";
import { paymentAttempts, purchases } from "#server/purchases/tables.ts";
import { findStops } from "./stops.ts";

/** After this long without a payment, for whatever reason, the student and the administrators are told. */
const unpaidTime = 7 * DAY;
/** An account that was held longer ago is no news. */
const newsTime = 14 * DAY;
const mostAtOnce = 1000;
const mostListed = 20;
const reportedName = "unpaid-renewals-reported";

/**
 * Tells each student, once for a period, whose renewal was not paid for a week, unless a decline told them; and has the
 * administrators told of all of them, at most once a day.
 */
export async function tellOfUnpaid(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const isNew = sql`${purchases.unpaidToldFor} is distinct from ${purchases.paidUntil}`;
  const found = await ctx.db
    .select()
    .from(purchases)
    .where(and(await isUnpaid(ctx.db, now), isNew))
    .limit(mostAtOnce);
  for (const purchase of found) await tell(ctx, purchase, now);
}

async function tell(ctx: Context, { id, userId, paidUntil }: PurchaseRow, now: Date): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const isSame = and(eq(purchases.id, id), await isUnpaid(tx, now));
    const [purchase] = await tx.update(purchases).set({ unpaidToldFor: paidUntil }).where(isSame).returning();
    if (!purchase) return;
    if (!purchase.paymentDeclined) {
      const facts = { planName: await findPlanName(tx, purchase.planId), amountCents: purchase.amount };
      const occasion = `${id}:${paidUntil?.toISOString()}`;
      await postLetter(tx, { kind: "unpaid", userId, occasion, cardPageOf: id, facts }, now);
    }
    const [reported] = await tx.select().from(settings).where(eq(settings.name, reportedName));
    // A report that was made since this sweep began has it already.
    if (reported && reported.updatedAt >= now) return;
    const earliest = reported ? after(reported.updatedAt, DAY) : now;
    const runAt = earliest > now ? earliest : now;
    await enqueueJob(tx, { name: "report-unpaid", data: {}, key: "unpaid", runAt, now });
  });
}

/** The job that has the administrators told, once however often it runs on one day. */
export async function reportUnpaid(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const lately = and(eq(settings.name, reportedName), gt(settings.updatedAt, after(now, -DAY)));
    if ((await tx.$count(settings, lately)) > 0) return;
    const where = await isUnpaid(tx, now);
    const count = await tx.$count(purchases, where);
    if (count === 0) return;
    const value = now.toISOString();
    await tx
      .insert(settings)
      .values({ name: reportedName, value, updatedAt: now })
      .onConflictDoUpdate({ target: settings.name, set: { value, updatedAt: now } });
    const unpaid = await listUnpaid(tx, where);
    await emailAdministrators(tx, { kind: "renewals-unpaid", facts: { unpaid, count }, occasion: value }, now);
  });
}

/**
 * Refused first a week ago, or due for a week with an answer outstanding or all renewals stopped. What an academy that
 * did not run has not asked for yet is none of these.
 */
async function isUnpaid(db: Db, now: Date): Promise<SQL | undefined> {
  const weekAgo = after(now, -unpaidTime);
  const { credentials } = await findStops(db);
  const isStopped = credentials !== null && new Date(credentials.since) <= weekAgo;
  const awaited = db
    .select({ purchaseId: paymentAttempts.purchaseId })
    .from(paymentAttempts)
    .where(and(inArray(paymentAttempts.state, [...openStates]), lte(paymentAttempts.sentAt, weekAgo)));
  const waits = and(
    lte(purchases.nextBillingDate, weekAgo),
    isStopped ? undefined : inArray(purchases.id, awaited),
    eq(purchases.subscriptionStatus, "active"),
  );
  const isHeld = and(
    eq(purchases.subscriptionStatus, "on_hold"),
    eq(purchases.paymentDeclined, true),
    gt(purchases.declinedSince, after(now, -newsTime)),
  );
  return and(
    eq(purchases.status, "completed"),
    eq(purchases.isRecurring, true),
    or(waits, and(lte(purchases.declinedSince, weekAgo), or(eq(purchases.subscriptionStatus, "active"), isHeld))),
  );
}

async function listUnpaid(tx: Db, where: SQL | undefined): Promise<UnpaidFacts[]> {
  const rows = await tx.select().from(purchases).where(where).orderBy(asc(purchases.paidUntil)).limit(mostListed);
  const listed: UnpaidFacts[] = [];
  for (const { id, userId, planId, amount, paidUntil, createdAt } of rows) {
    listed.push({
      email: (await userById(tx, userId)).email,
      planName: await findPlanName(tx, planId),
      amountCents: amount,
      paidUntil: (paidUntil ?? createdAt).toISOString(),
      reason: await reasonOf(tx, id),
    });
  }
  return listed;
}

const causes = {
  bank: "declined by the bank",
  "card-data": "the card is wrong, too old or gone",
  unreachable: "the gateway could not be reached",
  credentials: "the gateway refuses our credentials",
  configuration: "the gateway refused the request",
  "not-paid": "the bank let it go again",
  duplicate: "the gateway says that it has the charge already",
  "not-found": "the answer was lost, and the gateway has no such charge",
} as const;

async function reasonOf(tx: Db, purchaseId: string): Promise<string> {
  const [last] = await tx
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.purchaseId, purchaseId), eq(paymentAttempts.kind, "renewal")))
    .orderBy(desc(paymentAttempts.sentAt))
    .limit(1);
  if (!last) return "not tried yet";
  if (last.resolvedAt === null) return "what became of the charge is not known yet";
  const words = last.cause ? causes[last.cause] : last.state;
  return last.reasonCode ? `${words} (${last.reasonCode})` : words;
}
