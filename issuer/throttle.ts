import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Clock } from "#server/clock.ts";
import type { Db } from "#server/db/db.ts";
import { throttle } from "./tables.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How many attempts each kind of key has in a window of so many milliseconds. */
const limits = {
  /** Wrong passwords for one address from one network address. */
  "sign-in-account-client": { attempts: 10, window: 15 * MINUTE },
  /** Wrong passwords for one address from anywhere: many enough that a stranger needs many addresses to use them up. */
  "sign-in-account": { attempts: 100, window: HOUR },
  /** Wrong passwords in a browser that has signed in to the account before, which no stranger can use up. */
  "sign-in-device": { attempts: 10, window: 15 * MINUTE },
  /** Wrong passwords from one network address, whomever they are for. */
  "sign-in-client": { attempts: 50, window: 15 * MINUTE },
  /** Wrong codes beside a right password, for one account and from one network address. */
  "code-account": { attempts: 10, window: 15 * MINUTE },
  "code-account-day": { attempts: 50, window: 24 * HOUR },
  "code-client": { attempts: 30, window: 15 * MINUTE },
  /** Each new account sends a mail to an address that somebody typed. */
  "sign-up-client": { attempts: 300, window: HOUR },
  /**
   * Answers "this address has an account": too few to go through a list. Each sign-up under way counts until it is known
   * to be new, so that a class that signs up at once must fit.
   */
  "taken-client": { attempts: 60, window: 15 * MINUTE },
  /** Each keeps a record until it expires. */
  "interaction-client": { attempts: 600, window: 15 * MINUTE },
  "mail-account": { attempts: 4, window: HOUR },
  "mail-client": { attempts: 60, window: HOUR },
} as const;
type Kind = keyof typeof limits;

/** The attempts of a key are used up until its window ends. */
export class TooManyAttempts extends Error {
  override name = "TooManyAttempts";
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super(`too many attempts, retry after ${retryAfterSeconds} s`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Counts one attempt before it is made, so that many at once cannot slip through.
 * @throws TooManyAttempts when the key has none left
 */
export async function countAttempt(db: Db, clock: Clock, kind: Kind, who: string): Promise<void> {
  const now = clock.now();
  const { attempts, window } = limits[kind];
  const over = sql`${throttle.windowEndsAt} <= ${now.toISOString()}::timestamptz`;
  const windowEndsAt = new Date(now.getTime() + window);
  const [row] = await db
    .insert(throttle)
    .values({ key: keyOf(kind, who), attempts: 1, windowEndsAt })
    .onConflictDoUpdate({
      target: throttle.key,
      set: {
        attempts: sql`case when ${over} then 1 else ${throttle.attempts} + 1 end`,
        windowEndsAt: sql`case when ${over} then excluded.window_ends_at else ${throttle.windowEndsAt} end`,
      },
    })
    .returning();
  if (!row || row.attempts <= attempts) return;
  throw new TooManyAttempts(Math.max(1, Math.ceil((row.windowEndsAt.getTime() - now.getTime()) / 1000)));
}

/** Takes an attempt back: it was a right one. */
export async function returnAttempt(db: Db, kind: Kind, who: string): Promise<void> {
  await db
    .update(throttle)
    .set({ attempts: sql`greatest(${throttle.attempts} - 1, 0)` })
    .where(eq(throttle.key, keyOf(kind, who)));
}

/** Forgets all attempts of a key: the person has proved who they are. */
export async function forgetAttempts(db: Db, kind: Kind, who: string): Promise<void> {
  await db.delete(throttle).where(eq(throttle.key, keyOf(kind, who)));
}

function keyOf(kind: Kind, who: string): string {
  return createHash("sha256").update(`${kind}\n${who.trim().toLowerCase()}`).digest("base64url");
}
