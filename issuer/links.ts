import { createHash, randomBytes } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { type Clock, HOUR } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { links } from "./tables.ts";

type Purpose = (typeof links.$inferSelect)["purpose"];

export interface Link {
  readonly subject: string;
  /** The address that the link was mailed to, when it is not the account's own. */
  readonly newEmail: string | null;
}

/** In milliseconds. */
const lifetimes: Readonly<Record<Purpose, number>> = {
  "confirm-address": 24 * HOUR,
  "reset-password": HOUR,
  "change-address": 24 * HOUR,
};

export function isPurpose(name: string): name is Purpose {
  return name in lifetimes;
}

/** Creates a single-use link and returns its token. Stores only the token's hash. */
export async function createLink(
  db: Db,
  clock: Clock,
  purpose: Purpose,
  subject: string,
  newEmail: string | null = null,
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const now = clock.now();
  const expiresAt = new Date(now.getTime() + lifetimes[purpose]);
  await db.insert(links).values({ tokenHash: hashOf(token), purpose, subject, newEmail, expiresAt, createdAt: now });
  return token;
}

/** Does not use up the link. Null when it does not work. */
export async function findLink(db: Db, clock: Clock, purpose: Purpose, token: string): Promise<Link | null> {
  const [row] = await db
    .select({ subject: links.subject, newEmail: links.newEmail })
    .from(links)
    .where(valid(clock, purpose, token));
  return row ?? null;
}

/**
 * Uses up the link, and all others of the same purpose and person. Null when it no longer works. Call in the
 * transaction of what the link allows, so that a failure does not use it up.
 */
export async function redeemLink(tx: Db, clock: Clock, purpose: Purpose, token: string): Promise<Link | null> {
  const [used] = await tx
    .delete(links)
    .where(valid(clock, purpose, token))
    .returning({ subject: links.subject, newEmail: links.newEmail });
  if (!used) return null;
  await tx.delete(links).where(and(eq(links.subject, used.subject), eq(links.purpose, purpose)));
  return used;
}

function valid(clock: Clock, purpose: Purpose, token: string) {
  return and(eq(links.tokenHash, hashOf(token)), eq(links.purpose, purpose), gt(links.expiresAt, clock.now()));
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
