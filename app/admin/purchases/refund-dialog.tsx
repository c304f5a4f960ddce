import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ComponentProps, useDeferredValue } from "react";
import { api, messageOf } from "#app/api/api.ts";
import { queryOf, uncached } from "#app/api/query.ts";
import { FormField } from "#app/editing/form-field.tsx";
import {
  type AdminPurchase,
  PurchaseRefund,
  previewRefund,
  type RefundPreview,
  type RefundResult,
  refundPurchase,
} from "#contract/admin/purchases.ts";
import { formatDollars } from "#contract/money.ts";
import { planName } from "#ui/academy.ts";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import { useActForm } from "../act-form.ts";
import { Facts } from "../facts.tsx";
import { FormDialog } from "../form-dialog.tsx";
import { attemptKinds } from "./payment-words.tsx";

/** The purchase comes from the page. */
const Typed = PurchaseRefund.omit({ purchaseId: true });

/** Refunds money, after showing what that does to the money and to the access. */
export function RefundDialog({ purchase, onClose }: { purchase: AdminPurchase; onClose: () => void }) {
  const form = useActForm(Typed, {
    about: `refund ${purchase.id}`,
    saved: { chargeId: undefined, amount: undefined, endAccess: false, reason: undefined },
    send: (body) => api(refundPurchase, { body: { ...body, purchaseId: purchase.id } }),
    words: { done: doneWords, failed: "Failed to refund the purchase" },
    onDone: onClose,
  });
  const { chargeId, amount, endAccess, keepAccessUntil } = form.value;
  const isAmount = PurchaseRefund.shape.amount.safeParse(amount).success;
  const asked = useDeferredValue(isAmount ? amount : undefined);
  const preview = useQuery({
    ...queryOf(previewRefund, {
      params: { purchaseId: purchase.id },
      query: { amount: asked, chargeId, endAccess: endAccess ? "true" : undefined, keepAccessUntil },
    }),
    ...uncached,
    placeholderData: keepPreviousData,
  });
  const left = preview.data?.refundable;
  const isTooMuch = left !== undefined && Number(amount) > Number(left);
  const amountFault = !isAmount
    ? "Enter an amount such as 49 or 49.50."
    : isTooMuch && `Enter at most ${formatDollars(left)}.`;
  const paidEnd = preview.data?.mayKeepAccessUntil;
  const isKept = keepAccessUntil !== undefined && keepAccessUntil === paidEnd;
  // A renewal meanwhile moves the date: nothing is chosen then.
  const isChosen = isKept || keepAccessUntil === undefined;
  const charges = preview.data?.charges ?? [];
  const needsReason = preview.data?.withinPolicy === false;
  const returns = !amountFault && preview.data?.amount;
  return (
    <FormDialog
      form={form}
      title={`Refund ${purchase.userName}`}
      description={`${purchase.planName}. We return the money to the original card.`}
      confirm={returns ? `Refund ${formatDollars(allOf(preview.data, returns))}` : "Refund"}
      isDangerous
      isIncomplete={amountFault !== false || !preview.data || preview.isPlaceholderData || !isChosen}
      isReasonRequired={needsReason}
      reasonHint={needsReason ? "Required outside of the refund policy. Saved in the audit log." : undefined}
      onClose={onClose}
    >
      {charges.length > 1 && (
        <FormField
          form={{
            ...form,
            change: (changes) => form.change({ ...changes, endAccess: false, keepAccessUntil: undefined }),
          }}
          name="chargeId"
          label="Charge"
          options={charges.map((charge) => [charge.id, chargeWords(charge)])}
        />
      )}
      <FormField
        form={{
          ...form,
          faults: amountFault ? { ...form.faults, amount: amountFault } : form.faults,
          change: (changes) => form.change({ ...changes, keepAccessUntil: undefined }),
        }}
        name="amount"
        inputMode="decimal"
        label="Amount in US dollars"
        hint="Leave empty to refund all that is left of the charge."
        placeholder={preview.data?.refundable}
      />
      {paidEnd && (
        <fieldset className="grid gap-2">
          <legend className="mb-2 font-bold text-sm">Course access</legend>
          <Choice
            label={`Keep the course open until ${formatShortDay(paidEnd)}`}
            checked={isKept}
            onChange={() => form.change({ keepAccessUntil: paidEnd, endAccess: false })}
          />
          <Choice
            label="End it now"
            checked={keepAccessUntil === undefined}
            onChange={() => form.change({ keepAccessUntil: undefined })}
          />
        </fieldset>
      )}
      {!paidEnd && (preview.data?.mayEndAccess || endAccess) && (
        <FormField form={form} name="endAccess" label="End access and renewals too" />
      )}
      {preview.data ? (
        <Preview preview={preview.data} />
      ) : preview.isError ? (
        <p role="alert" className="rounded-sm bg-danger-soft px-4 py-3 text-danger text-sm">
          {messageOf(preview.error, "We couldn’t preview this refund. Try again in a moment.")}
        </p>
      ) : (
        <Skeleton className="h-36" />
      )}
    </FormDialog>
  );
}

