import { z } from "zod";

/** All codes of refusals. The server has an HTTP status for each. */
const refusalCodes = [
  "invalid-input",
  "malformed-request",
  "not-signed-in",
  "signed-in-as-another",
  "sign-in-again",
  "second-factor-required",
  "bad-signature",
  "cross-origin",
  "not-allowed",
  "not-found",
  "gone",
  "method-not-allowed",
  "unsupported-media-type",
  "misdirected-request",
  "request-timeout",
  "too-large",
  "headers-too-large",
  "range-not-satisfiable",
  "too-many-requests",
  "amount-mismatch",
  "plan-mismatch",
  "quote-changed",
  "quote-expired",
  "coupon-refused",
  "already-owned",
  "conflict",
  "payment-in-progress",
  "payment-declined",
  "payment-disputed",
  "card-token-used",
  "payment-unavailable",
  "account-blocked",
  "tier-required",
  "not-yet-available",
  "sign-in-failed",
  "email-taken",
  "last-administrator",
  "slot-taken",
  "no-sessions-left",
  "too-late",
  "already-booked",
  "unreadable-image",
  "unplayable-video",
  "no-captions",
  "undescribed-change",
  "infected",
  "unavailable",
  "storage-full",
  "internal",
] as const;

export const RefusalCode = z.enum(refusalCodes);
export type RefusalCode = z.infer<typeof RefusalCode>;

/** RFC 9457 problem details, the body of every error reply. `message` is for the person. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: RefusalCode,
    message: z.string(),
    success: z.literal(false),
    error: z.string().optional().describe("The message again, where an upload of resources failed"),
    requestId: z.string(),
    errors: z.record(z.string(), z.array(z.string())).optional().describe("By field, when the input was refused"),
    total: z.number().optional().describe("US dollars, when an amount was refused: what it would be now"),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;
