import { z } from "zod";
import { AccountStatus } from "../access.ts";
import { dollars } from "../dollars.ts";
import { endpoint } from "../endpoint.ts";
import { Purchase } from "../purchases/purchases.ts";
import { Tier } from "../tiers.ts";
import { Count, Done, order, paging, reason, recordId, search } from "./admin.ts";
import { AttemptKind, AttemptState, RefundKind, RefundState } from "./payment-states.ts";
import { DiscrepancyKind } from "./reconciliation.ts";

/** What an administrator may do with a purchase now. The server checks again at each call. */
export const PurchaseRights = z
  .object({
    cancelSubscription: z.boolean().describe("Only while the subscription is active"),
    hold: z.boolean().describe("Only when recurring, active and not declined"),
    reactivate: z.boolean().describe("When the payment is declined, or the account is on hold or suspended"),
    refund: z.boolean().describe("While something of what was paid has not gone back"),
  })
  .meta({ id: "PurchaseRights" });
export type PurchaseRights = z.infer<typeof PurchaseRights>;

export const AdminPurchase = Purchase.extend({
  userName: z.string().describe("The email address where there is no name; `Deleted account` after a deletion"),
  userEmail: z.string().describe("Empty after a deletion"),
  accountStatus: AccountStatus,
  completedAt: z.iso.datetime().nullable(),
  refundedAmount: z.string().describe("US dollars that went back"),
  creditAmount: z.string().describe("US dollars of earlier payments that were taken off the price; never revenue"),
  receiptNumbers: z.array(z.string()).describe("Of its charges, the oldest first"),
  may: PurchaseRights,
}).meta({ id: "AdminPurchase" });
export type AdminPurchase = z.infer<typeof AdminPurchase>;

/** Filters of purchases. `search` is a transaction id, a receipt number, or words that each occur in the buyer's name or address. */
export const PurchaseFilter = z.strictObject({
  search,
  status: Purchase.shape.status.optional(),
  tier: Tier.optional(),
  subscription: z
    .enum(["active", "due", "cancelled", "on_hold", "declined", "unresolved"])
    .optional()
    .describe("Of those that renew; due: in the next 7 days; unresolved: declined, not yet paid, cancelled or on hold"),
  userId: recordId.optional(),
});

export const PurchaseListQuery = PurchaseFilter.extend({
  sort: z.enum(["createdAt", "amount"]).default("createdAt"),
  order: order.default("desc"),
  ...paging,
});
export type PurchaseListQuery = z.infer<typeof PurchaseListQuery>;

export const listAllPurchases = endpoint({
  method: "GET",
  path: "/api/admin/purchases",
  summary: "The purchases of everybody, a page of them",
  permission: "purchases:read",
  query: PurchaseListQuery,
  reply: z.array(AdminPurchase),
});

export const countPurchases = endpoint({
  method: "GET",
  path: "/api/admin/purchases/count",
  summary: "How many purchases the same filter finds",
  permission: "purchases:read",
  query: PurchaseFilter,
  reply: Count,
});

