import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Tier } from "../tiers.ts";
import { QuoteLine } from "./quotes.ts";

/** An approved charge in a list. */
export const Payment = z
  .object({
    receiptId: z.string(),
    purchaseId: z.string(),
    kind: z.enum(["initial", "renewal"]),
    planName: z.string(),
    tier: Tier,
    amount: z.string().describe("US dollars with two decimals"),
    paidAt: z.iso.datetime(),
    refunded: z.string().nullable().describe("US dollars that went back; null when nothing did"),
  })
  .meta({ id: "Payment" });
export type Payment = z.infer<typeof Payment>;

export const Receipt = Payment.extend({
  number: z
    .string()
    .describe("What the receipt shows, such as `ACME-2027-0042`; on those from before there were numbers, its id"),
  academyName: z.string(),
  seller: z
    .object({
      name: z.string(),
      email: z.string(),
      address: z.array(z.string()).describe("Its lines; empty where none is set"),
    })
    .describe("Of the day of the payment, as are the names of the academy and the plan, and the tax line"),
  timeZone: z.string().describe("IANA. Of the receipt's days: the academy's on the day of the payment"),
  contactEmail: z.string().describe("Today's support address"),
  taxLine: z.string().nullable().describe("What the seller says about tax; null: nothing"),
  buyer: z
    .object({ name: z.string().nullable(), email: z.string() })
    .nullable()
    .describe("Null when the account was deleted"),
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  transactionId: z.string(),
  renewsEvery30Days: z.boolean(),
  coaching: z
    .string()
    .nullable()
    .describe("In words, the 1-on-1 coaching that the plan promised when it was paid; null for none"),
  coversFrom: z.iso.datetime().nullable().describe("When the 30 days of a renewal begin; null for the first payment"),
  refunds: z.array(z.object({ amount: z.string(), at: z.iso.datetime(), transactionId: z.string().nullable() })),
  refundUnderWay: z.boolean(),
  lines: z
    .array(QuoteLine)
    .describe("How the amount came about, where something was taken off the plan's price; empty where nothing was"),
}).meta({ id: "Receipt" });
export type Receipt = z.infer<typeof Receipt>;

export const listPayments = endpoint({
  method: "GET",
  path: "/api/user/payments",
  summary: "What the signed-in student paid, newest first; each has a receipt",
  reply: z.array(Payment),
});

const ReceiptParams = z.object({ id: z.string().regex(/^[a-z0-9]{1,40}$/) });

export const getReceipt = endpoint({
  method: "GET",
  path: "/api/user/receipts/{id}",
  summary: "The receipt of one of the student's own payments, or of a purchase's first payment by the purchase's id",
  params: ReceiptParams,
  reply: Receipt,
});

export const getReceiptPdf = endpoint({
  method: "GET",
  path: "/api/user/receipts/{id}/pdf",
  summary: "The same receipt as a PDF file",
  whileSeeing: "refused",
  params: ReceiptParams,
  reply: z.any().meta({ format: "binary" }),
});