function Choice({ label, ...rest }: ComponentProps<"input"> & { label: string }) {
  return (
    <label className="flex items-start gap-3 text-sm leading-normal">
      <input {...rest} type="radio" name="course-access" className="mt-0.5 size-5 shrink-0 accent-action" />
      {label}
    </label>
  );
}

/** In dollars, including what goes back with it. */
function allOf(preview: RefundPreview | undefined, amount: string): number {
  return (preview?.goesBackToo ?? []).reduce((sum, too) => sum + Number(too.amount), Number(amount));
}

function doneWords({ state, amount, message, isPartial }: RefundResult): string {
  if (isPartial) return message;
  const returned = formatDollars(amount);
  if (state === "held") return `The gateway is holding the refund of ${returned} for review. Decide about it there.`;
  return state === "returned" ? `${returned} refunded` : `The refund of ${returned} is being confirmed`;
}

function chargeWords({ kind, paidAt, paid, refunded }: RefundPreview["charges"][number]): string {
  const back = Number(refunded) > 0 ? `, ${formatDollars(refunded)} returned` : "";
  return `${attemptKinds[kind]} of ${formatShortDay(paidAt)}, ${formatDollars(paid)}${back}`;
}

const kindWords = {
  void: "Cancelled in full, because the charge hasn’t settled yet",
  refund: "Paid back, because the charge has settled",
} as const;

function Preview({ preview }: { preview: RefundPreview }) {
  return (
    <div aria-live="polite" className="rounded-sm bg-sunken px-4 py-1 [&_dd]:font-semibold">
      <Facts
        facts={[
          ["Charge", `${formatDollars(preview.paid)}, transaction ${preview.transactionId}`],
          ["Already refunded", formatDollars(preview.refunded)],
          ["This refund", formatDollars(preview.amount)],
          ["Method", preview.kind ? kindWords[preview.kind] : "Known once the gateway answers"],
          ["Policy", policyWords(preview)],
          ["Card", preview.sameCard && sameCardWords(preview.sameCard)],
          ["Also refunded", preview.goesBackToo.map(goesBackWords).join("\n")],
          [
            "Credited",
            Number(preview.credited) > 0 &&
              `${formatDollars(preview.credited)} of it went into a later upgrade, which stays`,
          ],
          ["Restored", preview.givesBack.map(givesBackWords).join("\n")],
          ["Access afterwards", accessWords(preview)],
          ["1-on-1 sessions held", heldWords(preview.sessionsHeld)],
        ]}
      />
    </div>
  );
}

function goesBackWords({ planName, amount }: RefundPreview["goesBackToo"][number]): string {
  return `${formatDollars(amount)} of ${planName}, because the student upgraded within its refund window`;
}

function givesBackWords({ planName, days }: RefundPreview["givesBack"][number]): string {
  return `${days} days of ${planName}, which won’t renew, once no higher plan is active`;
}

function heldWords(held: RefundPreview["sessionsHeld"]): string {
  if (held.length === 0) return "None";
  return held.map(({ startsAt, coachName }) => `${formatShortDay(startsAt)} with ${coachName}`).join("; ");
}

function policyWords({ withinPolicy, policyUntil: until, isFromEarlierAccount }: RefundPreview): string {
  if (isFromEarlierAccount) return "Outside of the policy: this person’s first purchase was made with another account";
  if (withinPolicy) return until ? `Within the policy, until ${formatShortDay(until)}` : "Within the policy";
  return until ? `Outside of the policy since ${formatShortDay(until)}` : "Outside of the policy";
}

function sameCardWords({ card, accounts }: NonNullable<RefundPreview["sameCard"]>): string {
  const others = accounts === 1 ? "1 other account" : `${accounts} other accounts`;
  return `${card}. ${others} paid with a card that looks the same. It may be a different one`;
}

function accessWords({ endsAccess, stopsRenewal, accessAfter: { tier, until } }: RefundPreview): string {
  const left = tier ? `${planName(tier)}${until ? ` until ${formatShortDay(until)}` : ""}` : "none";
  if (endsAccess) return tier ? `Ends. Afterwards: ${left}` : "Ends";
  return stopsRenewal ? `Stays: ${left}, but won’t renew` : `Stays: ${left}`;
}
