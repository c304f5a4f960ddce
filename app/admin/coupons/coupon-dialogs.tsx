import { useForm } from "#app/api/use-form.ts";
import { ChangedMeanwhile } from "#app/editing/changed-meanwhile.tsx";
import { useKeptDraft } from "#app/editing/kept-draft.ts";
import { KeptState } from "#app/editing/kept-state.tsx";
import type { Coupon } from "#contract/admin/coupons.ts";
import { tierLabels, tiers } from "#contract/tiers.ts";
import { Checkbox, Field, Input, Select } from "#ui/controls/field.tsx";
import { ActionDialog } from "../action-dialog.tsx";
import { useEndCoupon, useKeepCoupon } from "./coupon-actions.ts";
import { usesWords } from "./coupon-words.ts";
import { faultsOf, inWords, type Typed, termsOf, typedOf } from "./typed.ts";

/**
 * Creates a coupon if `coupon` is null, else changes it. Of a used coupon, only the end and the limit can change. This
 * browser keeps the input until it is saved or cancelled.
 */
export function CouponDialog({ coupon, onClose }: { coupon: Coupon | null; onClose: () => void }) {
  const isKept = coupon?.isKept ?? false;
  const saved = typedOf(coupon);
  const { value: typed, isChanged, change, discard } = useKeptDraft(`coupon-${coupon?.code ?? "new"}`, saved);
  // The coupon may have been used since the input was typed.
  const value: Typed = isKept
    ? { ...saved, endsAt: typed.endsAt, maxUses: typed.maxUses, version: typed.version }
    : typed;
  const keep = useKeepCoupon(coupon, close, (faults) => form.show(faults));
  const form = useForm({
    check: () => faultsOf(value),
    send: () => keep.mutateAsync({ code: value.code, version: value.version, terms: termsOf(value, coupon) }),
  });
  const set = (part: Partial<Typed>) => change({ ...value, ...part });
  function close(): void {
    discard();
    onClose();
  }
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
      onCancel={close}
    >
      <fieldset disabled={form.isSending} className="grid min-w-0 gap-5">
        {!coupon && (
          <Field
            name="code"
            label="Code"
            hint="4 to 24 letters, digits and hyphens. It never changes."
            error={form.faults.code}
          >
            <Input
              required
              autoComplete="off"
              spellCheck={false}
              maxLength={24}
              className="uppercase"
              value={value.code}
              onChange={({ target }) => set({ code: target.value })}
            />
          </Field>
        )}
        <fieldset disabled={isKept} className="grid gap-5 sm:grid-cols-2 sm:items-end">
          <legend className="sr-only">What it takes off</legend>
          <Field name="kind" label="Kind" error={form.faults.kind}>
            <Select
              value={value.kind}
              onChange={({ target }) => set({ kind: target.value === "fixed" ? "fixed" : "percent" })}
            >
              <option value="percent">Percent off the price</option>
              <option value="fixed">Dollars off the price</option>
            </Select>
          </Field>
          <Field name="value" label="How much" hint="1 to 90 percent, or dollars." error={form.faults.value}>
            <Input
              inputMode="decimal"
              required
              autoComplete="off"
              value={value.value}
              onChange={({ target }) => set({ value: target.value })}
            />
          </Field>
        </fieldset>
        <fieldset disabled={isKept} className="grid gap-2.5">
          <legend className="mb-2 font-bold text-sm">For</legend>
          {tiers.map((tier, at) => (
            <Checkbox
              key={tier}
              name="plans"
              label={tierLabels[tier]}
              checked={value.plans.includes(tier)}
              onChange={({ target }) =>
                set({ plans: tiers.filter((one) => (one === tier ? target.checked : value.plans.includes(one))) })
              }
              error={at === tiers.length - 1 ? form.faults.plans : null}
            />
          ))}
          <Checkbox
            name="firstPurchaseOnly"
            label="First purchases only"
            checked={value.firstPurchaseOnly}
            onChange={({ target }) => set({ firstPurchaseOnly: target.checked })}
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
              value={value.startsAt}
              onChange={({ target }) => set({ startsAt: target.value })}
            />
          </Field>
          <Field className="grid-cols-1" name="endsAt" label="Ends, in your time" error={form.faults.endsAt}>
            <Input
              type="datetime-local"
              required
              value={value.endsAt}
              onChange={({ target }) => set({ endsAt: target.value })}
            />
          </Field>
        </div>
        <Field
          name="maxUses"
          label="Uses in all"
          hint="Empty: as many as come. Each student can use it once."
          error={form.faults.maxUses}
        >
          <Input
            inputMode="numeric"
            autoComplete="off"
            value={value.maxUses}
            onChange={({ target }) => set({ maxUses: target.value })}
          />
        </Field>
        <ChangedMeanwhile
          written={value}
          saved={saved}
          onKeep={() => set({ version: saved.version })}
          onDiscard={discard}
          describe={inWords}
        />
        <KeptState isChanged={isChanged} />
      </fieldset>
    </ActionDialog>
  );
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
