import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { ApiError } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { May } from "#app/identity/may.tsx";
import { href } from "#contract/addresses.ts";
import { getAnyReceiptPdf, getPurchaseDetail, type PurchaseDetail } from "#contract/admin/purchases.ts";
import { formatDollars } from "#contract/money.ts";
import { renewalPrices } from "#contract/purchases/sentences.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { formatDay, formatShortDay, formatTimestamp } from "#ui/format/dates.ts";
import { type Column, Table } from "#ui/table.tsx";
import { useAddress } from "../address.ts";
import { Facts } from "../facts.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { PurchaseBadge, SubscriptionBadge } from "../words.tsx";
import { attemptKinds, PaymentStateBadge, refundKinds } from "./payment-words.tsx";
import { PurchaseActions } from "./purchase-actions.tsx";

type Attempt = PurchaseDetail["attempts"][number];
type Refund = PurchaseDetail["refunds"][number];

/** A purchase: its state, its payment attempts, the gateway's responses and the refunds. */
export function PurchasePanel({ purchaseId }: { purchaseId: string }) {
  const { write } = useAddress();
  const { data, isPending, error, refetch } = useQuery(queryOf(getPurchaseDetail, { params: { purchaseId } }));
  return (
    <div className="grid gap-5">
      <button
        type="button"
        onClick={() => write({ purchase: null })}
        className="w-fit font-semibold text-sm underline decoration-2 underline-offset-4"
      >
        All purchases
      </button>
      {data ? (
        <Detail detail={data} />
      ) : isPending ? (
        <PartLoading what="purchase" />
      ) : error instanceof ApiError && error.status === 404 ? (
        <Nothing>We couldn't find this purchase.</Nothing>
      ) : (
        <PartFailed what="the purchase" retry={refetch} />
      )}
    </div>
  );
}

