import { z } from "zod";
import { EmailAddress } from "../email-address.ts";
import { endpoint } from "../endpoint.ts";
import { formatPrice } from "../money.ts";
import { Tier } from "../tiers.ts";
import { todayAndLater } from "./sentences.ts";

/**
 * The consent of a buyer of a renewing plan, with the price today and later as shown. A changed text is a new
 * version. The purchase has the amounts and the number of discounted renewals.
 */
export const renewalConsent = {
  version: "2026-11-22",
  textFor: (today: number, later: number, discountedRenewals: number) =>
    today === later
      ? `I agree that ${formatPrice(later)} is charged to this card today and again every 30 days until I cancel. I can cancel at any time.`
      : `I agree that this card is charged ${todayAndLater(today, later, discountedRenewals)} until I cancel. I can cancel at any time.`,
} as const;

export type RenewalConsentVersion = typeof renewalConsent.version;

export const PaymentConfig = z
  .object({
    scriptUrl: z.string().describe("The gateway's browser script that tokenizes the card"),
    apiLoginId: z.string(),
    clientKey: z.string(),
    environment: z.enum(["demo", "sandbox", "production"]),
    year: z.int().describe("The present one, with which the choice of expiry years begins"),
  })
  .meta({ id: "PaymentConfig" });
export type PaymentConfig = z.infer<typeof PaymentConfig>;

export const getPaymentConfig = endpoint({
  method: "GET",
  path: "/api/authorize-net/config",
  summary: "The public identifiers that the card form needs",
  whileSeeing: "refused",
  reply: PaymentConfig,
});

export const AcceptPayment = z.strictObject({
  amount: z.number().describe("US dollars; must equal the quote's total, or without a quote what it would be now"),
  tier: Tier,
  priceId: z
    .string()
    .max(64)
    .optional()
    .describe("The plan's id as the page had it; refused when it is another plan's"),
  quoteId: z
    .string()
    .regex(/^[a-z0-9]{1,40}$/, "No quote has this id")
    .optional()
    .describe("The total that the buyer was shown, of /api/checkout/quote"),
  opaqueDataDescriptor: z.string().min(1).max(128),
  opaqueDataValue: z.string().min(1).max(8192),
  customerEmail: EmailAddress,
  customerName: z.string().trim().min(1).max(101),
  renewalConsent: z
    .literal(renewalConsent.version, "The renewal text has changed. Please reload the page.")
    .optional()
    .describe("The version of the renewal text that the buyer ticked"),
});
export type AcceptPayment = z.infer<typeof AcceptPayment>;

export const PaymentResult = z
  .object({
    success: z.boolean(),
    status: z.enum(["completed", "pending"]),
    purchaseId: z.string(),
    transactionId: z.string().nullable(),
    tier: Tier,
    message: z.string(),
  })
  .meta({ id: "PaymentResult" });
export type PaymentResult = z.infer<typeof PaymentResult>;

export const acceptPayment = endpoint({
  method: "POST",
  path: "/api/authorize-net/accept-payment",
  summary: "Buys a plan with a card that the gateway's script tokenized. 202: the payment is being confirmed",
  body: AcceptPayment,
  reply: PaymentResult,
  otherReplies: { 202: PaymentResult },
});

/** The price that renewals have once a coupon no longer discounts them. */
export const LaterPrice = z.object({
  after: z.int().describe("Payments at the discounted price until then"),
  price: z.string().describe("US dollars"),
});
export type LaterPrice = z.infer<typeof LaterPrice>;

export const Purchase = z
  .object({
    id: z.string(),
    userId: z.string(),
    tier: Tier,
    planName: z.string(),
    amount: z.string().describe("US dollars with two decimals"),
    discount: z.string().describe("US dollars that a coupon took off the first charge"),
    discountedRenewals: z.int().describe("How many renewals a coupon discounts by as much"),
    couponCode: z.string().nullable(),
    status: z.enum(["pending", "completed", "declined", "failed", "refunded"]),
    statusMessage: z.string().nullable().describe("For the student, when the payment did not go through"),
    transactionId: z.string().nullable(),
    subscriptionId: z.string().nullable(),
    isRecurring: z.boolean(),
    renewal: z
      .object({ price: z.string().describe("US dollars"), later: LaterPrice.nullable() })
      .nullable()
      .describe("What the next renewal costs, as agreed; null: none is planned"),
    nextBillingDate: z.iso.datetime().nullable(),
    subscriptionStatus: z.string(),
    paymentDeclined: z.boolean(),
    lastPaymentAttempt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Purchase" });
export type Purchase = z.infer<typeof Purchase>;

export const listUserPurchases = endpoint({
  method: "GET",
  path: "/api/user/purchases",
  summary: "The signed-in student's purchases, newest first",
  reply: z.array(Purchase),
});

export const listPurchases = endpoint({
  method: "GET",
  path: "/api/purchases",
  summary: "The same list under its older address",
  reply: z.array(Purchase),
});

/** The gateway's public test cards. The payment test accepts no others. */
const testCards = [
  "4007000000027",
  "4012888818888",
  "4111111111111111",
  "5424000000000015",
  "2223000010309703",
  "2223000010309711",
  "370000000000002",
  "6011000000000012",
  "3088000000000017",
  "38000000000006",
] as const;

export const testConnection = endpoint({
  method: "GET",
  path: "/api/authorize-net/test-direct",
  summary: "Whether the gateway takes the academy's credentials; for administrators, never in production",
  permission: "money:settle",
  reply: z.object({ success: z.boolean(), message: z.string() }),
});

export const directPayment = endpoint({
  method: "POST",
  path: "/api/authorize-net/direct-payment",
  summary: "Charges one dollar to a published test card and voids it; for administrators, never in production",
  permission: "money:settle",
  body: z.strictObject({
    amount: z.literal(1),
    tier: Tier,
    cardNumber: z.enum(testCards, "Only the gateway's published test cards"),
    expirationDate: z.string().regex(/^(0[1-9]|1[0-2])\/?(\d{2}|\d{4})$/, "MM/YY or MM/YYYY"),
    cvv: z.string().regex(/^\d{3,4}$/, "Three or four digits"),
    customerEmail: EmailAddress,
    customerName: z.string().trim().min(1).max(101),
  }),
  reply: z.object({
    success: z.boolean(),
    message: z.string(),
    transactionId: z.string().nullable(),
    method: z.string(),
    endpoint: z.string(),
  }),
});
