import { Link } from "react-router";
import { May } from "#app/identity/may.tsx";
import type { AttemptState, RefundState } from "#contract/admin/payment-states.ts";
import type { UserDetail } from "#contract/admin/users.ts";
import { formatDollars } from "#contract/money.ts";
import type { Purchase } from "#contract/purchases/purchases.ts";
import { renewalPrices } from "#contract/purchases/sentences.ts";
import { formatShortDay, formatTimestamp } from "#ui/format/dates.ts";
import { type Column, Table } from "#ui/table.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { attemptKinds, paymentStates, refundKinds } from "../purchases/payment-words.tsx";
import { PurchaseBadge, SubscriptionBadge } from "../words.tsx";

type OwnPurchase = UserDetail["purchases"][number];

/** A charge or a refund. */
interface Movement {
  id: string;
  what: string;
  amount: string;
  state: AttemptState | RefundState;
  at: string;
  note: string | null;
}

/** The user's purchases, payment attempts and refunds. */
export function MoneyPanel({ detail }: { detail: UserDetail }) {
  const movements = movementsOf(detail);
  return (
    <Panel title="Purchases">
      {detail.stoppedBy.map(({ kind, title }) => (
        <p key={kind} className="mb-4 rounded-sm bg-danger-soft px-4 py-3">
          <strong className="block text-danger">{title}</strong>
          {kind === "disputed" && "We don't charge this student. "}They can't book sessions until you decide.{" "}
          <May permission="money:read">
            <Link to="/admin/reconciliation" className="font-bold underline underline-offset-4">
              Review payment problems
            </Link>
          </May>
        </p>
      ))}
      {detail.purchases.length === 0 ? (
        <Nothing>No purchases yet.</Nothing>
      ) : (
        <Table
          caption="Purchases"
          columns={purchaseColumns(detail.refunds)}
          rows={detail.purchases}
          rowKey={({ id }) => id}
        />
      )}
      {movements.length > 0 && (
        <>
          <h3 className="printed mt-6 mb-2 text-ink-soft">Attempts and refunds</h3>
          <Table caption="Attempts and refunds" columns={movementColumns} rows={movements} rowKey={({ id }) => id} />
        </>
      )}
    </Panel>
  );
}

const purchaseColumns = (refunds: UserDetail["refunds"]): readonly Column<OwnPurchase>[] => [
  {
    key: "plan",
    label: "Plan",
    wide: true,
    cell: ({ id, planName }) => (
      <Link to={`/admin?tab=purchases&purchase=${id}`} className="font-bold underline underline-offset-4">
        {planName}
      </Link>
    ),
  },
  { key: "amount", label: "Amount", end: true, cell: ({ amount }) => formatDollars(amount) },
  {
    key: "status",
    label: "Status",
    cell: (purchase) => (
      <span className="flex flex-wrap gap-1">
        {!purchase.paymentDeclined && (
          <PurchaseBadge
            status={purchase.status as Purchase["status"]}
            refunded={sumReturned(refunds.filter(({ purchaseId }) => purchaseId === purchase.id))}
          />
        )}
        <SubscriptionBadge purchase={purchase} />
      </span>
    ),
  },
  {
    key: "next",
    label: "Next billing",
    cell: ({ nextBillingDate, renewal }) => (
      <>
        {nextBillingDate ? formatShortDay(nextBillingDate) : "–"}
        {renewal && (
          <span className="block text-fine text-ink-soft">{renewalPrices(renewal.price, renewal.later)}</span>
        )}
      </>
    ),
  },
  { key: "date", label: "Date", cell: ({ createdAt }) => formatShortDay(createdAt) },
];

/** US dollars. */
function sumReturned(refunds: UserDetail["refunds"]): number {
  return refunds.reduce((sum, { state, amount }) => sum + (state === "returned" ? Number(amount) : 0), 0);
}

const movementColumns: readonly Column<Movement>[] = [
  { key: "at", label: "When", cell: ({ at }) => formatTimestamp(at) },
  { key: "what", label: "What", cell: ({ what }) => what },
  { key: "amount", label: "Amount", end: true, cell: ({ amount }) => amount },
  { key: "state", label: "State", cell: ({ state }) => paymentStates[state] },
  { key: "note", label: "Note", wide: true, cell: ({ note }) => note ?? "–" },
];

/** Newest first. */
function movementsOf({ attempts, refunds }: UserDetail): Movement[] {
  return [
    ...attempts.map(({ id, kind, amount, state, transactionId, sentAt }) => ({
      id,
      what: attemptKinds[kind],
      amount: formatDollars(amount),
      state,
      at: sentAt,
      note: transactionId && `Transaction ${transactionId}`,
    })),
    ...refunds.map(({ id, kind, amount, state, reason, sentAt }) => ({
      id,
      what: refundKinds[kind],
      amount: `−${formatDollars(amount)}`,
      state,
      at: sentAt,
      note: reason,
    })),
  ].sort((one, other) => other.at.localeCompare(one.at));
}
