import { randomInt } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { asc, eq, sql } from "drizzle-orm";
import type { CouponTerms, NewCodes } from "#contract/admin/coupons.ts";
import { dollarsOf, formatCents } from "#contract/money.ts";
import { audited, differences, recordAudit } from "#server/audit/audit.ts";
import { invalidFields, notFound, Refusal } from "#server/base/refusal.ts";
import { requireVersion, versionOf } from "#server/base/version.ts";
import { describeSale } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import { type Db, isUniqueViolation } from "#server/db/db.ts";
import { emailAdministrators } from "#server/identity/administrator-emails.ts";
import type { User } from "#server/identity/users.ts";
import { type CouponRow, coupons, couponUses } from "./tables.ts";

export type { CouponRow } from "./tables.ts";

type Plans = Awaited<ReturnType<typeof describeSale>>["plans"];
type CouponFields = Pick<
  CouponRow,
  "kind" | "percent" | "off" | "plans" | "startsAt" | "endsAt" | "maxUses" | "firstPurchaseOnly" | "renewals"
>;

/** @throws Refusal invalid-input at the field. */
export async function addCoupon(ctx: Context, actor: User, typed: string, terms: CouponTerms): Promise<void> {
  const code = typed.toUpperCase();
  const fields = fieldsOf(terms);
  // Before the transaction: it would hold a connection while it waits for another one.
  const { plans: onSale } = await describeSale(ctx);
  await audited(ctx, { actor, action: "create coupon", subject: code }, async (tx, now) => {
    const [row] = await tx
      .insert(coupons)
      .values({ code, ...fields, isActive: true, createdAt: now })
      .returning()
      .catch((error) => {
        throw isUniqueViolation(error, "coupons_pkey") ? refusedField("code", "This code already exists") : error;
      });
    if (!row) throw new Error("an insert returned no row");
    await reportLarge(tx, row, { onSale, now });
    return { before: {}, after: termsOf(row) };
  });
}

/**
 * Makes coupons that can be used once each, or finds those that were made with this id.
 * @returns the codes
 * @throws Refusal invalid-input at the field; conflict when those that were made are others
 */
