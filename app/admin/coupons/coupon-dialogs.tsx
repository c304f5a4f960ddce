import { useState } from "react";
import { api, saveBody } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import type { FormOf } from "#app/editing/use-form-of.ts";
import { faultOf } from "#app/editing/written.ts";
import {
  type Coupon,
  changeCoupon,
  createCodes,
  createCoupon,
  endCoupon,
  mostCodes,
  NewCodes,
  NewCoupon,
} from "#contract/admin/coupons.ts";
import { tiers } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { Checkbox } from "#ui/controls/field.tsx";
import { randomId } from "#ui/random-id.ts";
import { useActForm } from "../act-form.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { FormDialog } from "../form-dialog.tsx";
import { kindOptions, linkOf, usesWords } from "./coupon-words.ts";

const noTerms: Terms = {
  kind: "percent",
  value: null as never,
  plans: [...tiers],
  startsAt: "",
  endsAt: "",
  firstPurchaseOnly: false,
  renewals: 0,
};
const blank: NewCoupon = { ...noTerms, code: "", maxUses: null };

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
          : "The discount applies to the first payment, and to as many renewals as you choose."
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
          hint="Use 4 to 24 letters, digits and hyphens. You can’t change it later."
          autoComplete="off"
          spellCheck={false}
          controlClass="uppercase"
        />
      )}
      <TermsFields form={form as unknown as FormOf<Terms>} isKept={isKept} />
      <FormField
        form={form}
        name="maxUses"
        label="Total uses"
        hint="Leave empty for no limit. Each student can use it once."
      />
    </FormDialog>
  );
}

const blankCodes: NewCodes = { ...noTerms, prefix: "", count: 50 };

/** Creates codes that can be used once each, and saves them as a file. */
export function CodesDialog({ onClose }: { onClose: () => void }) {
  // Sent again after a failure, the server makes no more.
  const [id] = useState(randomId);
  const form = useActForm(NewCodes, {
    kept: "coupon-codes",
    saved: blankCodes,
    send: async (body) => saveCodes((await api(createCodes, { params: { id }, body })).codes),
    words: { done: "Codes created", failed: "We couldn’t create the codes" },
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="New single-use codes"
      description="Each code works for one student. You’ll get a CSV file with the codes and their links."
      confirm="Create codes"
      onClose={onClose}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <FormField form={form} name="count" label="Number of codes" hint={`Up to ${mostCodes} at a time.`} />
        <FormField
          form={form}
          name="prefix"
          label="Prefix (optional)"
          hint="Leave empty for random codes."
          autoComplete="off"
          spellCheck={false}
          controlClass="uppercase"
        />
      </div>
      <TermsFields form={form as unknown as FormOf<Terms>} />
    </FormDialog>
  );
}

/** Codes and links have no character that CSV would quote. */
function saveCodes(codes: readonly string[]): Promise<void> {
  const rows = codes.map((code) => `${code},${linkOf(code)}`);
  const headers = { "content-type": "text/csv; charset=utf-8", "content-disposition": 'filename="coupon-codes.csv"' };
  return saveBody(new Response(`${["code,link", ...rows].join("\r\n")}\r\n`, { headers }));
}

type Terms = Omit<NewCoupon, "code" | "maxUses">;

function TermsFields({ form, isKept = false }: { form: FormOf<Terms>; isKept?: boolean }) {
  return (
    <>
      <fieldset disabled={isKept} className="grid gap-5 sm:grid-cols-2">
        <legend className="sr-only">Discount</legend>
        <FormField form={form} name="kind" label="Type" options={kindOptions} />
        <FormField
          form={form}
          name="value"
          label={form.value.kind === "percent" ? "Amount in percent, 1 to 90" : "Amount in US dollars"}
        />
        <FormField
          form={form}
          name="renewals"
          label="Discounted renewals"
          hint={`Up to 11 for ${planName("basic")}. With 0, renewals cost the full price.`}
          className="sm:col-span-2"
        />
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
        <FormField
          form={form}
          name="startsAt"
          label="Starts, in your time zone"
          disabled={isKept}
          className="grid-cols-1"
        />
        <FormField form={form} name="endsAt" label="Ends, in your time zone" className="grid-cols-1" />
      </div>
    </>
  );
}

function Plans({ form }: { form: FormOf<Terms> }) {
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

function termsOf(coupon: Coupon): NewCoupon {
  const { code, kind, value, plans, startsAt, endsAt, maxUses, firstPurchaseOnly, renewals } = coupon;
  const inOrder = tiers.filter((tier) => plans.includes(tier));
  return { code, kind, value, plans: inOrder, startsAt, endsAt, maxUses, firstPurchaseOnly, renewals };
}

/** The fields under the form's labels. */
function inWords(coupon: NewCoupon) {
  const { kind, value, plans, firstPurchaseOnly, startsAt, endsAt, maxUses, renewals } = coupon;
  return {
    amount: kind === "percent" ? `${value}%` : `$${value}`,
    "discounted renewals": renewals,
    for: plans.map((tier) => planName(tier)),
    "first purchases only": firstPurchaseOnly,
    starts: startsAt,
    ends: endsAt,
    "total uses": maxUses ?? "no limit",
  };
}

export function EndDialog({ coupon, onClose }: { coupon: Coupon; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={`End ${coupon.code}?`}
      description={`Nobody can use it anymore. ${usesWords(coupon)}. Payments in progress keep the discount. You can resume the coupon later.`}
      confirm="End coupon"
      isDangerous
      act={() => api(endCoupon, { params: { code: coupon.code }, body: {} })}
      words={{ done: "Coupon ended", failed: "Failed to end the coupon" }}
      onClose={onClose}
    />
  );
}
