import type { ReactNode } from "react";
import { formatDollars, formatPrice } from "#contract/money.ts";
import type { CardLink } from "#contract/purchases/subscriptions.ts";
import { Barcode } from "#ui/brand/bars.tsx";
import { formatDay } from "#ui/format/dates.ts";
import { cardWords } from "../subscription-words.ts";

/** The part of a subscription that is shown to anybody who may change its card. */
export type Owed = Pick<
  CardLink,
  "planName" | "state" | "price" | "later" | "amountDue" | "accessUntil" | "isConfirming" | "card"
>;

/** What is due, the end of access, the plan, and the current card. */
export function OwedSummary({ owed }: { owed: Owed }) {
  const { planName, state, accessUntil, card } = owed;
  const amountDue = Number(owed.amountDue);
  return (
    <section aria-labelledby="owed-title" className="rounded-md border-2 border-edge bg-surface shadow-card">
      <div className="flex items-center justify-between gap-4 border-edge border-b-2 px-5 py-3">
        <h2 id="owed-title" className="font-bold">
          Your membership
        </h2>
        <Barcode value={planName} className="h-6 w-24" />
      </div>
      <div className="bg-tag px-5 py-5 text-tag-ink">
        {amountDue > 0 ? (
          <>
            <p className="narrow text-display leading-none">{formatPrice(amountDue)}</p>
            <p className="mt-2 font-semibold">
              {formatDollars(amountDue)} is due for {planName}
            </p>
          </>
        ) : (
          <>
            <p className="narrow text-title leading-none">Nothing is due</p>
            <p className="mt-2 font-semibold">{planName} is paid</p>
          </>
        )}
      </div>
      <dl className="grid">
        <Fact name="Course">
          {state === "on-hold"
            ? "Closed until you add a new card"
            : accessUntil
              ? `Open until ${formatDay(accessUntil)}`
              : state === "declined"
                ? "Closed until your payment goes through"
                : "Open"}
        </Fact>
        <Fact name="Your progress">Saved</Fact>
        <Fact name="Current card">{card ? cardWords(card) : "None"}</Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 border-line border-b border-dashed px-5 py-3 last:border-b-0">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  );
}
