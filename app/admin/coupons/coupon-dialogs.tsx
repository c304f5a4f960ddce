import { type Faults, type Typed, useForm } from "#app/api/use-form.ts";
import type { Coupon, CouponTerms } from "#contract/admin/coupons.ts";
import { type Tier, tierLabels, tiers } from "#contract/tiers.ts";
import { Checkbox, Field, Input, Select } from "#ui/controls/field.tsx";
import { fromLocal, toLocal } from "#ui/format/local-time.ts";
import { ActionDialog } from "../action-dialog.tsx";
import { useEndCoupon, useKeepCoupon } from "./coupon-actions.ts";
import { usesWords } from "./coupon-words.ts";

/** Without a coupon it makes one. Of one that was used, what it meant cannot be changed. */
export function CouponDialog({ coupon, onClose }: { coupon: Coupon | null; onClose: () => void }) {
  const isKept = coupon?.isKept ?? false;
  const keep = useKeepCoupon(coupon, onClose, (faults) => form.show(faults));
  const form = useForm({
    check: (typed, element) => faultsOf(typed, element),
    send: (typed, element) => keep.mutateAsync({ code: typed.code ?? "", terms: termsOf(typed, element, coupon) }),
  });
  return (
    <ActionDialog
      title={coupon ? `Change ${coupon.code}` : "New coupon"}
      description={
        isKept
          ? "It was used, so it keeps its meaning: its end and its limit can change. For anything else make another one."
          : "On Monthly Access it takes something off the first 30 days; every renewal costs the full price."
      }
      confirm={coupon ? "Save" : "Make coupon"}
      form={form}
      onClose={onClose}
    >
      {!coupon && (
        <Field
          name="code"
          label="Code"
          hint="4 to 24 letters, digits and hyphens. It never changes."
          error={form.faults.code}
        >
          <Input required autoComplete="off" spellCheck={false} maxLength={24} className="uppercase" />
        </Field>
      )}
      <fieldset disabled={isKept} className="grid gap-5 sm:grid-cols-2">
        <legend className="sr-only">What it takes off</legend>
        <Field name="kind" label="Kind" error={form.faults.kind}>
          <Select defaultValue={coupon?.kind ?? "percent"}>
            <option value="percent">Percent off the price</option>
            <option value="fixed">Dollars off the price</option>
          </Select>
        </Field>
        <Field name="value" label="How much" hint="1 to 90 percent, or dollars." error={form.faults.value}>
          <Input inputMode="decimal" required autoComplete="off" defaultValue={coupon?.value ?? ""} />
        </Field>
      </fieldset>
      <fieldset disabled={isKept} className="grid gap-2.5">
        <legend className="mb-2 font-bold text-sm">For</legend>
        {tiers.map((tier, at) => (
          <Checkbox
            key={tier}
            name="plans"
            value={tier}
            label={tierLabels[tier]}
            defaultChecked={coupon?.plans.includes(tier) ?? true}
            error={at === tiers.length - 1 ? form.faults.plans : null}
          />
        ))}
        <Checkbox
          name="firstPurchaseOnly"
          label="First purchases only"
          defaultChecked={coupon?.firstPurchaseOnly ?? false}
          error={form.faults.firstPurchaseOnly}
          className="mt-2 border-line border-t pt-3"
        />
      </fieldset>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field className="grid-cols-1" name="startsAt" label="Begins, in your time" error={form.faults.startsAt}>
          <Input
            type="datetime-local"
            required
            disabled={isKept}
            defaultValue={coupon ? toLocal(coupon.startsAt) : ""}
          />
        </Field>
        <Field className="grid-cols-1" name="endsAt" label="Ends, in your time" error={form.faults.endsAt}>
          <Input type="datetime-local" required defaultValue={coupon ? toLocal(coupon.endsAt) : ""} />
        </Field>
      </div>
      <Field
        name="maxUses"
        label="Uses in all"
        hint="Empty: as many as come. Each student can use it once."
        error={form.faults.maxUses}
      >
        <Input inputMode="numeric" autoComplete="off" defaultValue={coupon?.maxUses ?? ""} />
      </Field>
    </ActionDialog>
  );
}

function faultsOf(typed: Typed, form: HTMLFormElement): Faults {
  const faults: Faults = {};
  // What is disabled is not among what was typed.
  for (const name of ["code", "value", "startsAt", "endsAt"]) {
    if (name in typed && !typed[name]?.trim()) faults[name] = "Required";
  }
  if (!faults.value && typed.value !== undefined && !Number.isFinite(Number(typed.value))) faults.value = "A number";
  if (typed.maxUses && !Number.isInteger(Number(typed.maxUses))) faults.maxUses = "A whole number";
  if ("kind" in typed && plansIn(form).length === 0) faults.plans = "At least one plan";
  const [startsAt, endsAt] = [fromLocal(typed.startsAt ?? ""), fromLocal(typed.endsAt ?? "")];
  if (startsAt && endsAt && endsAt <= startsAt) faults.endsAt = "After the start";
  return faults;
}

function plansIn(form: HTMLFormElement): Tier[] {
  const ticked = new FormData(form).getAll("plans");
  return tiers.filter((tier) => ticked.includes(tier));
}

function termsOf(typed: Typed, form: HTMLFormElement, coupon: Coupon | null): CouponTerms {
  const later = { endsAt: fromLocal(typed.endsAt ?? "") ?? "", maxUses: typed.maxUses ? Number(typed.maxUses) : null };
  if (coupon?.isKept) {
    const { kind, value, plans, startsAt, firstPurchaseOnly } = coupon;
    return { kind, value, plans, startsAt, firstPurchaseOnly, ...later };
  }
  return {
    kind: typed.kind === "fixed" ? "fixed" : "percent",
    value: Number(typed.value),
    plans: plansIn(form),
    startsAt: fromLocal(typed.startsAt ?? "") ?? "",
    firstPurchaseOnly: typed.firstPurchaseOnly !== undefined,
    ...later,
  };
}

export function EndDialog({ coupon, onClose }: { coupon: Coupon; onClose: () => void }) {
  const end = useEndCoupon(coupon.code, onClose);
  const form = useForm({ send: () => end.mutateAsync(undefined) });
  return (
    <ActionDialog
      title={`End ${coupon.code}?`}
      description={`Nobody can use it from now on; totals that were shown with it are made anew. ${usesWords(coupon)}: payments under way keep it. You can resume it.`}
      confirm="End coupon"
      isDangerous
      form={form}
      onClose={onClose}
    />
  );
}
