import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Tier } from "../tiers.ts";

export const QuoteLine = z
  .object({
    kind: z.enum(["plan", "discount", "credit", "not-paid-out"]),
    label: z.string(),
    cents: z.int().describe("US cents; below zero what is taken off"),
  })
  .meta({ id: "QuoteLine" });
export type QuoteLine = z.infer<typeof QuoteLine>;

export const Quote = z
  .object({
    quoteId: z.string(),
    tier: Tier,
    priceId: z.string(),
    planName: z.string(),
    lines: z.array(QuoteLine).describe("They add up to the total"),
    total: z.number().describe("US dollars: the `amount` of accept-payment"),
    totalCents: z.int(),
    coupon: z.string().nullable().describe("The code that is taken into account; it stands among the lines"),
    renewal: z
      .number()
      .nullable()
      .describe(
        "US dollars: what each 30 days cost after the first and the discounted ones; null for a plan that does not renew",
      ),
    discountedRenewals: z.int().describe("How many renewals cost as much as today"),
    replaces: z.array(z.string()).describe("The plans that end with this payment, by name; what renews does not renew"),
    refundDays: z
      .int()
      .nullable()
      .describe("The days in which the purchase can be refunded; null: it is not the student's first one"),
    refundableUntil: z.iso
      .datetime()
      .nullable()
      .describe("Of an upgrade of the first purchase: until when both can be refunded; null for any other purchase"),
    isRefundCertain: z
      .boolean()
      .describe("False while the address is unconfirmed: another account may have made its first purchase"),
    expiresAt: z.iso
      .datetime()
      .describe("Until then, time alone changes no total: when the next credited day ends, in 24 hours at most"),
  })
  .meta({ id: "Quote" });
export type Quote = z.infer<typeof Quote>;

export const createQuote = endpoint({
  method: "POST",
  path: "/api/checkout/quote",
  summary: "What a plan costs the signed-in student now, line by line. The total holds until `expiresAt`",
  body: z.strictObject({
    tier: Tier,
    priceId: z.string().min(1).max(64).optional().describe("The plan's id as the page had it; refused when another's"),
    code: z.string().max(64, "No coupon code is this long").optional().describe("A coupon's code, in any case"),
  }),
  reply: Quote,
});
