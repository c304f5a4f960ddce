import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { decimalAmount, formatDollars } from "#contract/money.ts";
import type { Receipt } from "#contract/purchases/receipts.ts";
import { chargeWords } from "#contract/purchases/sentences.ts";
import { Barcode } from "#ui/brand/bars.tsx";
import { formatDay } from "#ui/format/dates.ts";

/** The receipt in the form of the order's slip at checkout. It prints as shown. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const { seller, buyer, card, refunds, number, amount } = receipt;
  const [plan, ...takenOff] = receipt.lines;
  const price = plan ? decimalAmount(plan.cents) : amount;
  return (
    <article
      aria-labelledby="receipt-title"
      className="rounded-md border-2 border-edge bg-surface shadow-card print:shadow-none"
    >
      <header className="flex flex-wrap items-center justify-between gap-4 border-edge border-b-2 px-5 py-4 sm:px-8">
        <div className="min-w-0">
          <p className="font-semibold wrap-anywhere">{receipt.academyName}</p>
          <h1 id="receipt-title" className="wide text-title">
            Receipt
          </h1>
        </div>
        <Barcode value={number} className="h-8 w-20 shrink-0 sm:w-36" />
      </header>
      <dl className="grid grid-cols-2 border-edge border-b-2">
        <Field name="Receipt number">{number}</Field>
        <Field name="Date" className="border-edge border-l-2">
          {formatDay(receipt.paidAt, receipt.timeZone)}
        </Field>
      </dl>
      <dl className="grid border-edge border-b-2 sm:grid-cols-2">
        <Field name="Sold by">
          {[seller.name, ...seller.address, seller.email].map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </Field>
        <Field name="Sold to" className="border-edge max-sm:border-t-2 sm:border-l-2">
          {buyer ? (
            <>
              {buyer.name ?? buyer.email}
              {buyer.name && <span className="block">{buyer.email}</span>}
            </>
          ) : (
            "An account that was deleted"
          )}
        </Field>
      </dl>
      <div className="bg-tag px-5 py-5 text-tag-ink sm:px-8 print:border-edge print:border-b-2">
        <p className="narrow text-display leading-none">{formatDollars(Number(amount))}</p>
        <p className="mt-2 font-semibold">{chargeWords(receipt, formatDay)}</p>
      </div>
      <dl className="px-5 sm:px-8">
        <Line name={receipt.planName} value={dollars(price)} />
        {takenOff.map(({ label, cents }) => (
          <Line key={label} name={label} value={dollars(decimalAmount(cents))} />
        ))}
        <Line name="Total paid" value={dollars(amount)} isStrong />
        {refunds.map(({ amount, at }) => (
          <Line
            key={at}
            name={`Refunded on ${formatDay(at, receipt.timeZone)}`}
            value={dollars(`-${amount}`)}
            isStrong
          />
        ))}
        {receipt.refundUnderWay && <Line name="A refund is on its way" value="" isStrong />}
        {card && <Line name="Paid with" value={`${card.brand} ending in ${card.last4}`} />}
        <Line name="Transaction" value={receipt.transactionId} />
      </dl>
      <div className="grid gap-3 border-line border-t border-dashed px-5 py-5 text-ink-soft text-sm sm:px-8">
        {receipt.taxLine && <p>{receipt.taxLine}</p>}
        <p className="wrap-anywhere">
          Questions about this payment? Write to {receipt.contactEmail} and include the receipt number.
        </p>
      </div>
    </article>
  );
}

function Field({ name, className, children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <div className={cx("min-w-0 px-5 py-3 sm:px-8", className)}>
      <dt className="printed text-ink-soft">{name}</dt>
      <dd className="mt-1 wrap-anywhere">{children}</dd>
    </div>
  );
}

function Line({ name, value, isStrong = false }: { name: string; value: string; isStrong?: boolean }) {
  return (
    <div
      className={cx(
        "flex flex-wrap items-baseline justify-between gap-x-6 border-line border-b border-dashed py-3 last:border-b-0",
        isStrong && "font-bold",
      )}
    >
      <dt className="min-w-0 grow basis-32 wrap-anywhere">{name}</dt>
      <dd className="printed ml-auto wrap-anywhere">{value}</dd>
    </div>
  );
}

function dollars(amount: string): string {
  return formatDollars(Number(amount));
}
