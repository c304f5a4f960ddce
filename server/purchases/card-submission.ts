import { paymentBeingConfirmed } from "#contract/purchases/sentences.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { requireRightClock } from "#server/db/clock-skew.ts";
import type { Db } from "#server/db/db.ts";
import { requireNothingStops } from "#server/discrepancies/discrepancies.ts";
import type { Client } from "#server/http/client.ts";
import { lockUser, type User } from "#server/identity/users.ts";
import { type AttemptRow, findAttempt, hasOpenAttempt } from "#server/payments/attempts.ts";
import { hashesOf, refuseSameToken, requireFewDeclines } from "#server/payments/submissions.ts";
import { findFirstPayment } from "./queries.ts";

/** Belongs to the transaction that records the try. */
export interface CardSubmission {
  /** Locked. */
  readonly user: User;
  readonly tokenHash: string;
  readonly clientHash: string;
  readonly now: Date;
}

/**
 * Runs `open` in a transaction that commits before the gateway is called.
 * @throws Refusal card-token-used, payment-disputed, payment-unavailable while the clock is wrong, and those of `open`.
 */
export async function submitCard<Opened>(
  ctx: Context,
  by: { readonly student: User; readonly token: string; readonly client: Client },
  open: (tx: Db, submission: CardSubmission) => Promise<Opened>,
): Promise<Opened | { readonly attempt: AttemptRow; readonly isNew: false }> {
  const hashes = hashesOf(ctx, by.token, by.client);
  const opened = ctx.db.transaction(async (tx) => {
    const user = await lockUser(tx, by.student.id);
    // Read after the lock: a submission that waited must see what the previous one has written.
    const now = ctx.clock.now();
    const same = await findAttempt(tx, { idempotencyKey: hashes.tokenHash });
    if (same) return { attempt: same, isNew: false } as const;
    await requireNothingStops(tx, "charges", user.id);
    await requireRightClock(tx);
    return open(tx, { user, now, ...hashes });
  });
  return opened.catch(refuseSameToken);
}

/** @throws Refusal payment-in-progress. */
export async function requireNoneOpen(tx: Db, { user }: CardSubmission): Promise<void> {
  if (await hasOpenAttempt(tx, user.id)) throw new Refusal("payment-in-progress", paymentBeingConfirmed);
}

/**
 * Call after all other checks: until the transaction ends, other submissions of the same address wait, each with one
 * of the few connections for payments.
 * @throws Refusal too-many-requests.
 */
export async function requireFewCards(tx: Db, { user, clientHash, now }: CardSubmission): Promise<void> {
  const hasPaidBefore = (await findFirstPayment(tx, { userId: user.id, addressHash: null })) !== null;
  await requireFewDeclines(tx, { userId: user.id, clientHash, hasPaidBefore }, now);
}
