import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { RenewalObstacle } from "#contract/admin/renewals.ts";
import { audited } from "#server/audit/audit.ts";
import { after, DAY, HOUR, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { findClockSkew, skewWords } from "#server/db/clock-skew.ts";
import type { Db } from "#server/db/db.ts";
import { addOperationalMark, recordOperationalMark } from "#server/db/operational-marks.ts";
import { operationalMarks } from "#server/db/tables.ts";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import { emailAdministrators } from "#server/identity/administrator-emails.ts";
import type { User } from "#server/identity/users.ts";
import { restartGrace } from "./queries.ts";

/** While this mark exists, no node renews. */
const credentialsStopKey = "renewals-stopped:credentials";
/** Written by a restore, because the gateway may have charges that are not in the backup. */
export const restoredStopKey = "renewals-stopped:restored";
/** When the last restore was whose stop has ended. */
const restoredKey = "restored";

export interface CredentialsStop {
  readonly since: string;
  readonly code: string;
  /** trying: a probe of the credentials succeeded, and one renewal at a time is tried. */
  readonly state: "stopped" | "trying";
  /** Consecutive refused or unanswered probes. */
  readonly refusedProbes: number;
  /** Refused renewals after successful probes. */
  readonly refusedTrials: number;
  readonly nextProbeAt: string;
  readonly extendedOn: string | null;
}

export interface RenewalStops {
  readonly credentials: CredentialsStop | null;
  readonly restoredAt: Date | null;
  /** Stays when the stop ends: nobody knows what was sent between the backup and the restore. Null: there was none. */
  readonly lastRestoredAt: Date | null;
}

export async function findRenewalStops(db: Db): Promise<RenewalStops> {
  const { name } = operationalMarks;
  const rows = await db
    .select()
    .from(operationalMarks)
    .where(inArray(name, [credentialsStopKey, restoredStopKey, restoredKey]));
  const find = (key: string) => rows.find((row) => row.name === key);
  const restoredAt = find(restoredStopKey)?.updatedAt ?? null;
  return {
    credentials: (find(credentialsStopKey)?.value as CredentialsStop | undefined) ?? null,
    restoredAt,
    lastRestoredAt: restoredAt ?? find(restoredKey)?.updatedAt ?? null,
  };
}

/** @param isTrial whether it is the one renewal that is tried before all others */
export async function mayRenew(db: Db, { isTrial }: { isTrial: boolean }): Promise<boolean> {
  const { credentials, restoredAt } = await findRenewalStops(db);
  if (restoredAt !== null || (await findClockSkew(db)) !== null) return false;
  return credentials === null || (isTrial && credentials.state === "trying");
}

export const obstacleReasons = RenewalObstacle.shape.reason.options;

export async function listObstacles(db: Db): Promise<RenewalObstacle[]> {
  const { credentials, restoredAt } = await findRenewalStops(db);
  const skew = await findClockSkew(db);
  const obstacles: RenewalObstacle[] = [];
  if (credentials) {
    const { code, since, state } = credentials;
    const next =
      state === "trying"
        ? "The gateway accepted them in a test, so we’re trying one renewal at a time."
        : "We’ll check again automatically.";
    obstacles.push({
      reason: "credentials",
      since,
      sentence: `The card gateway refuses the academy's credentials (${code}), so nothing renews. ${next}`,
    });
  }
  if (restoredAt) {
    obstacles.push({
      reason: "restored",
      since: restoredAt.toISOString(),
      sentence:
        "This academy was restored from a backup. Nothing renews before the books were compared with the gateway's.",
    });
  }
  if (skew !== null) {
    const sentence = `Nothing renews, because ${skewWords(skew)}. Set both clocks by NTP.`;
    obstacles.push({ reason: "clock", since: null, sentence });
  }
  return obstacles;
}

const probeWaits = [5 * MINUTE, 15 * MINUTE, HOUR];
/** Few enough for the limit of one card in 30 days. */
const trialWaits = [15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY, 4 * DAY];

/** Stops all renewals. Emails administrators once for each stop. */
export async function stopForCredentials(tx: Db, code: string | null, now: Date): Promise<void> {
  const first: CredentialsStop = {
    since: now.toISOString(),
    code: code ?? "no code",
    state: "stopped",
    refusedProbes: 0,
    refusedTrials: 0,
    nextProbeAt: after(now, waitOf(probeWaits, 0)).toISOString(),
    extendedOn: null,
  };
  if (await addOperationalMark(tx, credentialsStopKey, first, now)) {
    const { since } = first;
    await emailAdministrators(
      tx,
      { kind: "renewals-stopped", facts: { code: first.code, since }, occasion: since },
      now,
    );
    return;
  }
  const { credentials } = await findRenewalStops(tx);
  if (credentials?.state !== "trying") return;
  const refusedTrials = credentials.refusedTrials + 1;
  await probeAgain(tx, { refusedTrials }, waitOf(trialWaits, refusedTrials - 1), now);
}

export async function probeCredentials(ctx: Context, stop: CredentialsStop): Promise<void> {
  const now = ctx.clock.now();
  if (stop.state === "trying" || new Date(stop.nextProbeAt) > now) return;
  try {
    const { success } = await ctx.gateway.testConnection();
    if (success) return void (await startTrial(ctx.db, now));
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error;
  }
  const refusedProbes = stop.refusedProbes + 1;
  await probeAgain(ctx.db, { refusedProbes }, waitOf(probeWaits, refusedProbes), now);
}

/** @throws Refusal conflict when renewals have not stopped. */
export async function startRenewalTrial(ctx: Context, actor: User, reason: string | undefined): Promise<void> {
  await audited(ctx, { actor, action: "resume renewals", subject: "renewals", reason }, async (tx, now) => {
    if (!(await startTrial(tx, now))) throw new Refusal("conflict", "The gateway takes our credentials.");
    return {};
  });
}

async function startTrial(db: Db, now: Date): Promise<boolean> {
  const { credentials } = await findRenewalStops(db);
  if (credentials === null) return false;
  await writeCredentials(db, { state: "trying", refusedProbes: 0 }, now);
  return true;
}

/** Lets renewals continue, and restarts the grace periods of those that waited. */
export async function endCredentialsStop(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const ended = await tx.delete(operationalMarks).where(eq(operationalMarks.name, credentialsStopKey)).returning();
    if (ended.length === 0) return;
    await restartGrace(tx, now);
  });
  ctx.log.info("the gateway takes our credentials again: renewals go on");
}

