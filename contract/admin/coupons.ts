import { z } from "zod";
import { asTyped } from "../as-typed.ts";
import { isInCalendar } from "../dates.ts";
import { endpoint } from "../endpoint.ts";
import { renews, Tier } from "../tiers.ts";
import { MadeFrom, Version } from "../version.ts";
import { Done, pageOf, paging, recordId } from "./admin.ts";

const CouponCode = z
  .string()
  .overwrite(asTyped)
  .trim()
  .regex(/^[A-Za-z0-9-]{4,24}$/, "Use 4 to 24 letters, digits and hyphens")
  .meta({ maxLength: 24 })
  .describe("Kept in capital letters, and typed in any case");

const CouponKind = z.enum(["percent", "fixed"]);

const instant = z.iso.datetime("Required").refine(isInCalendar, "Not a date of this calendar");

const terms = z.strictObject({
  kind: CouponKind.describe("percent of the price, or a fixed amount"),
  value: z.number().positive().max(99_999).describe("Percent from 1 to 90, or US dollars"),
  plans: z.array(Tier).min(1, "Select at least one plan").max(3),
  startsAt: instant,
  endsAt: instant,
  maxUses: z.int().min(1).max(1_000_000).nullable().describe("Null: as many as come"),
  firstPurchaseOnly: z.boolean(),
  renewals: z
    .int()
    .min(0)
    .max(11)
    .default(0)
    .describe("How many renewals keep the discount; 0: only the first payment has it"),
});
const endsLater = ({ startsAt, endsAt }: Pick<z.infer<typeof terms>, "startsAt" | "endsAt">) =>
  Date.parse(startsAt) < Date.parse(endsAt);
const afterTheStart = { error: "Enter a time after the start", path: ["endsAt"] };
const canDiscountRenewals = ({ renewals, plans }: Pick<z.infer<typeof terms>, "renewals" | "plans">) =>
  renewals === 0 || plans.some(renews);
const noneRenews = { error: "None of these plans renews. Select one that does, or enter 0", path: ["renewals"] };

/** A coupon's terms. They can be changed until it is used. */
export const CouponTerms = terms.refine(endsLater, afterTheStart).refine(canDiscountRenewals, noneRenews);
export type CouponTerms = z.infer<typeof CouponTerms>;

export const NewCoupon = terms
  .extend({ code: CouponCode })
  .refine(endsLater, afterTheStart)
  .refine(canDiscountRenewals, noneRenews);
export type NewCoupon = z.infer<typeof NewCoupon>;

export const mostCodes = 50;

export const NewCodes = terms
  .omit({ maxUses: true })
  .extend({
    prefix: z
      .string()
      .overwrite(asTyped)
      .trim()
      // Spreadsheets would take a code that begins with a hyphen for a formula.
      .regex(/^([A-Za-z0-9][A-Za-z0-9-]{0,11})?$/, "Use up to 12 letters, digits and hyphens, with no hyphen first")
      .meta({ maxLength: 12 })
      .describe("What each code begins with; may be empty"),
    count: z.int().min(1).max(mostCodes),
  })
  .refine(endsLater, afterTheStart)
  .refine(canDiscountRenewals, noneRenews);
export type NewCodes = z.infer<typeof NewCodes>;

export const CouponState = z.enum(["planned", "running", "used-up", "over", "ended"]);
export type CouponState = z.infer<typeof CouponState>;

export const Coupon = terms
  .extend({
    id: z.string().describe("The code"),
    code: z.string(),
    state: CouponState.describe("over: its dates have passed; ended: an administrator ended it"),
    isKept: z.boolean().describe("It was used once, so it keeps its meaning: only its end and its limit may change"),
    used: z.int().describe("Students who paid with it; a refund leaves it used"),
    reserved: z.int().describe("Payments under way"),
    discounted: z.number().describe("US dollars that it took off what was paid"),
    revenue: z.number().describe("US dollars charged for the purchases made with it, with their renewals"),
    refunded: z.number().describe("US dollars of it that went back"),
    createdAt: z.iso.datetime(),
    version: Version.describe("Changes with its terms"),
  })
  .meta({ id: "Coupon" });
export type Coupon = z.infer<typeof Coupon>;

const CouponSums = z.object({
  running: z.int().describe("Coupons in the state running"),
  used: Coupon.shape.used,
  revenue: Coupon.shape.revenue,
  discounted: Coupon.shape.discounted,
});
export type CouponSums = z.infer<typeof CouponSums>;

const params = z.object({ code: z.string().regex(/^[A-Za-z0-9-]{4,24}$/, "Not a code") });

export const listCoupons = endpoint({
  method: "GET",
  path: "/api/admin/coupons",
  summary: "The coupons, the newest first, a page of them, each with its uses, revenue and refunds",
  permission: "prices:write",
  query: z.strictObject(paging),
  reply: pageOf(Coupon).extend({ sums: CouponSums.describe("Of all coupons") }),
});

export const createCoupon = endpoint({
  method: "POST",
  path: "/api/admin/coupons/create",
  summary: "Makes a coupon. Its code never changes",
  permission: "prices:write",
  body: NewCoupon,
  reply: Done,
});

export const createCodes = endpoint({
  method: "PUT",
  path: "/api/admin/coupon-codes/{id}",
  summary: "Makes coupons that can be used once each. The caller chooses the id: repeated with it, it makes no more",
  permission: "prices:write",
  params: z.object({ id: recordId }),
  body: NewCodes,
  reply: z.object({ codes: z.array(z.string()) }),
});

export const changeCoupon = endpoint({
  method: "PUT",
  path: "/api/admin/coupons/{code}",
  summary: "Changes a coupon; once it was used, only its end and its limit. 409 when it was changed since it was read",
  permission: "prices:write",
  params,
  query: MadeFrom,
  body: CouponTerms,
  reply: Done,
});

export const endCoupon = endpoint({
  method: "POST",
  path: "/api/admin/coupons/{code}/end",
  summary: "Ends a coupon at once; payments under way keep it",
  permission: "prices:write",
  withoutFreshSignIn: "Ends a discount, and can be undone",
  params,
  body: z.strictObject({}),
  reply: Done,
});

export const resumeCoupon = endpoint({
  method: "POST",
  path: "/api/admin/coupons/{code}/resume",
  summary: "Takes the end of a coupon back; its dates and its limit still hold",
  permission: "prices:write",
  params,
  body: z.strictObject({}),
  reply: Done,
});
