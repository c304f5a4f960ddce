import { useQuery } from "@tanstack/react-query";
import { purchasesQuery } from "#app/access/purchases-query.ts";
import { formatDollars } from "#contract/money.ts";
import type { Purchase } from "#contract/purchases/purchases.ts";
import { Badge } from "#ui/badge.tsx";
import { Card } from "#ui/card.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatDay } from "#ui/format/dates.ts";
import { paymentsQuery } from "../profile-queries.ts";
import { renewalWords, statusOf } from "./purchase-words.ts";
import { ReceiptLinks } from "./receipt-links.tsx";

/** All purchases, also failed ones, newest first. */
export function PurchaseList() {
  const { data: purchases, isPending, isFetching, refetch } = useQuery(purchasesQuery);
  return (
    <Card tone="raised">
      <section aria-labelledby="purchases-title" aria-busy={isPending}>
        <h2 id="purchases-title" className="font-bold text-heading">
          Your purchases
        </h2>
        {purchases ? (
          <Purchases purchases={purchases} />
        ) : isPending ? (
          <PartLoading what="your purchases" className="mt-4 h-28" />
        ) : (
          <PartFailed what="your purchases" retry={refetch} isRetrying={isFetching} />
        )}
      </section>
    </Card>
  );
}

function Purchases({ purchases }: { purchases: readonly Purchase[] }) {
  const { data: payments = [] } = useQuery(paymentsQuery);
  if (purchases.length === 0) return <p className="mt-3 text-ink-soft">You haven't bought anything yet.</p>;
  return (
    <ul className="mt-4 border-ink border-t-2">
      {purchases.map((purchase) => (
        <li key={purchase.id} className="grid gap-2 border-line border-b py-4 last:border-b-0 last:pb-0">
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-bold">{purchase.planName}</span>
            <span className="printed text-sm">{formatDollars(Number(purchase.amount))}</span>
          </p>
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <time dateTime={purchase.createdAt} className="text-ink-soft text-sm">
              {formatDay(purchase.createdAt)}
            </time>
            <Badge tone={tones[purchase.status]}>{statusOf(purchase, payments)}</Badge>
          </div>
          <Remark purchase={purchase} />
          <ReceiptLinks purchaseId={purchase.id} />
        </li>
      ))}
    </ul>
  );
}

const tones = {
  pending: "kraft",
  completed: "success",
  declined: "danger",
  failed: "danger",
  refunded: "plain",
} as const satisfies Record<Purchase["status"], string>;

function Remark({ purchase }: { purchase: Purchase }) {
  const remark = renewalWords(purchase) ?? purchase.statusMessage;
  return remark && <p className="text-sm">{remark}</p>;
}
