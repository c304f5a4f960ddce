import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { decimalAmount, formatDollars } from "#contract/money.ts";
import type { Receipt } from "#contract/purchases/receipts.ts";
import { Card } from "#ui/card.tsx";
import { formatDay } from "#ui/format/dates.ts";

/** The receipt, which prints as shown. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const { seller, buyer, card, refunds } = receipt;
  const [plan, ...takenOff] = receipt.lines;
  const price = plan ? decimalAmount(plan.cents) : receipt.amount;
  return (
    <Card tone="raised" padding="none" className="print:border-0 print:shadow-none">
      <div className="h-3 rounded-t-md bg-tag" />
      <article aria-labelledby="receipt-title" className="grid gap-8 p-6 sm:p-10">
        <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
          <div>
            <p className="font-bold">{receipt.academyName}</p>
            <h1 id="receipt-title" className="wide text-title">
              Receipt
            </h1>
          </div>
          <p className="printed text-ink-soft text-sm wrap-anywhere">
            No. {receipt.number}
            <span className="block">{formatDay(receipt.paidAt, receipt.timeZone)}</span>
          </p>
        </header>
        <dl className="grid gap-6 sm:grid-cols-2">
          <Fact name="Sold by">
            {seller.name}
            {seller.address.map((line) => (
              <span key={line} className="block text-ink-soft">
                {line}
              </span>
            ))}
            <span className="block text-ink-soft">{seller.email}</span>
          </Fact>
          <Fact name="Sold to">
            {buyer ? (
              <>
                {buyer.name ?? buyer.email}
                {buyer.name && <span className="block text-ink-soft wrap-anywhere">{buyer.email}</span>}
              </>
            ) : (
              "An account that was deleted"
            )}
          </Fact>
        </dl>
        <dl className="border-ink border-t-2">
          <Line name={<strong>{receipt.planName}</strong>} note={chargeWords(receipt)} amount={price} />
          {takenOff.map(({ label, cents }) => (
            <Line key={label} name={label} amount={decimalAmount(cents)} />
          ))}
          {receipt.coaching && <Included words={receipt.coaching} />}
          <Line name="Total paid" amount={receipt.amount} strong />
          {refunds.map(({ amount, at }) => (
            <Line key={at} name={`Refunded on ${formatDay(at, receipt.timeZone)}`} amount={`-${amount}`} strong />
          ))}
        </dl>
        {receipt.refundUnderWay && <p className="rounded-sm bg-kraft-soft px-4 py-3">A refund is on its way.</p>}
        <dl className="grid gap-6 sm:grid-cols-2">
          {card && <Fact name="Paid with">{`${card.brand} ending in ${card.last4}`}</Fact>}
          <Fact name="Transaction">
            <span className="printed">{receipt.transactionId}</span>
          </Fact>
        </dl>
        {receipt.taxLine && <p className="text-ink-soft text-sm">{receipt.taxLine}</p>}
        <p className="border-line border-t pt-5 text-ink-soft text-sm">
          Questions about this payment? Write to {receipt.contactEmail} and give the receipt number.
        </p>
      </article>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="printed text-ink-soft">{name}</dt>
      <dd className="mt-1 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** An included benefit without its own price. */
function Included({ words }: { words: string }) {
  return (
    <div className="grid gap-x-6 border-line border-b py-4">
      <dt>1-on-1 coaching</dt>
      <dd className="text-ink-soft text-sm first-letter:uppercase">{words}</dd>
    </div>
  );
}

interface LineProps {
  name: ReactNode;
  note?: string;
  /** US dollars with two decimals. */
  amount: string;
  strong?: boolean;
}

function Line({ name, note, amount, strong = false }: LineProps) {
  return (
    <div className={cx("flex items-baseline justify-between gap-6 border-line border-b py-4", strong && "font-bold")}>
      <dt>
        {name}
        {note && <span className="block font-normal text-ink-soft text-sm">{note}</span>}
      </dt>
      <dd className="printed shrink-0">{formatDollars(Number(amount))}</dd>
    </div>
  );
}

/** What the charge was for. */
function chargeWords({ kind, coversFrom, renewsEvery30Days, timeZone }: Receipt): string {
  if (kind === "renewal" && coversFrom) return `Renewal for 30 days from ${formatDay(coversFrom, timeZone)}`;
  return renewsEvery30Days ? "First 30 days. Renews every 30 days until you cancel." : "Paid once. It won't renew.";
}
