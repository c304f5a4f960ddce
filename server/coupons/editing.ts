import { eq } from "drizzle-orm";
import { invalidFields, Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import { type Db, isUniqueViolation } from "#server/db/db.ts";
import { type CouponRow, coupons, couponUses } from "./tables.ts";

export type { CouponRow } from "./tables.ts";

export type CouponFields = Pick<
  CouponRow,
  "kind" | "percent" | "off" | "plans" | "startsAt" | "endsAt" | "maxUses" | "firstPurchaseOnly"
>;

/** @throws Refusal invalid-input at the field. */
export async function addCoupon(tx: Db, code: string, fields: CouponFields, now: Date): Promise<CouponRow> {
  const rows = await tx
    .insert(coupons)
    .values({ code, ...fields, isActive: true, createdAt: now })
    .returning()
    .catch((error) => {
      throw isUniqueViolation(error, "coupons_pkey") ? refusedField("code", "This code exists already") : error;
    });
  const [row] = rows;
  if (!row) throw new Error("an insert returned no row");
  return row;
}

/**
 * Changes a coupon.
 * @throws Refusal not-found; conflict for an older version; invalid-input at the field, also for terms that a used
 * coupon must keep
 */
export async function changeCoupon(
  tx: Db,
  { code, version }: { readonly code: string; readonly version?: string | undefined },
  fields: CouponFields,
): Promise<{ before: CouponRow; after: CouponRow }> {
  const before = await lockCoupon(tx, code);
  requireVersion(version, couponVersionOf(before));
  if ((await tx.$count(couponUses, eq(couponUses.couponCode, code))) > 0) requireKept(before, fields);
  if (fields.maxUses !== null && fields.maxUses < before.uses) {
    throw refusedField("maxUses", `${before.uses} are used or reserved already`);
  }
  const [after] = await tx.update(coupons).set(fields).where(eq(coupons.code, code)).returning();
  return { before, after: after ?? before };
}

/** Of its terms; not of whether it was ended. */
export function couponVersionOf(coupon: CouponRow): string {
  const { kind, percent, off, plans, startsAt, endsAt, maxUses, firstPurchaseOnly } = coupon;
  return versionOf({ kind, percent, off, plans, startsAt, endsAt, maxUses, firstPurchaseOnly });
}

/** Ends or resumes a coupon. @throws Refusal not-found; conflict when it is in that state already */
export async function setCouponActive(tx: Db, code: string, isActive: boolean): Promise<void> {
  const { isActive: wasActive } = await lockCoupon(tx, code);
  if (wasActive === isActive) {
    throw new Refusal("conflict", isActive ? "This coupon was not ended." : "This coupon was ended already.");
  }
  await tx.update(coupons).set({ isActive }).where(eq(coupons.code, code));
}

async function lockCoupon(tx: Db, code: string): Promise<CouponRow> {
  const [row] = await tx.select().from(coupons).where(eq(coupons.code, code)).for("update");
  if (!row) throw new Refusal("not-found", "There is no such coupon.");
  return row;
}

/** A used coupon keeps its terms, which its users and the books rely on. */
function requireKept(before: CouponRow, fields: CouponFields): void {
  const kept = {
    value: before.kind === fields.kind && before.percent === fields.percent && before.off === fields.off,
    plans: [...before.plans].sort().join() === [...fields.plans].sort().join(),
    startsAt: before.startsAt.getTime() === fields.startsAt.getTime(),
    firstPurchaseOnly: before.firstPurchaseOnly === fields.firstPurchaseOnly,
  };
  const changed = Object.entries(kept).find(([, isKept]) => !isKept)?.[0];
  if (changed) throw refusedField(changed, "This coupon was used, so this stays as it is. Make another coupon instead");
}

function refusedField(field: string, message: string): Refusal {
  return invalidFields({ [field]: [message] });
}
