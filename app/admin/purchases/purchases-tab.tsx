import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { useMay } from "#app/identity/may.tsx";
import { href } from "#contract/addresses.ts";
import type { AdminPurchase } from "#contract/admin/purchases.ts";
import { formatDollars } from "#contract/money.ts";
import { tierLabels, tiers } from "#contract/tiers.ts";
import { formatShortDay } from "#ui/format/dates.ts";
import { type Column, Table } from "#ui/table.tsx";
import { useAddress } from "../address.ts";
import { purchasesCountQuery, purchasesQuery } from "../admin-queries.ts";
import { ExportButton } from "../export-button.tsx";
import { Filter, FilterBar, SearchBox } from "../filters.tsx";
import { PagedList, pageOf } from "../paging.tsx";
import { useRowFocus } from "../row-focus.ts";
import { useSelection } from "../selection.ts";
import { SelectionBar } from "../selection-bar.tsx";
import { PurchaseBadge, SubscriptionBadge } from "../words.tsx";
import { PurchaseActions } from "./purchase-actions.tsx";
import { PurchasePanel } from "./purchase-panel.tsx";

const statuses = ["pending", "completed", "declined", "failed", "refunded"] as const;
const subscriptions = ["active", "cancelled", "on_hold", "declined"] as const;
const sorts = ["createdAt", "amount"] as const;

const columns: readonly Column<AdminPurchase>[] = [
  { key: "buyer", label: "Buyer", wide: true, cell: (purchase) => <Buyer purchase={purchase} /> },
  { key: "plan", label: "Plan", cell: (purchase) => purchase.planName },
  { key: "amount", label: "Amount", sort: "amount", end: true, cell: (purchase) => <Amount purchase={purchase} /> },
  { key: "status", label: "Status", cell: (purchase) => <Status purchase={purchase} /> },
  {
    key: "created",
    label: "Date",
    sort: "createdAt",
    cell: (purchase) => formatShortDay(purchase.createdAt),
  },
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
  const address = useAddress();
  const filter = {
    search: address.read("search") || undefined,
    status: statuses.find((status) => status === address.read("status")),
    tier: tiers.find((tier) => tier === address.read("tier")),
    subscription: subscriptions.find((one) => one === address.read("subscription")),
  };
  const sort = sorts.find((one) => one === address.read("sort")) ?? "createdAt";
  const descending = address.read("order") !== "asc";
  const page = pageOf(address);
  const list = useQuery(purchasesQuery({ ...filter, sort, order: descending ? "desc" : "asc", ...page.query }));
  const count = useQuery(purchasesCountQuery(filter));
  const mayExport = useMay("people:export");
  const total = count.data?.total ?? 0;
  const selected = useSelection<AdminPurchase, typeof filter>("purchases", filter, { total, nameOf: nameOfPurchase });
  return (
    <>
      <FilterBar label="Purchases">
        <SearchBox
          label="Search buyer or transaction"
          value={address.read("search")}
          onChange={(search) => page.refine({ search }, true)}
        />
        <Filter
          label="Plan"
          value={filter.tier ?? ""}
          options={[["", "Any plan"], ...tiers.map((tier) => [tier, tierLabels[tier]] as const)]}
          onChange={(tier) => page.refine({ tier })}
        />
        <Filter
          label="Status"
          value={filter.status ?? ""}
          options={[
            ["", "Any status"],
            ["completed", "Completed"],
            ["pending", "Pending"],
            ["declined", "Declined"],
            ["failed", "Failed"],
            ["refunded", "Refunded"],
          ]}
          onChange={(status) => page.refine({ status })}
        />
        <Filter
          label="Subscription"
          value={filter.subscription ?? ""}
          options={[
            ["", "Any subscription"],
            ["active", "Active"],
            ["declined", "Payment Declined"],
            ["on_hold", "On Hold"],
            ["cancelled", "Cancelled"],
          ]}
          onChange={(subscription) => page.refine({ subscription })}
        />
        <ExportButton list="purchases" body={{ filter }} />
      </FilterBar>
      <PagedList list={list} count={count} page={page} what="purchases">
        {(rows, isStale) => (
          <Table
            caption="Purchases"
            columns={columns}
            rows={rows}
            rowKey={(purchase) => purchase.id}
            order={{ by: sort, descending }}
            onOrder={(order) => page.refine({ sort: order.by, order: order.descending ? "desc" : "asc" })}
            selection={mayExport ? selected.rows : undefined}
            isStale={isStale}
          />
        )}
      </PagedList>
      <SelectionBar what="purchases" selected={selected} total={total}>
        <ExportButton list="purchases" body={selected.selection} of="the selection" size="small" />
      </SelectionBar>
    </>
  );
}

function nameOfPurchase({ userName, planName, createdAt }: AdminPurchase): string {
  return `${planName} of ${userName}, ${formatShortDay(createdAt)}`;
}

function Buyer({ purchase: { userId, userName, userEmail } }: { purchase: AdminPurchase }) {
  // A deleted account has no page.
  if (!userEmail) return <span className="text-ink-soft">{userName}</span>;
  return (
    <div className="min-w-0">
      <Link to={href.adminUser(userId)} className="font-bold decoration-2 underline-offset-4 hover:underline">
        {userName}
      </Link>
      {userName !== userEmail && <p className="text-ink-soft text-fine">{userEmail}</p>}
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
        <span className="block text-fine text-ink-soft">
          {formatDollars(discount)} off, {couponCode}
        </span>
      )}
      {Number(creditAmount) > 0 && (
        <span className="block text-fine text-ink-soft">{formatDollars(creditAmount)} credited</span>
      )}
      {Number(refundedAmount) > 0 && (
        <span className="block text-danger text-fine">−{formatDollars(refundedAmount)} refunded</span>
      )}
    </>
  );
}

function Status({ purchase }: { purchase: AdminPurchase }) {
  return (
    <span className="flex flex-wrap gap-1">
      {/* A declined payment is shown instead of the purchase's status. */}
      {!purchase.paymentDeclined && (
        <PurchaseBadge status={purchase.status} refunded={Number(purchase.refundedAmount)} />
      )}
      <SubscriptionBadge purchase={purchase} />
    </span>
  );
}
