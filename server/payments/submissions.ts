import { hash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { after, HOUR, SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { type Db, isUniqueViolation } from "#server/db/db.ts";
import type { Client } from "#server/http/client.ts";
import { type AttemptRow, findAttempt } from "./attempts.ts";
import { countDeclines, lockClient } from "./queries.ts";
import { checkDeclines } from "./rules.ts";

/** Hashes, because a token is single-use and addresses are only counted. */
export function hashesOf(ctx: Context, token: string, client: Client): { tokenHash: string; clientHash: string } {
  return { tokenHash: hash("sha256", token, "base64url"), clientHash: ctx.hashClient(client) };
}

/** Takes the first word as the first name. */
export function splitName(name: string): { firstName: string; lastName: string } {
  const [firstName = "", ...rest] = name.split(/\s+/);
  return { firstName, lastName: rest.join(" ") };
}

/** Call in the transaction that records the try. @throws Refusal too-many-requests. */
export async function requireFewDeclines(
  tx: Db,
  who: { readonly userId: string; readonly clientHash: string; readonly hasPaidBefore: boolean },
  now: Date,
): Promise<void> {
  await lockClient(tx, who.clientHash);
  checkDeclines(await countDeclines(tx, who, after(now, -HOUR)), who.hasPaidBefore);
}

/**
 * Waits while the first submission is in progress.
 * @throws Refusal card-token-used when it was another student's, or failed.
 */
export async function outcomeOfFirst(ctx: Context, student: { id: string }, first: AttemptRow): Promise<AttemptRow> {
  if (first.userId !== student.id) throw tokenUsed();
  if (first.state === "declined" || first.state === "not-processed") throw tokenUsed();
  let attempt: AttemptRow | null = first;
  for (let waited = 0; attempt?.state === "sent" && waited < 25 * SECOND; waited += 200) {
    await wait(200);
    attempt = await findAttempt(ctx.db, { id: first.id });
  }
  return attempt ?? first;
}

/** Turns a lost race of two submissions of one card token into a refusal. */
export function refuseSameToken(error: unknown): never {
  throw isUniqueViolation(error, "payment_attempts_idempotency_key_unique") ? tokenUsed() : error;
}

/** @param said the gateway's message to the student @throws Refusal payment-declined, payment-unavailable. */
export function refuseUnpaid({ state }: AttemptRow, said: string | null): void {
  const message = said ?? "Payment processing failed";
  if (state === "declined") throw new Refusal("payment-declined", message);
  if (state === "not-processed") throw new Refusal("payment-unavailable", message);
}

export function tokenUsed(): Refusal {
  return new Refusal("card-token-used", "We couldn't use these card details twice. Please enter your card again.");
}