export async function addCodes(
  ctx: Context,
  actor: User,
  batchId: string,
  { prefix, count, ...terms }: NewCodes,
): Promise<string[]> {
  const fields = fieldsOf({ ...terms, maxUses: 1 });
  const { plans: onSale } = await describeSale(ctx);
  return ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`coupon codes ${batchId}`}, 0))`);
    const known = await tx.select().from(coupons).where(eq(coupons.batchId, batchId)).orderBy(asc(coupons.code));
    if (known.length > 0) {
      const isAsked = (row: CouponRow) =>
        row.code.startsWith(prefix.toUpperCase()) && isDeepStrictEqual(termsOf(row), termsOf({ ...row, ...fields }));
      if (known.length === count && known.every(isAsked)) return known.map(({ code }) => code);
      throw new Refusal(
        "conflict",
        `${known.length} codes were already created with other terms. See the list of coupons.`,
      );
    }
    const now = ctx.clock.now();
    const codes = Array.from({ length: count }, () => prefix.toUpperCase() + randomCode()).sort();
    const rows = await tx
      .insert(coupons)
      .values(codes.map((code) => ({ code, ...fields, isActive: true, batchId, createdAt: now })))
      .returning();
    const [first] = rows;
    if (!first) throw new Error("an insert returned no row");
    await reportLarge(tx, first, { onSale, codes: count, now });
    const entry = { actor: actor.id, action: "create single-use codes", subject: first.code };
    await recordAudit(tx, { ...entry, before: {}, after: { ...termsOf(first), codes } }, now);
    return codes;
  });
}

/** Without letters and digits that look alike. */
const codeCharacters = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

/** Nobody can guess one of these, or meet one by chance: 31 to the power of 10. */
function randomCode(): string {
  return Array.from({ length: 10 }, () => codeCharacters[randomInt(codeCharacters.length)]).join("");
}

/**
 * Changes a coupon.
 * @throws Refusal not-found; conflict for an older version; invalid-input at the field, also for terms that a used
 * coupon must keep
 */
export async function changeCoupon(
  ctx: Context,
  actor: User,
  { code: typed, version }: { readonly code: string; readonly version?: string | undefined },
  terms: CouponTerms,
): Promise<void> {
  const code = typed.toUpperCase();
  const fields = fieldsOf(terms);
  // Before the transaction: it would hold a connection while it waits for another one.
  const { plans: onSale } = await describeSale(ctx);
  await audited(ctx, { actor, action: "change coupon", subject: code }, async (tx, now) => {
    const before = await lockCoupon(tx, code);
    requireVersion(version, couponVersionOf(before));
    if ((await tx.$count(couponUses, eq(couponUses.couponCode, code))) > 0) requireKept(before, fields);
    if (fields.maxUses !== null && fields.maxUses < before.uses) {
      throw refusedField("maxUses", `Enter at least ${before.uses}. That many have been used or reserved`);
    }
    await tx.update(coupons).set(fields).where(eq(coupons.code, code));
    const after = { ...before, ...fields };
    await reportLarge(tx, after, { onSale, now });
    return differences({ ...termsOf(before) }, { ...termsOf(after) });
  });
}

/** Emails the owners once about each discount of more than half a price. */
async function reportLarge(
  tx: Db,
  { code, percent, off, plans, renewals }: CouponRow,
  { onSale, codes = 1, now }: { readonly onSale: Plans; readonly codes?: number; readonly now: Date },
): Promise<void> {
  const prices = onSale.filter(({ tier }) => plans.includes(tier));
  const isLarge = percent === null ? prices.some(({ price }) => (off ?? 0) > price * 50) : percent > 50;
  if (!isLarge) return;
  const discount = percent === null ? formatCents(off ?? 0) : `${percent}%`;
  const occasion = `${code} ${discount} ${renewals}`;
  await emailAdministrators(tx, { kind: "large-coupon", facts: { code, discount, codes, renewals }, occasion }, now);
}

export function termsOf({
  kind,
  percent,
  off,
  plans,
  startsAt,
  endsAt,
  maxUses,
  firstPurchaseOnly,
  renewals,
}: CouponRow): CouponTerms {
  return {
    kind,
    value: kind === "percent" ? (percent ?? 0) : dollarsOf(off ?? 0),
    plans,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    maxUses,
    firstPurchaseOnly,
    renewals,
  };
}

/** @throws Refusal invalid-input. */
function fieldsOf({ kind, value, plans, startsAt, endsAt, ...rest }: CouponTerms): CouponFields {
  const isPercent = kind === "percent";
  if (isPercent && (!Number.isInteger(value) || value > 90))
    throw refusedField("value", "Enter a whole number from 1 to 90");
  const cents = Math.round(value * 100);
  if (!isPercent && (cents < 1 || cents / 100 !== value))
    throw refusedField("value", "Enter an amount such as 49 or 49.50");
  return {
    ...rest,
    kind,
    percent: isPercent ? value : null,
    off: isPercent ? null : cents,
    plans: [...new Set(plans)],
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
  };
}

/** Of its terms; not of whether it was ended. */
export function couponVersionOf(coupon: CouponRow): string {
  const { kind, percent, off, plans, startsAt, endsAt, maxUses, firstPurchaseOnly, renewals } = coupon;
  return versionOf({ kind, percent, off, plans, startsAt, endsAt, maxUses, firstPurchaseOnly, renewals });
}

/** Ends or resumes a coupon. @throws Refusal not-found; conflict when it is in that state already */
export async function setCouponActive(ctx: Context, actor: User, typed: string, isActive: boolean): Promise<void> {
  const code = typed.toUpperCase();
  const action = isActive ? "resume coupon" : "end coupon";
  await audited(ctx, { actor, action, subject: code }, async (tx) => {
    const { isActive: wasActive } = await lockCoupon(tx, code);
    if (wasActive === isActive) {
      throw new Refusal("conflict", isActive ? "This coupon hasn’t ended." : "This coupon has already ended.");
    }
    await tx.update(coupons).set({ isActive }).where(eq(coupons.code, code));
    return { before: { isActive: !isActive }, after: { isActive } };
  });
}

async function lockCoupon(tx: Db, code: string): Promise<CouponRow> {
  const [row] = await tx.select().from(coupons).where(eq(coupons.code, code)).for("update");
  if (!row) throw notFound("coupon");
  return row;
}

/** A used coupon keeps its terms, which its users and the books rely on. */
function requireKept(before: CouponRow, fields: CouponFields): void {
  const kept = {
    value: before.kind === fields.kind && before.percent === fields.percent && before.off === fields.off,
    plans: [...before.plans].sort().join() === [...fields.plans].sort().join(),
    startsAt: before.startsAt.getTime() === fields.startsAt.getTime(),
    firstPurchaseOnly: before.firstPurchaseOnly === fields.firstPurchaseOnly,
    renewals: before.renewals === fields.renewals,
  };
  const changed = Object.entries(kept).find(([, isKept]) => !isKept)?.[0];
  if (changed)
    throw refusedField(changed, "This coupon has been used, so you can’t change this. Create another coupon instead");
}

function refusedField(field: string, message: string): Refusal {
  return invalidFields({ [field]: [message] });
}