export const PurchaseDetail = z
  .object({
    purchase: AdminPurchase,
    paidUntil: z.iso.datetime().nullable(),
    declinedSince: z.iso.datetime().nullable(),
    reopenedUntil: z.iso
      .datetime()
      .nullable()
      .describe("Until when an administrator reopened the account without a payment, once before the next one"),
    consent: z
      .object({ version: z.string(), at: z.iso.datetime() })
      .nullable()
      .describe("The renewal text that the buyer agreed to"),
    attempts: z
      .array(
        z.object({
          id: z.string(),
          kind: AttemptKind,
          amount: z.string(),
          state: AttemptState,
          transactionId: z.string().nullable(),
          receiptNumber: z.string().nullable().describe("As the receipt shows it; null when nothing was charged"),
          invoiceNumber: z.string(),
          responseCode: z.string().nullable().describe("The gateway's answer, as its reports show it"),
          reasonCode: z.string().nullable(),
          avs: z.string().nullable().describe("What the card's bank said of the address"),
          cvv: z.string().nullable(),
          brand: z.string().nullable(),
          last4: z.string().nullable(),
          note: z.string().nullable(),
          sentAt: z.iso.datetime(),
          resolvedAt: z.iso.datetime().nullable(),
        }),
      )
      .describe("Newest first"),
    refunds: z.array(
      z.object({
        id: z.string(),
        attemptId: z.string(),
        kind: RefundKind,
        amount: z.string(),
        state: RefundState,
        endsAccess: z.boolean(),
        accessKeptUntil: z.iso
          .datetime()
          .nullable()
          .describe("The paid end until which the access was kept without a renewal"),
        transactionId: z.string().nullable(),
        actor: z.string().describe("The administrator's user id"),
        reason: z.string().nullable(),
        note: z.string().nullable(),
        sentAt: z.iso.datetime(),
        resolvedAt: z.iso.datetime().nullable(),
      }),
    ),
    discrepancies: z
      .array(
        z.object({
          id: z.string(),
          kind: DiscrepancyKind,
          title: z.string(),
          foundAt: z.iso.datetime(),
          resolvedAt: z.iso.datetime().nullable(),
        }),
      )
      .describe("Where the gateway's books differ about this purchase"),
  })
  .meta({ id: "PurchaseDetail" });
export type PurchaseDetail = z.infer<typeof PurchaseDetail>;

export const getPurchaseDetail = endpoint({
  method: "GET",
  path: "/api/admin/purchases/{purchaseId}",
  summary: "One purchase with every try at moving its money, and what the gateway said",
  permission: "purchases:read",
  params: z.object({ purchaseId: recordId }),
  reply: PurchaseDetail,
});

export const cancelSubscription = endpoint({
  method: "POST",
  path: "/api/admin/cancel-subscription",
  summary: "Stops the renewal of one subscription; access stays until the paid period ends",
  permission: "renewals:stop",
  body: z.strictObject({ subscriptionId: z.string().min(1).max(64), userId: recordId, reason }),
  reply: Done,
});

export const holdAccount = endpoint({
  method: "POST",
  path: "/api/admin/hold-account",
  summary: "Puts the account of a subscriber on hold: no course and no charge until it is reactivated",
  permission: "people:hold",
  body: z.strictObject({
    userId: recordId,
    subscriptionId: z.string().min(1).max(64),
    reason: reason.describe("The student is shown it"),
  }),
  reply: Done,
});

const amount = dollars(0.01);

export const RefundPreview = z
  .object({
    chargeId: z.string().describe("The charge that is paid back: the one that was named, else the newest"),
    transactionId: z.string().describe("The gateway's number of that charge"),
    charges: z
      .array(
        z.object({
          id: z.string(),
          kind: AttemptKind,
          paidAt: z.iso.datetime(),
          transactionId: z.string().nullable(),
          paid: z.string(),
          refunded: z.string(),
        }),
      )
      .describe("Every paid charge of the purchase, newest first"),
    paid: z.string().describe("US dollars of that charge"),
    refunded: z.string().describe("US dollars of it that went back already"),
    refundable: z.string().describe("US dollars of it that can go back"),
    amount: z.string().describe("US dollars that this refund would return"),
    kind: z
      .enum(["void", "refund"])
      .nullable()
      .describe("void: the charge has not settled and is taken back whole; null: the gateway cannot say now"),
    withinPolicy: z.boolean().describe("Within the refund window of the first purchase; otherwise a reason is needed"),
    policyUntil: z.iso.datetime().nullable(),
    isFromEarlierAccount: z.boolean().describe("The student's first purchase was made with another account"),
    sameCard: z
      .object({ card: z.string(), accounts: z.int() })
      .nullable()
      .describe("Other accounts that paid with a card of this brand and these digits: a hint, and no proof"),
    endsAccess: z
      .boolean()
      .describe(
        "The newest charge whole, unless access is kept, or when it is asked for: the access ends and nothing renews",
      ),
    mayEndAccess: z.boolean().describe("Whether it can be asked for: access that this refund would otherwise leave"),
    mayKeepAccessUntil: z.iso
      .datetime()
      .nullable()
      .describe("The end of the paid period, where this refund would end access that could be kept until then"),
    stopsRenewal: z.boolean().describe("The access stays, and what would renew it stops"),
    accessAfter: z.object({ tier: Tier.nullable(), until: z.iso.datetime().nullable() }),
    goesBackToo: z
      .array(z.object({ planName: z.string(), amount: z.string() }))
      .describe(
        "An upgrade within the refund window of the first purchase belongs to it: these payments go back with all of it",
      ),
    givesBack: z
      .array(z.object({ planName: z.string(), days: z.int() }))
      .describe(
        "Replaced by this upgrade: these days begin again, now or when what was paid of a higher plan ends, and nothing renews",
      ),
    credited: z.string().describe("US dollars of the charge that a later upgrade was credited with, and that stay"),
    sessionsHeld: z
      .array(z.object({ startsAt: z.iso.datetime(), coachName: z.string() }))
      .describe("1-on-1 coaching that the student had, newest first"),
  })
  .meta({ id: "RefundPreview" });
