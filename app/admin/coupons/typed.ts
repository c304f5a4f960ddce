import type { Faults } from "#app/api/use-form.ts";
import type { Coupon, CouponTerms } from "#contract/admin/coupons.ts";
import { tierLabels, tiers } from "#contract/tiers.ts";
import { fromLocal, toLocal } from "#ui/format/local-time.ts";

/** A coupon as the fields of its form. */
export interface Typed extends Pick<CouponTerms, "kind" | "plans" | "firstPurchaseOnly"> {
  code: string;
  value: string;
  startsAt: string;
  endsAt: string;
  maxUses: string;
  /** The version of the terms that the input is based on. */
  version?: string | undefined;
}

export function typedOf(coupon: Coupon | null): Typed {
  return {
    code: coupon?.code ?? "",
    kind: coupon?.kind ?? "percent",
    value: String(coupon?.value ?? ""),
    plans: tiers.filter((tier) => coupon?.plans.includes(tier) ?? true),
    firstPurchaseOnly: coupon?.firstPurchaseOnly ?? false,
    startsAt: coupon ? toLocal(coupon.startsAt) : "",
    endsAt: coupon ? toLocal(coupon.endsAt) : "",
    maxUses: String(coupon?.maxUses ?? ""),
    version: coupon?.version,
  };
}

export function faultsOf({ code, value, plans, startsAt, endsAt, maxUses }: Typed): Faults {
  const faults: Faults = {};
  for (const [name, typed] of Object.entries({ code, value, startsAt, endsAt })) {
    if (!typed.trim()) faults[name] = "Required";
  }
  if (!faults.value && !Number.isFinite(Number(value))) faults.value = "A number";
  if (maxUses && !Number.isInteger(Number(maxUses))) faults.maxUses = "A whole number";
  if (plans.length === 0) faults.plans = "At least one plan";
  const [start, end] = [fromLocal(startsAt), fromLocal(endsAt)];
  if (start && end && end <= start) faults.endsAt = "After the start";
  return faults;
}

/** A used coupon keeps its exact terms. Its fields would lose the seconds of its start, because they hold minutes. */
export function termsOf({ kind, value, plans, startsAt, firstPurchaseOnly, ...typed }: Typed, coupon: Coupon | null) {
  const later = { endsAt: fromLocal(typed.endsAt) ?? "", maxUses: typed.maxUses ? Number(typed.maxUses) : null };
  const kept = coupon?.isKept ? coupon : null;
  return {
    kind: kept?.kind ?? kind,
    value: kept?.value ?? Number(value),
    plans: kept?.plans ?? plans,
    startsAt: kept?.startsAt ?? fromLocal(startsAt) ?? "",
    firstPurchaseOnly: kept?.firstPurchaseOnly ?? firstPurchaseOnly,
    ...later,
  } satisfies CouponTerms;
}

/** The fields under the form's labels. */
export function inWords({ kind, value, plans, firstPurchaseOnly, startsAt, endsAt, maxUses }: Omit<Typed, "version">) {
  return {
    "how much": kind === "percent" ? `${value}%` : `$${value}`,
    for: plans.map((tier) => tierLabels[tier]),
    "first purchases only": firstPurchaseOnly,
    begins: fromLocal(startsAt),
    ends: fromLocal(endsAt),
    "uses in all": maxUses || "as many as come",
  };
}
