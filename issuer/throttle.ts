import { type Clock, DAY, HOUR, MINUTE } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { countUse, forgetUses, returnUse, tryUse } from "#server/db/rate-limits.ts";

/** Attempts for each kind of key within a window of milliseconds. */
const limits = {
  /** Wrong passwords for one address from one network address. */
  "sign-in-account-client": { attempts: 10, window: 15 * MINUTE },
  /**
   * Wrong passwords for one address from anywhere: enough that an attacker needs many network addresses to use them
   * up.
   */
  "sign-in-account": { attempts: 100, window: HOUR },
  /** Wrong passwords in a browser that has signed in to the account before; no attacker can use these up. */
  "sign-in-device": { attempts: 10, window: 15 * MINUTE },
  /** Wrong passwords from one network address, for any account. */
  "sign-in-client": { attempts: 50, window: 15 * MINUTE },
  /** Wrong codes after a right password, for one account and from one network address. */
  "code-account": { attempts: 10, window: 15 * MINUTE },
  "code-account-day": { attempts: 50, window: DAY },
  "code-client": { attempts: 30, window: 15 * MINUTE },
  /** Each new account sends a mail to an unverified address. */
  "sign-up-client": { attempts: 300, window: HOUR },
  /** Mails to an address whose accounts are created and deleted repeatedly. */
  "sign-up-account": { attempts: 4, window: HOUR },
  /**
   * Answers that an address has an account: too few to try a list of addresses. Each sign-up counts until its address
   * is known to be new, so a school class that signs up at once must fit.
   */
  "taken-client": { attempts: 60, window: 15 * MINUTE },
  /** Each stores a record until it expires. */
  "interaction-client": { attempts: 600, window: 15 * MINUTE },
  /** Resumes a sign-in. With the cookie of an expired session it stores a record too. */
  "resume-client": { attempts: 600, window: 15 * MINUTE },
  "mail-account": { attempts: 4, window: HOUR },
  /** Separate from resets, which anybody could use up otherwise by asking for confirmations that send no mail. */
  "confirmation-account": { attempts: 4, window: HOUR },
  "mail-client": { attempts: 60, window: HOUR },
  /** Links to choose a password, without a mail. Each is stored until it expires. */
  "link-client": { attempts: 60, window: HOUR },
} as const;
type Kind = keyof typeof limits;

export interface ThrottleScope {
  readonly db: Db;
  readonly clock: Clock;
  /** Keyed by a secret, so that no address is found by hashing all of them. */
  readonly hash: (text: string) => string;
}

/** Shown with the time to wait. */
const message = "Too many attempts.";

/**
 * Counts an attempt before it is made, so that concurrent ones cannot exceed the limit.
 * @throws Refusal too-many-requests when none is left
 */
export async function countAttempt(scope: ThrottleScope, kind: Kind, who: string): Promise<void> {
  const { attempts: max, window } = limits[kind];
  await countUse(scope.db, keyOf(scope, kind, who), { max, window, message }, scope.clock.now());
}

/** Counts an attempt like `countAttempt`. Returns false when the limit is exceeded. */
export function tryAttempt(scope: ThrottleScope, kind: Kind, who: string): Promise<boolean> {
  const { attempts: max, window } = limits[kind];
  return tryUse(scope.db, keyOf(scope, kind, who), { max, window }, scope.clock.now());
}

/** Takes back an attempt that succeeded. */
export async function returnAttempt(scope: ThrottleScope, kind: Kind, who: string): Promise<void> {
  await returnUse(scope.db, keyOf(scope, kind, who));
}

/** Takes back all attempts of the key, after the person has authenticated. */
export async function forgetAttempts(scope: ThrottleScope, kind: Kind, who: string): Promise<void> {
  await forgetUses(scope.db, keyOf(scope, kind, who));
}

/** Stored counts reveal no address. */
function keyOf({ hash }: ThrottleScope, kind: Kind, who: string): string {
  return hash(`${kind}\n${who.trim().toLowerCase()}`);
}
