import type { RefusalCode } from "#contract/problem.ts";

export const statusOf: Readonly<Record<RefusalCode, number>> = {
  "invalid-input": 400,
  "malformed-request": 400,
  "not-signed-in": 401,
  "signed-in-as-another": 401,
  "bad-signature": 401,
  "payment-declined": 402,
  "cross-origin": 403,
  "sign-in-again": 403,
  "second-factor-required": 403,
  "not-allowed": 403,
  "account-blocked": 403,
  "tier-required": 403,
  "not-found": 404,
  "not-yet-available": 404,
  "method-not-allowed": 405,
  "request-timeout": 408,
  "amount-mismatch": 409,
  "plan-mismatch": 409,
  "quote-changed": 409,
  "quote-expired": 409,
  "coupon-refused": 409,
  "already-owned": 409,
  conflict: 409,
  "payment-in-progress": 409,
  "payment-disputed": 409,
  "card-token-used": 409,
  "email-taken": 409,
  "last-administrator": 409,
  "slot-taken": 409,
  "no-sessions-left": 409,
  "too-late": 409,
  "already-booked": 409,
  "unplayable-video": 409,
  "no-captions": 409,
  "undescribed-change": 409,
  gone: 410,
  "too-large": 413,
  "unsupported-media-type": 415,
  "range-not-satisfiable": 416,
  "misdirected-request": 421,
  "unreadable-image": 422,
  infected: 422,
  "too-many-requests": 429,
  "headers-too-large": 431,
  "sign-in-failed": 400,
  internal: 500,
  "payment-unavailable": 503,
  unavailable: 503,
  "storage-full": 507,
};

/** A request that the server refuses for a reason that its sender can act on. Pages show the message as it is. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly errors: Record<string, string[]> | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly totalCents: number | undefined;
  /** Given because there is too much to do, and nothing has failed. */
  readonly turnsAway: boolean;

  constructor(
    code: RefusalCode,
    message: string,
    more: {
      errors?: Record<string, string[]>;
      retryAfterSeconds?: number;
      totalCents?: number;
      turnsAway?: boolean;
    } = {},
  ) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.errors = more.errors;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.totalCents = more.totalCents;
    this.turnsAway = more.turnsAway ?? false;
  }
}

/** @param what the noun for people, such as "session". */
export function notFound(what: string): Refusal {
  return new Refusal("not-found", `We couldn't find this ${what}.`);
}

/** Answers like an address that does not exist, so that nobody can tell the difference. */
export function nothingHere(): Refusal {
  return new Refusal("not-found", "There's nothing at this address.");
}

/** @param errors by field of the body. */
export function invalidFields(errors: Record<string, string[]>): Refusal {
  return new Refusal("invalid-input", "Please check the marked fields.", { errors });
}
