import { findAttempt, isOpen, listOpenSent, schedulePoll } from "./attempts.ts";
import type { PaymentContext } from "./handlers.ts";
import { lookUp } from "./lookups.ts";
import { recordOutcome } from "./outcomes.ts";
import { resolverOf } from "./resolving.ts";
import { notCharged } from "./rules.ts";

export const paymentResolver = resolverOf({
  what: "payment",
  find: (db, id) => findAttempt(db, { id }),
  isOpen,
  listOpenSent,
  schedulePoll,
  lookUp,
  record: (ctx: PaymentContext, id, outcome) => recordOutcome(ctx, id, outcome),
  neverMade: notCharged("not-found", "the gateway has no transaction with this reference"),
});
