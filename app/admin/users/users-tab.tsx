import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "react-router";
import { useMay } from "#app/identity/may.tsx";
import { href } from "#contract/addresses.ts";
import type { AdminUser } from "#contract/admin/users.ts";
import { tierLabels, tiers } from "#contract/tiers.ts";
import { Avatar } from "#ui/avatar.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import { type Column, Table } from "#ui/table.tsx";
import { useAddress } from "../address.ts";
import { usersCountQuery, usersQuery } from "../admin-queries.ts";
import { BulkButtons } from "../bulk/bulk-bar.tsx";
import { BulkResult } from "../bulk/bulk-result.tsx";
import { ExportButton } from "../export-button.tsx";
import { Filter, FilterBar, SearchBox } from "../filters.tsx";
import { PagedList, pageOf } from "../paging.tsx";
import { useSelection } from "../selection.ts";
import { SelectionBar } from "../selection-bar.tsx";
import { AccountBadge, nameOf, TierBadge } from "../words.tsx";
import { UserActions } from "./user-actions.tsx";

/** What a user's page knows of the list that led to it. */
export interface CameFrom {
  /** The query string of the list's URL. */
  list: string;
  /** The state of the list's history entry, such as the selection. */
  kept: unknown;
}

const statuses = ["active", "on_hold", "suspended"] as const;
const sorts = ["createdAt", "email", "name", "tier", "status"] as const;

const columns: readonly Column<AdminUser>[] = [
  { key: "user", label: "User", sort: "email", wide: true, cell: (user) => <Person user={user} /> },
  { key: "tier", label: "Plan", sort: "tier", cell: (user) => <TierBadge tier={user.purchasedTier} /> },
  { key: "status", label: "Status", sort: "status", cell: (user) => <AccountBadge status={user.accountStatus} /> },
  {
    key: "created",
    label: "Joined",
    sort: "createdAt",
    cell: (user) => formatShortDay(user.createdAt),
  },
  { key: "actions", label: "", cell: (user) => <UserActions user={user} /> },
];

/** All users, with a filter, an order and actions. */
export function UsersTab() {
  const address = useAddress();
  const filter = {
    search: address.read("search") || undefined,
    tier: (["none", ...tiers] as const).find((tier) => tier === address.read("tier")),
    status: statuses.find((status) => status === address.read("status")),
  };
  const sort = sorts.find((one) => one === address.read("sort")) ?? "createdAt";
  const descending = (address.read("order") || (sort === "createdAt" ? "desc" : "asc")) === "desc";
  const page = pageOf(address);
  const list = useQuery(usersQuery({ ...filter, sort, order: descending ? "desc" : "asc", ...page.query }));
  const count = useQuery(usersCountQuery(filter));
  const total = count.data?.total ?? 0;
  const selected = useSelection<AdminUser, typeof filter>("users", filter, { total, nameOf });
  const mayActOnMany = useMay("people:many");
  const shownAction = address.read("action");
  return (
    <>
      {shownAction && mayActOnMany && (
        <div className="mb-6">
          <BulkResult
            key={shownAction}
            id={shownAction}
            onOpen={(id) => address.write({ action: id })}
            onClose={() => address.write({ action: null })}
          />
        </div>
      )}
      <FilterBar label="Users">
        <SearchBox
          label="Search name or email"
          value={address.read("search")}
          onChange={(search) => page.refine({ search }, true)}
        />
        <Filter
          label="Plan"
          value={filter.tier ?? ""}
          options={[["", "Any plan"], ["none", "No plan"], ...tiers.map((tier) => [tier, tierLabels[tier]] as const)]}
          onChange={(tier) => page.refine({ tier })}
        />
        <Filter
          label="Status"
          value={filter.status ?? ""}
          options={[
            ["", "Any status"],
            ["active", "Active"],
            ["on_hold", "On Hold"],
            ["suspended", "Suspended"],
          ]}
          onChange={(status) => page.refine({ status })}
        />
        <ExportButton list="users" body={{ filter }} />
      </FilterBar>
      <PagedList list={list} count={count} page={page} what="users">
        {(rows, isStale) => (
          <Table
            caption="Users"
            columns={columns}
            rows={rows}
            rowKey={(user) => user.id}
            order={{ by: sort, descending }}
            onOrder={(order) => page.refine({ sort: order.by, order: order.descending ? "desc" : "asc" })}
            selection={mayActOnMany ? selected.rows : undefined}
            isStale={isStale}
          />
        )}
      </PagedList>
      <SelectionBar what="users" selected={selected} total={total}>
        <BulkButtons
          selection={selected.selection}
          onStarted={({ id }) => {
            selected.clear();
            address.write({ action: id });
          }}
        />
      </SelectionBar>
    </>
  );
}

function Person({ user }: { user: AdminUser }) {
  const { search, state } = useLocation();
  const name = nameOf(user);
  return (
    <div className="flex min-w-0 items-center gap-3">
      {/* Hidden in a narrow table, where the name and the address need the room. */}
      <Avatar name={name} imageUrl={user.profileImageUrl} className="size-9 text-sm @4xl:@max-5xl:hidden" />
      <div className="min-w-0">
        <Link
          to={href.adminUser(user.id)}
          state={{ list: search, kept: state } satisfies CameFrom}
          className="font-bold decoration-2 underline-offset-4 hover:underline wrap-anywhere"
        >
          {name}
        </Link>
        {name !== user.email && <p className="text-ink-soft text-fine wrap-anywhere">{user.email}</p>}
      </div>
    </div>
  );
}
