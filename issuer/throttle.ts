import { type Clock, DAY, HOUR, MINUTE } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { countUse, forgetUses, returnUse } from "#server/db/rate-limits.ts";

/** How many attempts each kind of key has in a window of so many milliseconds. */
const limits = {
  /** Wrong passwords for one address from one network address. */
  "sign-in-account-client": { attempts: 10, window: 15 * MINUTE },
  /** Wrong passwords for one address from anywhere: many enough that a stranger needs many addresses to use them up. */
  "sign-in-account": { attempts: 100, window: HOUR },
  /** Wrong passwords in a browser that has signed in to the account before, which no stranger can use up. */
  "sign-in-device": { attempts: 10, window: 15 * MINUTE },
  /** Wrong passwords from one network address, for any account. */
  "sign-in-client": { attempts: 50, window: 15 * MINUTE },
  /** Wrong codes beside a right password, for one account and from one network address. */
  "code-account": { attempts: 10, window: 15 * MINUTE },
  "code-account-day": { attempts: 50, window: DAY },
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
  /** A sign-in goes on by it; with the cookie of a session that is gone it keeps a record, too. */
  "resume-client": { attempts: 600, window: 15 * MINUTE },
  "mail-account": { attempts: 4, window: HOUR },
  /** Anybody may ask where nothing waits to be confirmed, so that no mail is sent: it must not use up a reset's. */
  "confirmation-account": { attempts: 4, window: HOUR },
  "mail-client": { attempts: 60, window: HOUR },
  /** A link to choose a password, without a mail: each is kept until it expires. */
  "link-client": { attempts: 60, window: HOUR },
} as const;
type Kind = keyof typeof limits;

export interface ThrottleScope {
  readonly db: Db;
  readonly clock: Clock;
  /** By a secret, so that nobody finds an address by hashing all of them. */
  readonly hash: (text: string) => string;
}

/** Each is shown with how long the person has to wait. */
const message = "Too many attempts.";

/**
 * Counts one attempt before it is made, so that many at once cannot slip through.
 * @throws Refusal too-many-requests when the key has none left
 */
export async function countAttempt(scope: ThrottleScope, kind: Kind, who: string): Promise<void> {
  const { attempts: max, window } = limits[kind];
  await countUse(scope.db, keyOf(scope, kind, who), { max, window, message }, scope.clock.now());
}

/** Takes an attempt back: it was a right one. */
export async function returnAttempt(scope: ThrottleScope, kind: Kind, who: string): Promise<void> {
  await returnUse(scope.db, keyOf(scope, kind, who));
}

/** Forgets all attempts of a key: the person has proved who they are. */
export async function forgetAttempts(scope: ThrottleScope, kind: Kind, who: string): Promise<void> {
  await forgetUses(scope.db, keyOf(scope, kind, who));
}

/** No address can be told from what is kept with the counts. */
function keyOf({ hash }: ThrottleScope, kind: Kind, who: string): string {
  return hash(`${kind}\n${who.trim().toLowerCase()}`);
}
