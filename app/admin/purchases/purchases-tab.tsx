import { cx } from "class-variance-authority";
import type { z } from "zod";
import { useMay } from "#app/identity/may.tsx";
import {
  type AdminPurchase,
  countPurchases,
  listAllPurchases,
  type PurchaseFilter,
} from "#contract/admin/purchases.ts";
import { formatDollars } from "#contract/money.ts";
import { academy } from "#ui/academy.ts";
import { formatShortDay } from "#ui/format/dates.ts";
import type { Column } from "#ui/table.tsx";
import { useAddress } from "../address.ts";
import { ExportButton } from "../export-button.tsx";
import { ListFilters, ListTable, useAdminList } from "../list.tsx";
import { openerId, useRowFocus } from "../row-focus.ts";
import { rowTitleStyle, ValueNote } from "../row-title.tsx";
import { useSelection } from "../selection.ts";
import { SelectionBar } from "../selection-bar.tsx";
import { PurchaseBadge, SubscriptionBadge } from "../words.tsx";
import { PurchaseActions } from "./purchase-actions.tsx";
import { PurchasePanel } from "./purchase-panel.tsx";

const columns: readonly Column<AdminPurchase>[] = [
  { key: "buyer", label: "Buyer", wide: true, cell: (purchase) => <Buyer purchase={purchase} /> },
  { key: "plan", label: "Plan", cell: (purchase) => purchase.planName },
  { key: "amount", label: "Amount", sort: "amount", end: true, cell: (purchase) => <Amount purchase={purchase} /> },
  {
    key: "created",
    label: "Date",
    sort: "createdAt",
    cell: (purchase) => formatShortDay(purchase.createdAt),
  },
  { key: "status", label: "Status", cell: (purchase) => <Status purchase={purchase} /> },
  { key: "actions", label: "", cell: (purchase) => <PurchaseActions purchase={purchase} /> },
];

/** All purchases, or one with its details. */
export function PurchasesTab() {
  const { read } = useAddress();
  const purchaseId = read("purchase");
  const shown = useRowFocus(purchaseId);
  return (
    <div ref={shown} tabIndex={-1}>
      {purchaseId ? <PurchasePanel key={purchaseId} purchaseId={purchaseId} /> : <PurchaseList />}
    </div>
  );
}

function PurchaseList() {
  const list = useAdminList<AdminPurchase, Omit<z.input<typeof PurchaseFilter>, "userId">>({
    endpoint: listAllPurchases,
    count: countPurchases,
    label: "Purchases",
    what: "purchases",
    fields: {
      search: { search: "Search buyer, receipt or transaction" },
      tier: { label: "Plan", any: "Any plan", options: academy().planNames },
      status: {
        label: "Status",
        any: "Any status",
        options: {
          completed: "Completed",
          pending: "Pending",
          declined: "Declined",
          failed: "Failed",
          refunded: "Refunded",
        },
      },
      subscription: {
        label: "Subscription",
        any: "Any subscription",
        options: {
          active: "Active",
          due: "Renews within 7 days",
          declined: "Payment Declined",
          unresolved: "Declined, not resolved",
          on_hold: "On Hold",
          cancelled: "Cancelled",
        },
      },
    },
    columns,
  });
  const selected = useSelection(list, { nameOf: nameOfPurchase });
  const mayExport = useMay("people:export");
  return (
    <>
      <ListFilters list={list}>
        <ExportButton list="purchases" body={{ filter: list.values }} />
      </ListFilters>
      <ListTable isBrief list={list} selection={mayExport ? selected.rows : undefined} />
      <SelectionBar list={list} selected={selected}>
        <ExportButton list="purchases" body={selected.selection} of="the selection" size="small" />
      </SelectionBar>
    </>
  );
}

function nameOfPurchase({ userName, planName, createdAt }: AdminPurchase): string {
  return `${planName} of ${userName}, ${formatShortDay(createdAt)}`;
}

/** Opens the purchase, which leads to its buyer. */
function Buyer({ purchase: { id, userName, userEmail } }: { purchase: AdminPurchase }) {
  const { write } = useAddress();
  return (
    <div className="min-w-0">
      <button
        type="button"
        id={openerId(id)}
        data-opens
        aria-label={`Details of the purchase of ${userName}`}
        className={cx(rowTitleStyle, "text-left")}
        onClick={() => write({ purchase: id })}
      >
        {userName}
      </button>
      {userEmail && userName !== userEmail && (
        <p className="text-fine text-ink-soft wrap-anywhere @max-4xl:hidden">{userEmail}</p>
      )}
    </div>
  );
}

function Amount({
  purchase: { amount, creditAmount, couponCode, discount, refundedAmount },
}: {
  purchase: AdminPurchase;
}) {
  return (
    <>
      {formatDollars(amount)}
      {couponCode && (
        <ValueNote>
          {formatDollars(discount)} off, {couponCode}
        </ValueNote>
      )}
      {Number(creditAmount) > 0 && <ValueNote>{formatDollars(creditAmount)} credited</ValueNote>}
      {Number(refundedAmount) > 0 && <ValueNote>−{formatDollars(refundedAmount)} refunded</ValueNote>}
    </>
  );
}

function Status({ purchase }: { purchase: AdminPurchase }) {
  return (
    <span className="flex flex-wrap gap-1 @5xl:flex-nowrap">
      {/* A declined payment is shown instead of the purchase's status. */}
      {!purchase.paymentDeclined && (
        <PurchaseBadge status={purchase.status} refunded={Number(purchase.refundedAmount)} />
      )}
      <SubscriptionBadge purchase={purchase} />
    </span>
  );
}
