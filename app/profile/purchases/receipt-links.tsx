import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { href } from "#contract/addresses.ts";
import type { Payment } from "#contract/purchases/receipts.ts";
import { formatDay } from "#ui/format/dates.ts";
import { paymentsQuery } from "../profile-queries.ts";

/** The receipts of a purchase: the newest one visible, earlier ones expandable. */
export function ReceiptLinks({ purchaseId }: { purchaseId: string }) {
  const { data: payments = [] } = useQuery(paymentsQuery);
  const [newest, ...earlier] = payments.filter((payment) => payment.purchaseId === purchaseId);
  if (!newest) return null;
  return (
    <div className="grid gap-2 text-sm">
      <ReceiptLink payment={newest} />
      {earlier.length > 0 && (
        <details>
          <summary className="text-ink-soft">
            {earlier.length === 1 ? "1 earlier receipt" : `${earlier.length} earlier receipts`}
          </summary>
          <ul className="mt-2 grid gap-2">
            {earlier.map((payment) => (
              <li key={payment.receiptId}>
                <ReceiptLink payment={payment} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function ReceiptLink({ payment: { receiptId, paidAt, refunded } }: { payment: Payment }) {
  return (
    <Link to={href.receipt(receiptId)} className="justify-self-start font-semibold underline underline-offset-4">
      Receipt of {formatDay(paidAt)}
      {refunded && ", refunded"}
    </Link>
  );
}
