import { type ReactNode, useEffect, useRef } from "react";
import { useGoTo } from "../navigation.tsx";
import { href } from "../routes.ts";
import { Barcode } from "../ui/barcode.tsx";
import { buttonStyle } from "../ui/button.tsx";
import { StateCard } from "../ui/state-card.tsx";
import type { Receipt } from "./payment.ts";
import { formatAmount } from "./price.ts";

export const confirmingSentence = "Your payment is being confirmed. Do not pay again.";

/** In the place of the form while it is not known how the payment ended. */
export function Confirming() {
  return (
    <StateCard level={1} tone="loading" title="One moment">
      <p>{confirmingSentence}</p>
      <p>
        This page looks after it every few seconds. You can also leave: the course opens by itself once the payment is
        confirmed.
      </p>
    </StateCard>
  );
}

const redirectAfterMilliseconds = 3000;

/** The receipt; the dashboard follows after three seconds. */
export function Paid({ receipt }: { receipt: Receipt }) {
  const goTo = useGoTo();
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the receipt appears
  useEffect(() => {
    heading.current?.focus();
    const timer = setTimeout(() => goTo(href.dashboard()), redirectAfterMilliseconds);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="torn-bottom mx-auto max-w-lg bg-surface px-6 pt-8 sm:px-10">
      <div className="flex items-center justify-between gap-4 border-ink border-b-2 pb-5">
        <Barcode value={receipt.purchaseId} className="h-7 w-36" />
        <p className="printed">Paid</p>
      </div>
      <h1 ref={heading} tabIndex={-1} className="wide mt-6 text-title outline-none">
        Payment Successful!
      </h1>
      <p className="mt-3 text-ink-soft">{receipt.message}</p>
      <dl className="mt-6 grid border-line border-t border-dashed">
        <Line name="Plan">{receipt.planName}</Line>
        <Line name="Amount">{formatAmount(receipt.amount)}</Line>
        {receipt.tier === "basic" && <Line name="Renewal">every 30 days until you cancel</Line>}
        {receipt.transactionId && <Line name="Transaction ID">{receipt.transactionId}</Line>}
      </dl>
      <div className="mt-7 mb-4 grid gap-3">
        <a href={href.dashboard()} className={buttonStyle({ variant: "tag", size: "large", wide: true })}>
          Go to dashboard now
        </a>
        <p className="text-center text-fine text-ink-soft">The dashboard opens by itself in three seconds.</p>
      </div>
    </div>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-6 border-line border-b border-dashed py-3">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="break-all text-right font-semibold">{children}</dd>
    </div>
  );
}