function Detail({ detail }: { detail: PurchaseDetail }) {
  const { purchase, attempts, refunds, discrepancies, consent } = detail;
  const buyer = purchase.userEmail ? (
    <Link to={href.adminUser(purchase.userId)} className="underline underline-offset-4">
      {purchase.userName}
    </Link>
  ) : (
    purchase.userName
  );
  return (
    <>
      <Panel
        title={`${purchase.planName}, ${formatDollars(purchase.amount)}`}
        aside={<PurchaseActions purchase={purchase} isOpen />}
      >
        <div className="mb-4 flex flex-wrap gap-2">
          {!purchase.paymentDeclined && (
            <PurchaseBadge status={purchase.status} refunded={Number(purchase.refundedAmount)} />
          )}
          <SubscriptionBadge purchase={purchase} />
        </div>
        <Facts
          isWide
          facts={[
            ["Buyer", buyer],
            ["Email", purchase.userEmail],
            ["Started", formatTimestamp(purchase.createdAt)],
            ["Completed", purchase.completedAt && formatTimestamp(purchase.completedAt)],
            ["Receipts", purchase.receiptNumbers.join(", ")],
            ["Transaction", purchase.transactionId],
            ["Paid until", detail.paidUntil && formatTimestamp(detail.paidUntil)],
            ["Next billing", purchase.nextBillingDate && formatTimestamp(purchase.nextBillingDate)],
            ["Price", purchase.renewal && renewalPrices(purchase.renewal.price, purchase.renewal.later)],
            ["Declined since", detail.declinedSince && formatTimestamp(detail.declinedSince)],
            [
              "Reopened",
              detail.reopenedUntil && `Once without a payment, until ${formatTimestamp(detail.reopenedUntil)}`,
            ],
            ["Last attempt", purchase.lastPaymentAttempt && formatTimestamp(purchase.lastPaymentAttempt)],
            ["Credited", Number(purchase.creditAmount) > 0 && `${formatDollars(purchase.creditAmount)} off the price`],
            [
              "Coupon",
              purchase.couponCode &&
                `${purchase.couponCode}, ${formatDollars(purchase.discount)} off ${firstCharges(purchase)}`,
            ],
            ["Refunded", Number(purchase.refundedAmount) > 0 && formatDollars(purchase.refundedAmount)],
            ["Message shown to the buyer", purchase.statusMessage],
            [
              "Renewal consent",
              consent && `Text of ${formatDay(consent.version, "UTC")}, ${formatTimestamp(consent.at)}`,
            ],
          ]}
        />
        {purchase.completedAt && (
          <p className="mt-4">
            <ReceiptLink id={purchase.id} label="Receipt of the first payment" />
          </p>
        )}
      </Panel>
      <Panel title="Payment attempts">
        {attempts.length === 0 ? (
          <Nothing>No payment attempts.</Nothing>
        ) : (
          <Table caption="Payment attempts" columns={attemptColumns} rows={attempts} rowKey={({ id }) => id} />
        )}
      </Panel>
      <Panel title="Refunds">
        {refunds.length === 0 ? (
          <Nothing>No refunds.</Nothing>
        ) : (
          <Table caption="Refunds" columns={refundColumns} rows={refunds} rowKey={({ id }) => id} />
        )}
      </Panel>
      {discrepancies.length > 0 && (
        <Panel
          title="Discrepancies"
          aside={
            <May permission="money:read">
              <Link to="/admin/reconciliation" className={buttonStyle({ variant: "outline", size: "small" })}>
                Reconciliation
              </Link>
            </May>
          }
        >
          <ul className="grid gap-2 text-sm">
            {discrepancies.map(({ id, title, foundAt, resolvedAt }) => (
              <li key={id}>
                {title}, found {formatShortDay(foundAt)},{" "}
                {resolvedAt ? `repaired ${formatShortDay(resolvedAt)}` : "open"}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

function ReceiptLink({ id, label }: { id: string; label: string }) {
  return (
    <a href={getAnyReceiptPdf.path.replace("{id}", id)} className="text-sm underline underline-offset-4">
      {label}
    </a>
  );
}

const attemptColumns: readonly Column<Attempt>[] = [
  { key: "sent", label: "Sent", cell: ({ sentAt }) => formatTimestamp(sentAt) },
  { key: "kind", label: "Kind", cell: ({ kind }) => attemptKinds[kind] },
  { key: "amount", label: "Amount", end: true, cell: ({ amount }) => formatDollars(amount) },
  { key: "state", label: "State", cell: ({ state }) => <PaymentStateBadge state={state} /> },
  {
    key: "answer",
    label: "Gateway",
    wide: true,
    cell: (attempt) => <GatewayAnswer attempt={attempt} />,
  },
  {
    key: "receipt",
    label: "Receipt",
    cell: ({ id, receiptNumber }) => (receiptNumber ? <ReceiptLink id={id} label={receiptNumber} /> : "–"),
  },
];

/** What people look for, and the codes that only the gateway's support asks about, folded. */
function GatewayAnswer({ attempt }: { attempt: Attempt }) {
  const codes = partsOf([
    ["Invoice", attempt.invoiceNumber],
    ["Response", attempt.responseCode],
    ["Reason", attempt.reasonCode],
    ["AVS", attempt.avs],
    ["CVV", attempt.cvv],
  ]);
  return (
    <div className="text-fine">
      <Parts
        parts={partsOf([
          ["Transaction", attempt.transactionId],
          ["Card", [attempt.brand, attempt.last4].filter(Boolean).join(" ")],
          ["Note", attempt.note],
          ["Resolved", attempt.resolvedAt && formatTimestamp(attempt.resolvedAt)],
        ])}
      />
      {codes.length > 0 && (
        <details>
          <summary className="w-fit text-ink-soft underline underline-offset-4 hover:text-ink">Codes</summary>
          <Parts parts={codes} />
        </details>
      )}
    </div>
  );
}

function firstCharges({ discountedRenewals }: PurchaseDetail["purchase"]): string {
  return discountedRenewals > 0 ? `each of the first ${discountedRenewals + 1} charges` : "the first charge";
}

type Part = readonly [name: string, value: string | null];

function partsOf(parts: readonly Part[]): readonly Part[] {
  return parts.filter(([, value]) => value);
}

function Parts({ parts }: { parts: readonly Part[] }) {
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-0.5">
      {parts.map(([name, value]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function accessWords({ endsAccess, accessKeptUntil }: Refund): string {
  if (accessKeptUntil) return `Open until ${formatShortDay(accessKeptUntil)}`;
  return endsAccess ? "Ended" : "Not changed";
}

const refundColumns: readonly Column<Refund>[] = [
  { key: "sent", label: "Sent", cell: ({ sentAt }) => formatTimestamp(sentAt) },
  { key: "kind", label: "Kind", cell: ({ kind }) => refundKinds[kind] },
  { key: "amount", label: "Amount", end: true, cell: ({ amount }) => formatDollars(amount) },
  { key: "state", label: "State", cell: ({ state }) => <PaymentStateBadge state={state} /> },
  { key: "access", label: "Access", cell: accessWords },
  {
    key: "why",
    label: "Why",
    wide: true,
    cell: ({ reason, note, transactionId }) => [reason, note, transactionId].filter(Boolean).join(" · ") || "–",
  },
];
