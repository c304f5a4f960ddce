import { eq } from "drizzle-orm";
import { catalogue } from "#content/catalogue.ts";
import { planOnSale } from "#server/catalogue/catalogue.ts";
import { writePastChanges } from "#server/catalogue/past-changes.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { addOperationalMark, findOperationalMark } from "#server/db/operational-marks.ts";
import { operationalMarks } from "#server/db/tables.ts";
import { courseResources } from "#server/resources/tables.ts";
import { publishChecks } from "./checks.ts";
import { type Course, inventHistory, openedAt } from "./history.ts";
import type { GatewayNumbers, LedgerEntry, PastAccount } from "./rows.ts";
import { writeHistory } from "./write.ts";

const name = "demo-history";
const seed = "a year of the academy";
/** The most entries that the sandbox accepts in one request. */
const entriesAtOnce = 500;

/**
 * The year before the first start. Its end is recorded first, so that a start after a kill continues with the same
 * year.
 */
export interface PastYear {
  readonly from: Date;
  readonly until: Date;
  readonly isWritten: boolean;
}

export async function openPastYear({ db, clock }: Context): Promise<PastYear> {
  const now = clock.now();
  await addOperationalMark(db, name, { isWritten: false }, now);
  const mark = await findOperationalMark(db, name);
  if (!mark) throw new Error("the year was written down and is not there");
  const { updatedAt: until, value } = mark;
  return { from: openedAt(until), until, ...(value as { isWritten: boolean }) };
}

/**
 * Writes the year into the sandbox's ledger and, in one transaction, into the academy's tables. Safe to kill and
 * repeat: the ledger keeps entries with known references, and the tables have all of it or nothing.
 * @param importAccounts creates accounts at the built-in issuer
 */
export async function seedHistory(
  ctx: Context,
  year: PastYear,
  gatewayApiUrl: string,
  importAccounts: (tx: Db, accounts: readonly PastAccount[]) => Promise<void>,
): Promise<void> {
  if (year.isWritten) return;
  const history = inventHistory(year.until, seed, await readCourse(ctx));
  const numbers = await importLedger(history.ledger, gatewayApiUrl);
  await ctx.db.transaction(async (tx) => {
    await publishChecks(tx, year.from);
    await writeHistory(tx, history, numbers);
    await writePastChanges(tx, year.until);
    await importAccounts(tx, history.accounts);
    await tx
      .update(operationalMarks)
      .set({ value: { isWritten: true } })
      .where(eq(operationalMarks.name, name));
  });
}

async function readCourse(ctx: Context): Promise<Course> {
  const [basic, premium, vip] = await Promise.all([
    planOnSale(ctx, "basic"),
    planOnSale(ctx, "premium"),
    planOnSale(ctx, "vip"),
  ]);
  const { id, requiredTier } = courseResources;
  return {
    plans: { basic, premium, vip },
    lessons: catalogue.flatMap((module) =>
      module.lessons
        .filter((lesson) => lesson.durationSeconds > 0)
        .map((lesson) => ({ ...lesson, moduleId: module.id })),
    ),
    resources: await ctx.db.select({ id, requiredTier }).from(courseResources).orderBy(courseResources.title),
  };
}

async function importLedger(
  ledger: readonly LedgerEntry[],
  gatewayApiUrl: string,
): Promise<ReadonlyMap<string, GatewayNumbers>> {
  const numbers = new Map<string, GatewayNumbers>();
  for (let from = 0; from < ledger.length; from += entriesAtOnce) {
    const response = await fetch(new URL("/sandbox/api/gateway/import", gatewayApiUrl), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ transactions: ledger.slice(from, from + entriesAtOnce) }),
    });
    if (!response.ok) throw new Error(`the sandbox did not take the past: ${await response.text()}`);
    for (const { refId, ...number } of (await response.json()) as (GatewayNumbers & { refId: string })[]) {
      numbers.set(refId, number);
    }
  }
  return numbers;
}
