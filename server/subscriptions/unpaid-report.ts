import type { Db } from "#server/db/db.ts";
import type { UnpaidFacts, UnpaidReport } from "#server/identity/administrator-emails.ts";
import { userById } from "#server/identity/users.ts";
import { countUnpaid, findLastRenewal, listUnpaid, type Subscription } from "./queries.ts";
import { findRenewalStops } from "./renewal-stops.ts";

const maxListed = 20;

export async function readUnpaidReport(db: Db, now: Date): Promise<UnpaidReport> {
  const since = await stoppedSince(db);
  const unpaid: UnpaidFacts[] = [];
  for (const subscription of await listUnpaid(db, now, since, maxListed)) {
    unpaid.push(await describe(db, subscription));
  }
  return { unpaid, count: await countUnpaid(db, now, since) };
}

export async function stoppedSince(db: Db): Promise<Date | null> {
  const { credentials } = await findRenewalStops(db);
  return credentials && new Date(credentials.since);
}

async function describe(db: Db, subscription: Subscription): Promise<UnpaidFacts> {
  const { purchaseId, userId, planName, price: amountCents, currentPeriodEnd } = subscription;
  return {
    email: (await userById(db, userId)).email,
    planName,
    amountCents,
    paidUntil: currentPeriodEnd.toISOString(),
    reason: await reasonOf(db, purchaseId),
  };
}

const causes = {
  bank: "declined by the bank",
  "card-data": "the card is wrong, too old or gone",
  unreachable: "we couldn't reach the gateway",
  credentials: "the gateway refuses our credentials",
  configuration: "the gateway refused the request",
  "not-paid": "the bank let it go again",
  duplicate: "the gateway says that it has the charge already",
  "not-found": "the answer was lost, and the gateway has no such charge",
} as const;

async function reasonOf(db: Db, purchaseId: string): Promise<string> {
  const last = await findLastRenewal(db, purchaseId);
  if (!last) return "not tried yet";
  if (last.resolvedAt === null) return "what became of the charge is not known yet";
  const words = last.cause ? causes[last.cause] : last.state;
  return last.reasonCode ? `${words} (${last.reasonCode})` : words;
}
