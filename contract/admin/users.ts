import { z } from "zod";
import { AccountStatus } from "../access.ts";
import { Certificate } from "../certificates.ts";
import { endpoint } from "../endpoint.ts";
import { LessonProgress } from "../progress.ts";
import { Purchase } from "../purchases/purchases.ts";
import { StaffRole } from "../roles.ts";
import { Tier } from "../tiers.ts";
import { Count, Done, order, paging, reason, recordId, search } from "./admin.ts";
import { ContactState } from "./contacts.ts";
import { AttemptKind, AttemptState, RefundKind, RefundState } from "./payment-states.ts";
import { DiscrepancyKind } from "./reconciliation.ts";

/** What the caller may do with a user now. The page shows or hides by it; the server checks again at each call. */
export const UserRights = z
  .object({
    upgradeTo: Tier.nullable().describe("The next tier; null for vip and for anybody who has none"),
    downgradeTo: Tier.nullable().describe("The tier before; null for basic and for anybody who has none"),
    cancelSubscription: z.boolean().describe("On basic, with a subscription that renews"),
    hold: z.string().nullable().describe("The subscription that `holdAccount` names; null when nothing may be held"),
    suspend: z.boolean(),
    reactivate: z.boolean().describe("On hold or suspended, or the payment of the subscription is declined"),
    delete: z.boolean().describe("False for oneself and for addresses of ADMIN_EMAILS"),
    endSessions: z.boolean(),
  })
  .meta({ id: "UserRights" });
export type UserRights = z.infer<typeof UserRights>;

export const AdminUser = z
  .object({
    id: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    profileImageUrl: z.string().nullable(),
    phone: z.string().nullable(),
    location: z.string().nullable(),
    bio: z.string().nullable(),
    hasPurchasedCourse: z.boolean(),
    purchasedTier: Tier.nullable(),
    accountStatus: AccountStatus,
    suspensionReason: z.string().nullable(),
    role: StaffRole.nullable().describe("In the administration, whether or not it counts now"),
    isAdmin: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    lastAttempt: z
      .object({
        state: AttemptState,
        at: z.iso.datetime(),
      })
      .nullable()
      .describe("The last attempt to charge them; null: there was none"),
    waitsForPayment: z
      .boolean()
      .describe("Was reopened without a payment and is on hold again: only the student's payment opens it now"),
    may: UserRights,
  })
  .meta({ id: "AdminUser" });
export type AdminUser = z.infer<typeof AdminUser>;

/** Filters of users. Each word of `search` must occur in name or email address. */
export const UserFilter = z.strictObject({
  search,
  tier: z.enum(["none", ...Tier.options]).optional(),
  status: z.enum(["active", "on_hold", "suspended", "blocked"]).optional().describe("Blocked: on hold or suspended"),
  show: z
    .enum([
      "declined-today",
      "declined-this-month",
      "declined-last-month-to-date",
      "renewal-declined",
      "ends-soon",
      "former",
    ])
    .optional()
    .describe(
      "declined-…: a payment was declined in that period of the academy's time zone (last month: up to the same day); renewal-declined: the renewal is declined now; ends-soon: access ends within 30 days; former: had a plan and has none",
    ),
  progress: z
    .enum(["not-begun", "not-completed", "stopped-at"])
    .optional()
    .describe(
      "Whether they have begun or completed the lesson, or without one any lesson; stopped-at: came furthest to the lesson and did not complete it, which without a lesson finds nobody",
    ),
  lesson: recordId.optional().describe("Which lesson `progress` is about; ignored without it"),
});
export type UserFilter = z.infer<typeof UserFilter>;

export const UserListQuery = UserFilter.extend({
  sort: z.enum(["createdAt", "email", "name", "tier", "status"]).default("createdAt"),
  order: order.optional().describe("Without it newest first by date, ascending by everything else"),
  ...paging,
});
export type UserListQuery = z.infer<typeof UserListQuery>;

export const listUsers = endpoint({
  method: "GET",
  path: "/api/admin/users",
  summary: "The users, a page of them; deleted accounts are not among them",
  permission: "people:read",
  query: UserListQuery,
  reply: z.array(AdminUser),
});

export const countUsers = endpoint({
  method: "GET",
  path: "/api/admin/users/count",
  summary: "How many users the same filter finds",
  permission: "people:read",
  query: UserFilter,
  reply: Count,
});

