import { aheadWords } from "#contract/admin/coaching.ts";
import { listUnprovedClaims, unprovedWords } from "#server/claims/claims.ts";
import { lookAhead } from "#server/coaching/meter.ts";
import type { Config } from "#server/context/config.ts";
import type { Db } from "#server/db/db.ts";
import { findTeamRestored } from "#server/people/team/restored.ts";
import { listObstacles } from "#server/subscriptions/renewal-stops.ts";
import { listWithoutSecondFactor, readBacklog } from "../queries.ts";
import { type Finding, inspect } from "./finding.ts";

export async function* checkWork(db: Db, isRunning: boolean): AsyncGenerator<Finding> {
  const backlog = await readBacklog(db, new Date());
  yield inspect("Jobs", async () => {
    const { failedJobs, overdueJobs, lateJobs } = backlog;
    if (failedJobs.length > 0)
      throw new Error(`gave up: ${failedJobs.join(", ")}. The log says why, the table jobs has them.`);
    if (lateJobs > 0 && isRunning) throw new Error(`${lateJobs} late by minutes: look for "job failed" in the log.`);
    if (overdueJobs === 0) return "none failed, none late";
    return `${overdueJobs} are waiting: the academy ${isRunning ? "has just started" : "is not running"}`;
  });
  yield inspect("Payments", async () => {
    const { unknownPayments } = backlog;
    if (unknownPayments > 0)
      throw new Error(`${unknownPayments} of unknown outcome for a quarter of an hour: is the gateway reachable?`);
    return "every outcome is known";
  });
  yield inspect("Renewals", async () => {
    const obstacles = await listObstacles(db);
    if (obstacles.length > 0) throw new Error(obstacles.map(({ sentence }) => sentence).join(" "));
    return "nothing keeps them from being charged";
  });
}

/** Selling more sessions than coaches have hours for is a warning: the academy works. */
export async function checkCoaching(db: Db): Promise<Finding> {
  let unserved = 0;
  const finding = await inspect("Coaching", async () => {
    const ahead = await lookAhead(db, new Date());
    unserved = ahead.unserved;
    return unserved > 0 ? `${aheadWords(ahead)} Open more hours at /admin/coaching.` : aheadWords(ahead);
  });
  return { ...finding, warning: unserved > 0 };
}

const maxClaims = 30;

/** Claims without evidence are a warning: the owner answers for them, and the academy works. */
export async function checkClaims(db: Db): Promise<Finding> {
  let unproved = 0;
  const finding = await inspect("Claims", async () => {
    const claims = await listUnprovedClaims(db, new Date());
    unproved = claims.length;
    if (unproved === 0) return "each one on the pages has proof";
    const more = unproved > maxClaims ? ` and ${unproved - maxClaims} more` : "";
    return `${unprovedWords(claims.slice(0, maxClaims))}${more}. Add proof or remove them at /admin/claims.`;
  });
  return { ...finding, warning: unproved > 0 };
}

/** A problem: somebody who was dismissed may have a role again. */
export async function checkTeam(db: Db): Promise<string> {
  const restoredAt = await findTeamRestored(db);
  if (!restoredAt) return "no backup was restored, or an owner has confirmed the roles since";
  const date = restoredAt.toISOString().slice(0, 10);
  throw new Error(
    `a backup was restored on ${date}, and people who were dismissed since it was made have their roles again: take away at /admin/team what should be gone; an owner of ADMIN_EMAILS confirms the team there.`,
  );
}

/** No problem: without second factors the academy works, and is easier to attack. */
export async function checkAdministrators(db: Db, { adminEmails, publicUrl }: Config): Promise<string> {
  const without = await listWithoutSecondFactor(db, adminEmails);
  if (without.length === 0) return "each sign-in account has a second factor";
  const page = `${publicUrl}/issuer/account/second-factor`;
  return `a password is all it takes to be ${without.join(", ")}: better turn on the second factor at ${page}`;
}
