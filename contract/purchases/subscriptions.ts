import { z } from "zod";
import { AccountStatus } from "../access.ts";
import { endpoint } from "../endpoint.ts";
import { Tier } from "../tiers.ts";
import { LaterPrice } from "./purchases.ts";

/** The only parts of a card that may be shown: its brand and last four digits. */
export const CardMarks = z
  .object({ brand: z.string().nullable(), last4: z.string().nullable() })
  .meta({ id: "CardMarks" });
export type CardMarks = z.infer<typeof CardMarks>;

export const OwnSubscriptionState = z.enum(["renewing", "cancelled", "declined", "on-hold"]);
export type OwnSubscriptionState = z.infer<typeof OwnSubscriptionState>;

/** A subscription as its student sees it, with the allowed actions. */
export const OwnSubscription = z
  .object({
    purchaseId: z.string(),
    subscriptionId: z.string(),
    planName: z.string(),
    tier: Tier,
    state: OwnSubscriptionState,
    price: z.string().describe("US dollars for the next 30 days"),
    later: LaterPrice.nullable().describe("Null: each 30 days cost `price`"),
    paidUntil: z.iso.datetime(),
    nextPaymentAt: z.iso.datetime().nullable().describe("The next charge, or the next try after a decline"),
    accessUntil: z.iso.datetime().nullable().describe("How long the course stays open if no payment comes"),
    amountDue: z.string().describe("US dollars that a new card is charged at once; 0.00 when nothing is due"),
    isConfirming: z.boolean().describe("A payment is being confirmed; nothing else can be paid until it is"),
    isHeldByAdministrator: z.boolean().describe("The hold ends when an administrator lifts it, and by no card"),
    card: CardMarks.nullable().describe("The card that renewals are charged to"),
    mayCancel: z.boolean(),
    mayResume: z.boolean(),
    mayChangeCard: z.boolean(),
  })
  .meta({ id: "OwnSubscription" });
export type OwnSubscription = z.infer<typeof OwnSubscription>;

export const SubscriptionOverview = z
  .object({
    access: z.object({
      tier: Tier.nullable().describe("What the ledger gives now, also while the account is blocked"),
      until: z.iso.datetime().nullable().describe("Null: it never ends, or there is none"),
      source: z.string().nullable().describe("purchase, renewal, grace, administrator"),
      since: z.iso.datetime().nullable().describe("When the grant that gives it began"),
    }),
    accountStatus: AccountStatus,
    suspensionReason: z.string().nullable(),
    chargesStopped: z.string().nullable().describe("Why nothing is charged now; null: nothing stops charges"),
    subscription: OwnSubscription.nullable().describe("Null when nothing renews"),
  })
  .meta({ id: "SubscriptionOverview" });
export type SubscriptionOverview = z.infer<typeof SubscriptionOverview>;

export const getOwnSubscription = endpoint({
  method: "GET",
  path: "/api/user/subscription",
  summary: "What the signed-in student may use, until when and why, and the subscription that renews it",
  reply: SubscriptionOverview,
});

export const cancelOwnSubscription = endpoint({
  method: "POST",
  path: "/api/user/subscription/cancel",
  summary: "Stops the renewal; access stays until the end of the paid period",
  body: z.strictObject({}),
  reply: SubscriptionOverview,
});

export const resumeOwnSubscription = endpoint({
  method: "POST",
  path: "/api/user/subscription/resume",
  summary: "Takes a cancellation back before the paid period ends",
  body: z.strictObject({}),
  reply: SubscriptionOverview,
});

const newCard = {
  opaqueDataDescriptor: z.string().min(1).max(128),
  opaqueDataValue: z.string().min(1).max(8192),
  customerName: z.string().trim().min(1).max(101),
  zip: z.string().trim().max(10).optional(),
};

export const CardChange = z
  .object({
    success: z.boolean(),
    status: z.enum(["changed", "pending"]).describe("pending: what is due was charged and is being confirmed"),
    charged: z.string().nullable().describe("US dollars, when something was due"),
    message: z.string(),
  })
  .meta({ id: "CardChange" });
export type CardChange = z.infer<typeof CardChange>;

export const changeCard = endpoint({
  method: "POST",
  path: "/api/user/payment-method",
  summary:
    "Renews from another card; what is due is charged to it at once, and a hold for that payment is lifted. 202: being confirmed",
  body: z.strictObject(newCard),
  reply: CardChange,
  otherReplies: { 202: CardChange },
});

const linkToken = z.string().min(20).max(100);

export const CardLink = z
  .object({
    planName: z.string(),
    firstName: z.string().nullable(),
    state: OwnSubscriptionState,
    price: z.string().describe("US dollars for the next 30 days"),
    later: LaterPrice.nullable().describe("Null: each 30 days cost `price`"),
    amountDue: z.string().describe("US dollars"),
    paidUntil: z.iso.datetime(),
    accessUntil: z.iso.datetime().nullable(),
    isConfirming: z.boolean().describe("As of a subscription"),
    card: CardMarks.nullable(),
    expiresAt: z.iso.datetime().describe("When the link stops to work"),
  })
  .meta({ id: "CardLink" });
export type CardLink = z.infer<typeof CardLink>;

export const readCardLink = endpoint({
  method: "POST",
  path: "/api/payment-method/link",
  summary: "What the link of an email is for: what is owed and what is kept. It opens nothing else",
  body: z.strictObject({ token: linkToken }),
  reply: CardLink,
});

export const changeCardByLink = endpoint({
  method: "POST",
  path: "/api/payment-method/link/card",
  summary: "The same as a signed-in student's new card, by the link of an email; it works once",
  body: z.strictObject({ token: linkToken, ...newCard }),
  reply: CardChange,
  otherReplies: { 202: CardChange },
});
