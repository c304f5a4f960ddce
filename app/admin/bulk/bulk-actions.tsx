import { Link } from "react-router";
import { href } from "#contract/addresses.ts";
import { type BulkAction, listBulkActions } from "#contract/admin/bulk-actions.ts";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { formatTimestamp } from "#ui/format/dates.ts";
import { formatCount } from "#ui/format/numbers.ts";
import type { Column } from "#ui/table.tsx";
import { useAddress } from "../address.ts";
import { AdminPage } from "../admin-page.tsx";
import { batchStates } from "../batches/batch-words.ts";
import { firstPageOf, ListTable, useAdminList } from "../list.tsx";
import { RowTitle } from "../row-title.tsx";
import { BulkResult } from "./bulk-result.tsx";
import { titleOf } from "./bulk-words.ts";

/** The actions on many users, with their progress, results and undo. The URL names the open one. */
export default function BulkActionsPage() {
  const { read, write } = useAddress();
  const open = read("open");
  return (
    <AdminPage
      title="Bulk actions"
      description="Actions on many users, for administrators."
      lead="Newest first. To start one, select people under Users."
      actions={
        open && (
          <Button variant="outline" onClick={() => write({ open: null })}>
            All bulk actions
          </Button>
        )
      }
    >
      {open ? <BulkResult key={open} id={open} onOpen={(id) => write({ open: id })} /> : <List />}
    </AdminPage>
  );
}

BulkActionsPage.queries = () => [firstPageOf(listBulkActions)];

type Entry = Omit<BulkAction, "skippedBecause">;

const columns: readonly Column<Entry>[] = [
  {
    key: "title",
    label: "Action",
    wide: true,
    cell: (action) => (
      <RowTitle to={`?open=${action.id}`} title={titleOf(action)}>
        {action.reason}
      </RowTitle>
    ),
  },
  { key: "people", label: "Done", cell: ({ done, people }) => `${formatCount(done)} of ${formatCount(people)}` },
  {
    key: "state",
    label: "State",
    cell: ({ state, undoneBy }) =>
      undoneBy ? (
        <Badge tone="plain">Undone</Badge>
      ) : (
        <Badge tone={batchStates[state].tone}>{batchStates[state].words}</Badge>
      ),
  },
  { key: "actor", label: "By", isDetail: true, cell: ({ actorName }) => actorName },
  { key: "date", label: "Date", cell: ({ createdAt }) => formatTimestamp(createdAt) },
];

function List() {
  const list = useAdminList<Entry, object>({
    endpoint: listBulkActions,
    label: "Bulk actions",
    what: "bulk actions",
    columns,
  });
  return (
    <ListTable
      isBrief
      list={list}
      empty={
        <>
          No bulk actions yet. Select people under{" "}
          <Link to={href.admin()} className="underline underline-offset-4">
            Users
          </Link>{" "}
          to start one.
        </>
      }
    />
  );
}
