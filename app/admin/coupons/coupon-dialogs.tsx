import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import type { FormOf } from "#app/editing/use-form-of.ts";
import { faultOf } from "#app/editing/written.ts";
import { type Coupon, changeCoupon, createCoupon, endCoupon, NewCoupon } from "#contract/admin/coupons.ts";
import { tiers } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { Checkbox } from "#ui/controls/field.tsx";
import { useActForm } from "../act-form.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { FormDialog } from "../form-dialog.tsx";
import { usesWords } from "./coupon-words.ts";

const blank: NewCoupon = {
  code: "",
  kind: "percent",
  value: null as never,
  plans: [...tiers],
  startsAt: "",
  endsAt: "",
  maxUses: null,
  firstPurchaseOnly: false,
};

/** Creates a coupon if `coupon` is null, else changes it. Of a used coupon, only the end and the limit can change. */
export function CouponDialog({ coupon, onClose }: { coupon: Coupon | null; onClose: () => void }) {
  const isKept = coupon?.isKept ?? false;
  const saved = coupon ? termsOf(coupon) : blank;
  // The coupon may have been used since the input was typed.
  const allowed = <Body extends NewCoupon>(body: Body) => {
    const { endsAt, maxUses } = body;
    return isKept ? { ...body, ...saved, endsAt, maxUses } : body;
  };
  const typed = useActForm(NewCoupon, {
    kept: `coupon-${coupon?.code ?? "new"}`,
    saved: { ...saved, version: coupon?.version },
    settle: allowed,
    send({ code, ...terms }, version) {
      return coupon
        ? api(changeCoupon, { params: { code }, query: { version }, body: terms })
        : api(createCoupon, { body: { code, ...terms } });
    },
    words: { done: coupon ? "Coupon saved" : "Coupon created", failed: "Failed to save the coupon" },
    onDone: onClose,
  });
  const form = { ...typed, value: allowed(typed.value) };
  return (
    <FormDialog
      form={form}
      title={coupon ? `Change ${coupon.code}` : "New coupon"}
      description={
        isKept
          ? "This coupon has been used, so you can change only its end date and limit."
          : `For ${planName("basic")}, the discount applies to the first 30 days. Renewals cost the full price.`
      }
      confirm={coupon ? "Save" : "Create coupon"}
      describe={inWords}
      onClose={onClose}
    >
      {!coupon && (
        <FormField
          form={form}
          name="code"
          label="Code"
          hint="4 to 24 letters, digits and hyphens. You can’t change it later."
          autoComplete="off"
          spellCheck={false}
          controlClass="uppercase"
        />
      )}
      <fieldset disabled={isKept} className="grid gap-5 sm:grid-cols-2 sm:items-end">
        <legend className="sr-only">Discount</legend>
        <FormField
          form={form}
          name="kind"
          label="Kind"
          options={[
            ["percent", "Percent off the price"],
            ["fixed", "Dollars off the price"],
          ]}
        />
        <FormField form={form} name="value" label="How much" hint="1 to 90 percent, or dollars." />
      </fieldset>
      <fieldset disabled={isKept} className="grid gap-2.5">
        <legend className="mb-2 font-bold text-sm">For</legend>
        <Plans form={form} />
        <FormField
          form={form}
          name="firstPurchaseOnly"
          label="First purchases only"
          className="mt-2 border-line border-t pt-3"
        />
      </fieldset>
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField form={form} name="startsAt" label="Begins, in your time" disabled={isKept} className="grid-cols-1" />
        <FormField form={form} name="endsAt" label="Ends, in your time" className="grid-cols-1" />
      </div>
      <FormField
        form={form}
        name="maxUses"
        label="Uses in all"
        hint="Leave empty for no limit. Each student can use it once."
      />
    </FormDialog>
  );
}

function Plans({ form }: { form: FormOf<NewCoupon> }) {
  const { plans } = form.value;
  return tiers.map((tier, at) => (
    <Checkbox
      key={tier}
      name="plans"
      label={planName(tier)}
      checked={plans.includes(tier)}
      onChange={({ target }) =>
        form.change({ plans: tiers.filter((one) => (one === tier ? target.checked : plans.includes(one))) })
      }
      error={at === tiers.length - 1 ? faultOf(form, "plans") : null}
    />
  ));
}

function termsOf({ code, kind, value, plans, startsAt, endsAt, maxUses, firstPurchaseOnly }: Coupon): NewCoupon {
  const inOrder = tiers.filter((tier) => plans.includes(tier));
  return { code, kind, value, plans: inOrder, startsAt, endsAt, maxUses, firstPurchaseOnly };
}

/** The fields under the form's labels. */
function inWords({ kind, value, plans, firstPurchaseOnly, startsAt, endsAt, maxUses }: NewCoupon) {
  return {
    "how much": kind === "percent" ? `${value}%` : `$${value}`,
    for: plans.map((tier) => planName(tier)),
    "first purchases only": firstPurchaseOnly,
    begins: startsAt,
    ends: endsAt,
    "uses in all": maxUses ?? "no limit",
  };
}

export function EndDialog({ coupon, onClose }: { coupon: Coupon; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`End ${coupon.code}?`}
      description={`Nobody can use it anymore, and totals that show it are calculated again. ${usesWords(coupon)}. Payments in progress keep it. You can resume it.`}
      confirm="End coupon"
      isDangerous
      act={() => api(endCoupon, { params: { code: coupon.code }, body: {} })}
      words={{ done: "Coupon ended", failed: "Failed to end the coupon" }}
      onClose={onClose}
    />
  );
}
