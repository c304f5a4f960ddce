import { useEffect, useState } from "react";
import { Slip } from "#app/card/payment-slip.tsx";
import { href } from "#contract/addresses.ts";
import { formatDollars } from "#contract/money.ts";
import { renewalPrices } from "#contract/purchases/sentences.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import type { Receipt } from "./payment.ts";

const redirectAfterMilliseconds = 3000;

/** Shows the receipt and opens the dashboard after three seconds, but not again when the user goes back. */
export function Paid({ receipt }: { receipt: Receipt }) {
  const [isLeft, setIsLeft] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setIsLeft(true);
      // A full page load, because the checkout has its own content security policy.
      window.location.assign(href.dashboard());
    }, redirectAfterMilliseconds);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Slip
      code={receipt.purchaseId}
      stamp="Paid"
      title="Payment Successful!"
      message={receipt.message}
      lines={[
        ["Plan", receipt.planName],
        ["Amount", formatDollars(receipt.amount)],
        ["Renewal", receipt.renewal !== null && `${renewalOf(receipt, receipt.renewal)} until you cancel`],
        ["Transaction ID", receipt.transactionId],
      ]}
    >
      <a href={href.dashboard()} className={buttonStyle({ variant: "tag", size: "large", wide: true })}>
        Go to dashboard now
      </a>
      {!isLeft && <p className="text-center text-fine text-ink-soft">Your dashboard opens in three seconds.</p>}
    </Slip>
  );
}

function renewalOf({ amount, discountedRenewals: after }: Receipt, price: number): string {
  return after > 0 ? renewalPrices(amount, { after, price }) : renewalPrices(price, null);
}