export type RefundPreview = z.infer<typeof RefundPreview>;

export const previewRefund = endpoint({
  method: "GET",
  path: "/api/admin/purchases/{purchaseId}/refund",
  summary: "What a refund would do to the money and to the access; it changes nothing",
  permission: "purchases:refund",
  params: z.object({ purchaseId: recordId }),
  query: z.strictObject({
    amount: z.coerce.number<number>().pipe(amount).optional().describe("US dollars; without it all that is left"),
    chargeId: recordId.optional().describe("One of the purchase's paid charges; without it the newest"),
    endAccess: z.enum(["true", "false"]).optional().describe("As in the refund"),
    keepAccessUntil: z.iso.datetime().optional().describe("As in the refund"),
  }),
  reply: RefundPreview,
});

export const RefundResult = Done.extend({
  refundId: z.string(),
  state: z
    .enum(["returned", "unknown", "held"])
    .describe("unknown: it is being confirmed with the gateway; held: the gateway reviews it first"),
  isPartial: z.boolean().describe("Something that should have gone back with it did not: the message says what"),
  amount: z.string().describe("US dollars"),
}).meta({ id: "RefundResult" });
export type RefundResult = z.infer<typeof RefundResult>;

export const PurchaseRefund = z.strictObject({
  purchaseId: recordId,
  chargeId: recordId.optional().describe("One of the purchase's paid charges; without it the newest"),
  amount: amount.optional().describe("US dollars; without it all that is left"),
  endAccess: z.boolean().optional().describe("Ends the access and the renewal for a part or an older charge too"),
  keepAccessUntil: z.iso
    .datetime()
    .optional()
    .describe(
      "For the newest charge whole: the access stays and nothing renews. Must be the preview's `mayKeepAccessUntil`",
    ),
  reason,
});

export const refundPurchase = endpoint({
  method: "POST",
  path: "/api/admin/refund-purchase",
  summary: "Pays a charge of a purchase back to the card it came from, whole or in part",
  permission: "purchases:refund",
  body: PurchaseRefund,
  reply: RefundResult,
});

export const DisputedCharge = z.strictObject({
  purchaseId: recordId,
  chargeId: recordId.optional().describe("One of the purchase's paid charges; without it the newest"),
  reason: z.string().trim().min(1, "Say how you know").max(500, "Use 500 characters or fewer"),
});

export const recordDispute = endpoint({
  method: "POST",
  path: "/api/admin/record-dispute",
  summary: "Records that a bank took a charge back: its money is gone, the access ends and nothing renews",
  permission: "purchases:refund",
  body: DisputedCharge,
  reply: Done,
});

export const getAnyReceiptPdf = endpoint({
  method: "GET",
  path: "/api/admin/receipts/{id}/pdf",
  summary: "The receipt of anybody's payment, or of a purchase's first one by the purchase's id, as a PDF file",
  permission: "purchases:read",
  params: z.object({ id: recordId }),
  reply: z.any().meta({ format: "binary" }),
});