export async function markExtended(db: Db, day: string, now: Date): Promise<void> {
  await writeCredentials(db, { extendedOn: day }, now);
}

/** Call after a comparison. One that began before the restore does not end the stop. */
export async function endRestoredStop(db: Db, startedAt: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const [ended] = await tx
      .delete(operationalMarks)
      .where(and(eq(operationalMarks.name, restoredStopKey), lte(operationalMarks.updatedAt, startedAt)))
      .returning();
    if (ended) await recordOperationalMark(tx, restoredKey, true, ended.updatedAt);
  });
}

function waitOf(waits: readonly number[], times: number): number {
  return waits[Math.min(times, waits.length - 1)] ?? HOUR;
}

async function probeAgain(db: Db, change: Partial<CredentialsStop>, wait: number, now: Date): Promise<void> {
  await writeCredentials(db, { ...change, state: "stopped", nextProbeAt: after(now, wait).toISOString() }, now);
}

/** Merges in the database, so that concurrent writes keep each other's fields. */
async function writeCredentials(db: Db, change: Partial<CredentialsStop>, now: Date): Promise<void> {
  await db
    .update(operationalMarks)
    .set({ value: sql`(${operationalMarks.value}::jsonb || ${JSON.stringify(change)}::jsonb)::json`, updatedAt: now })
    .where(eq(operationalMarks.name, credentialsStopKey));
}