export const UserDetail = z
  .object({
    user: AdminUser,
    paid: z
      .object({ chargedCents: z.int(), refundedCents: z.int() })
      .nullable()
      .describe("US cents in all, by every purchase; null for a token that may not see money"),
    card: z
      .object({
        brand: z.string().nullable(),
        last4: z.string(),
        state: z
          .enum(["renews", "declined", "replace", "not-kept"])
          .describe("Replace: it can never be charged again; not-kept: it paid last, and nothing renews with it"),
      })
      .nullable()
      .describe("Of the subscription or, without one, of the last payment"),
    lastSeenAt: z.iso.datetime().nullable().describe("To the hour; null: never signed in"),
    access: z.object({
      tier: Tier.nullable().describe("What the ledger gives now, also while the account is blocked"),
      until: z.iso.datetime().nullable().describe("Null: it never ends, or there is none"),
      source: z.string().nullable().describe("purchase, renewal, grace, administrator"),
      since: z.iso.datetime().nullable(),
    }),
    grants: z
      .array(
        z.object({
          id: z.string(),
          tier: Tier,
          source: z.string(),
          purchaseId: z.string().nullable(),
          startsAt: z.iso.datetime(),
          endsAt: z.iso.datetime().nullable().describe("By itself; null: never"),
          endedAt: z.iso.datetime().nullable().describe("When it was cut short"),
          isInForce: z.boolean(),
          reason: z.string().nullable(),
        }),
      )
      .describe("Why there is access: the whole ledger, newest first"),
    purchases: z.array(
      z.object({
        id: z.string(),
        tier: Tier,
        planName: z.string(),
        amount: z.string().describe("US dollars with two decimals"),
        status: z.string(),
        subscriptionId: z.string().nullable(),
        isRecurring: z.boolean(),
        renewal: Purchase.shape.renewal,
        subscriptionStatus: z.string(),
        paymentDeclined: z.boolean(),
        nextBillingDate: z.iso.datetime().nullable(),
        createdAt: z.iso.datetime(),
      }),
    ),
    stoppedBy: z
      .array(z.object({ kind: DiscrepancyKind, title: z.string() }))
      .describe("Open discrepancies that stop charges or bookings until somebody decides, or they are gone"),
    attempts: z.array(
      z.object({
        id: z.string(),
        purchaseId: z.string(),
        kind: AttemptKind,
        amount: z.string(),
        state: AttemptState,
        transactionId: z.string().nullable(),
        sentAt: z.iso.datetime(),
        resolvedAt: z.iso.datetime().nullable(),
      }),
    ),
    refunds: z.array(
      z.object({
        id: z.string(),
        purchaseId: z.string(),
        kind: RefundKind,
        amount: z.string(),
        state: RefundState,
        reason: z.string().nullable(),
        sentAt: z.iso.datetime(),
        resolvedAt: z.iso.datetime().nullable(),
      }),
    ),
    progress: z.object({
      lessonsCompleted: z.int(),
      lessonsStarted: z.int(),
      lessonsElsewhere: z.int().describe("Completed in another program; counted nowhere else"),
      lessonsTotal: z.int().describe("Lessons of the catalogue that can be watched"),
      watchSeconds: z.number(),
      lastActiveAt: z.iso.datetime().nullable(),
      lessons: z
        .array(LessonProgress.extend({ title: z.string() }))
        .describe("Those begun, in the order of the course"),
    }),
    certificate: Certificate.nullable(),
    downloads: z
      .array(
        z.object({
          resourceId: z.string(),
          title: z.string(),
          downloadedAt: z.iso.datetime(),
        }),
      )
      .describe("The last 50, newest first"),
    emails: z
      .array(z.object({ id: z.string(), kind: z.string(), subject: z.string(), sentAt: z.iso.datetime() }))
      .describe("The last 50 emails to this person, newest first"),
    contacts: z
      .array(z.object({ id: z.string(), message: z.string(), state: ContactState, createdAt: z.iso.datetime() }))
      .describe("Messages of the contact form from this person's verified address"),
    sessions: z.int().describe("How many browsers are signed in"),
    signIns: z.array(z.object({ issuer: z.string(), lastSignInAt: z.iso.datetime() })),
  })
  .meta({ id: "UserDetail" });
export type UserDetail = z.infer<typeof UserDetail>;

export const getUserDetail = endpoint({
  method: "GET",
  path: "/api/admin/users/{userId}",
  summary: "Everything about one user. What administrators did to them is the audit list with this id as its subject",
  permission: "people:read",
  params: z.object({ userId: recordId }),
  reply: UserDetail,
});

export const TierChange = z.strictObject({
  userId: recordId,
  newTier: Tier,
  endsAt: z.iso
    .datetime()
    .nullable()
    .optional()
    .describe("In the future, null: never; without it the tier lasts as long as its plan, from now"),
  reason,
});

export const updateUserTier = endpoint({
  method: "POST",
  path: "/api/admin/update-user-tier",
  summary:
    "Puts a user on a tier for as long as its plan lasts, or until `endsAt`; a subscription that is not needed beside it renews no more",
  permission: "access:give",
  body: TierChange,
  reply: Done,
});

export const cancelUserSubscription = endpoint({
  method: "POST",
  path: "/api/admin/cancel-user-subscription",
  summary: "Stops the renewal of a user's subscription, whichever it is; access stays until the paid period ends",
  permission: "renewals:stop",
  body: z.strictObject({ userId: recordId, reason }),
  reply: Done,
});

export const Suspension = z.strictObject({
  userId: recordId,
  reason: z.string().trim().min(1, "Required").max(500, "Use 500 characters or fewer"),
});

export const suspendAccount = endpoint({
  method: "POST",
  path: "/api/admin/suspend-account",
  summary: "Closes the course to a user, who is shown the reason",
  permission: "people:hold",
  body: Suspension,
  reply: Done,
});

export const reactivateAccount = endpoint({
  method: "POST",
  path: "/api/admin/reactivate-account",
  summary:
    "Opens a held, suspended or declined account again; nothing is charged by it. An unpaid one opens for three days, once before the next payment",
  permission: "people:hold",
  body: z.strictObject({ userId: recordId, reason }),
  reply: Done,
});

export const endUserSessions = endpoint({
  method: "POST",
  path: "/api/admin/end-user-sessions",
  summary: "Signs a user out everywhere, at once",
  permission: "people:hold",
  body: z.strictObject({ userId: recordId, reason }),
  reply: Done,
});

export const seeAsStudent = endpoint({
  method: "POST",
  path: "/api/admin/see-as-student",
  summary:
    "Shows the caller's browser the academy as a student sees it, for 15 minutes: it can change nothing, and what only the student may read stays closed",
  permission: "people:see-as",
  body: z.strictObject({ userId: recordId, reason }),
  reply: Done,
});

export const deleteUserAccount = endpoint({
  method: "POST",
  path: "/api/admin/delete-user-account",
  summary: "Stops what renews and erases the person; their purchases stay in the books without a name",
  permission: "people:delete",
  body: z.strictObject({ userId: recordId, reason }),
  reply: Done,
});
