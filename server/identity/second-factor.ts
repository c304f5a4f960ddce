import { desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { Refusal } from "#server/base/refusal.ts";
import type { Db } from "#server/db/db.ts";
import { addOperationalMark, deleteOperationalMark, findOperationalMark } from "#server/db/operational-marks.ts";
import { operationalMarks } from "#server/db/tables.ts";
import { identities } from "./tables.ts";
import { builtInIssuer } from "./users.ts";

/** The team must sign in with a second factor while this mark exists. */
const markName = "team-second-factor";

/** Part of a statement that reads something else. */
export function isSecondFactorRequired(db: Db) {
  return sql<boolean>`exists (${db
    .select({ one: sql`1` })
    .from(operationalMarks)
    .where(eq(operationalMarks.name, markName))})`;
}

export async function findSecondFactorRequired(db: Db): Promise<boolean> {
  return (await findOperationalMark(db, markName)) !== null;
}

/** Takes effect on every node from the next request on. */
export async function setSecondFactorRequired(tx: Db, isRequired: boolean, now: Date): Promise<void> {
  if (!isRequired) await deleteOperationalMark(tx, markName);
  else await addOperationalMark(tx, markName, true, now);
}

export function secondFactorRequired(): Refusal {
  return new Refusal(
    "second-factor-required",
    "Team members must sign in with a second factor. Turn it on for your account, then sign in again.",
  );
}

/** For what a person gets without a session, such as by a secret address. */
export async function lacksSecondFactor(db: Db, userId: string): Promise<boolean> {
  if (!(await findSecondFactorRequired(db))) return false;
  return !(await listLastSignIns(db, [userId])).get(userId)?.usedSecondFactor;
}

export interface LastSignIn {
  readonly at: Date;
  readonly usedSecondFactor: boolean | null;
  /** Whether the provider tells who used a second factor. */
  readonly isTold: boolean;
}

export async function listLastSignIns(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, LastSignIn>> {
  const { userId, issuer, lastSignInAt: at, usedSecondFactor } = identities;
  const rows = await db
    .selectDistinctOn([userId], { userId, issuer, at, usedSecondFactor })
    .from(identities)
    .where(inArray(userId, [...userIds]))
    .orderBy(userId, desc(at));
  const tellers = await db.selectDistinct({ issuer }).from(identities).where(isNotNull(usedSecondFactor));
  return new Map(
    rows.map((row) => {
      const isTold = row.issuer === builtInIssuer || tellers.some((teller) => teller.issuer === row.issuer);
      return [row.userId, { at: row.at, usedSecondFactor: row.usedSecondFactor, isTold }];
    }),
  );
}
