import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { GatewayUnavailable } from "#server/gateway/gateway.ts";
import { askedAtNight, isCertainlyNotCharged, isPolled, nextPoll } from "./polling.ts";

/**
 * nothing: it is in none of the complete lists · doubtful: a person must decide whether it is ours, or the gateway
 * reported a duplicate.
 */
export type Finding<Outcome> =
  | { readonly kind: "found"; readonly outcome: Outcome }
  | { readonly kind: "nothing" }
  | { readonly kind: "doubtful" };

/** Requests to the gateway whose outcome may be unknown: charges, or refunds. */
interface Requests<Ctx extends Context, Row, Outcome> {
  readonly what: string;
  readonly find: (db: Db, id: string) => Promise<Row | null>;
  readonly isOpen: (row: Row) => boolean;
  readonly listOpenSent: (db: Db, sent: ReturnType<typeof askedAtNight>) => Promise<readonly { readonly id: string }[]>;
  readonly schedulePoll: (db: Db, id: string, poll: number, runAt: Date, now: Date) => Promise<void>;
  /** Never sends it. @throws GatewayUnavailable when nothing is known. */
  readonly lookUp: (ctx: Ctx, row: Row) => Promise<Finding<Outcome>>;
  readonly record: (ctx: Ctx, id: string, outcome: Outcome) => Promise<unknown>;
  readonly neverMade: Outcome;
}

/** Asks the gateway for outcomes that are unknown. */
export function resolverOf<
  Ctx extends Context,
  Row extends { readonly id: string; readonly state: string; readonly sentAt: Date },
  Outcome,
>({ what, find, isOpen, listOpenSent, schedulePoll, lookUp, record, neverMade }: Requests<Ctx, Row, Outcome>) {
  /** False when the answer does not tell whether it was made. */
  async function ask(ctx: Ctx, row: Row, poll: number): Promise<boolean> {
    const now = ctx.clock.now();
    try {
      const finding = await lookUp(ctx, row);
      if (finding.kind === "found") await record(ctx, row.id, finding.outcome);
      else if (finding.kind === "nothing" && isCertainlyNotCharged(row.sentAt, poll, now)) {
        await record(ctx, row.id, neverMade);
      }
      return finding.kind !== "doubtful";
    } catch (error) {
      if (!(error instanceof GatewayUnavailable)) throw error;
      ctx.log.warn({ id: row.id, reason: error.message }, `the gateway could not be asked about a ${what}`);
      return false;
    }
  }

  /** Asks once, and schedules no poll. @returns the row afterwards */
  async function askAgain(ctx: Ctx, id: string): Promise<Row | null> {
    const row = await find(ctx.db, id);
    if (row && isOpen(row)) await ask(ctx, row, 1);
    return find(ctx.db, id);
  }

  return {
    askAgain,

    /** Polls for days until the outcome is known. Poll 0 only concerns a request whose process may have died. */
    async resolve(ctx: Ctx, id: string, count: number): Promise<void> {
      const row = await find(ctx.db, id);
      if (!row || !isOpen(row) || (count === 0 && row.state !== "sent")) return;
      const now = ctx.clock.now();
      const poll = Math.max(count, 1);
      const cleanPolls = (await ask(ctx, row, poll)) ? poll : poll - 1;
      const after = await find(ctx.db, id);
      if (after && isOpen(after) && isPolled(after.sentAt, now)) {
        await schedulePoll(ctx.db, id, cleanPolls + 1, nextPoll(poll, now), now);
      }
    },

    /** Asks about requests that are no longer polled. */
    async askAgainAtNight(ctx: Ctx): Promise<void> {
      for (const { id } of await listOpenSent(ctx.db, askedAtNight(ctx.clock.now()))) await askAgain(ctx, id);
    },
  };
}
