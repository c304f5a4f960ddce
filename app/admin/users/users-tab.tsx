import { Link, useLocation } from "react-router";
import type { z } from "zod";
import { useMay } from "#app/identity/may.tsx";
import { href } from "#contract/addresses.ts";
import { audienceOf } from "#contract/admin/announcements.ts";
import { type AdminUser, countUsers, listUsers, type UserFilter } from "#contract/admin/users.ts";
import { Avatar } from "#ui/avatar.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import type { Column } from "#ui/table.tsx";
import { useAddress } from "../address.ts";
import { peopleWords } from "../batches/batch-words.ts";
import { BulkButtons } from "../bulk/bulk-bar.tsx";
import { BulkResult } from "../bulk/bulk-result.tsx";
import { ExportButton } from "../export-button.tsx";
import { ListFilters, ListTable, useAdminList } from "../list.tsx";
import { paymentStates } from "../purchases/payment-words.tsx";
import { RowTitle } from "../row-title.tsx";
import { useSelection } from "../selection.ts";
import { SelectionBar } from "../selection-bar.tsx";
import { AccountBadge, nameOf, TierBadge } from "../words.tsx";
import type { CameFrom } from "./came-from.ts";
import { UserActions } from "./user-actions.tsx";
import { useLessonTitles, userFields } from "./user-filter.ts";

const columns: readonly Column<AdminUser>[] = [
  { key: "user", label: "User", sort: "email", wide: true, cell: (user) => <Person user={user} /> },
  { key: "tier", label: "Plan", sort: "tier", cell: (user) => <TierBadge tier={user.purchasedTier} /> },
  { key: "status", label: "Status", sort: "status", cell: ({ accountStatus }) => <Account status={accountStatus} /> },
  { key: "attempt", label: "Last attempt", cell: ({ lastAttempt }) => <LastAttempt attempt={lastAttempt} /> },
  {
    key: "created",
    label: "Joined",
    sort: "createdAt",
    isDetail: true,
    cell: (user) => formatShortDay(user.createdAt),
  },
  { key: "actions", label: "", cell: (user) => <UserActions user={user} /> },
];

/** For a filter alone. */
const emptyWords: Readonly<Record<string, string | undefined>> = {
  "declined-today": "Nobody’s payment was declined today",
  "declined-this-month": "Nobody’s payment was declined this month",
  "declined-last-month-to-date": "Nobody’s payment was declined last month, up to today’s date",
  "ends-soon": "Nobody’s access ends within 30 days",
};

/** All users, with a filter, an order and actions. */
export function UsersTab() {
  const { read, write } = useAddress();
  const titles = useLessonTitles();
  const lesson = read("lesson");
  const list = useAdminList<AdminUser, z.input<typeof UserFilter>>({
    endpoint: listUsers,
    count: countUsers,
    label: "Users",
    what: "users",
    fields: {
      ...userFields(),
      ...(read("progress") && {
        lesson: { label: "Lesson", any: "Any lesson", options: titles ?? (lesson ? { [lesson]: "Loading…" } : {}) },
      }),
    },
    columns,
  });
  const selected = useSelection(list, { nameOf });
  const mayActOnMany = useMay("people:many");
  const mayAnnounce = useMay("announcements:send");
  const shownAction = read("action");
  const { show, progress, ...others } = list.values;
  const lacksLesson = progress === "stopped-at" && !others.lesson;
  const emptyWhy = lacksLesson
    ? "Choose a lesson"
    : Object.values({ progress, ...others }).some(Boolean)
      ? undefined
      : emptyWords[show ?? ""];
  return (
    <>
      {shownAction && mayActOnMany && (
        <div className="mb-6">
          <BulkResult
            key={shownAction}
            id={shownAction}
            onOpen={(id) => write({ action: id })}
            onClose={() => write({ action: null })}
          />
        </div>
      )}
      <ListFilters list={list}>
        {/* Go to a row of their own together, so that the filters have room. */}
        <div className="flex flex-wrap gap-3 max-sm:gap-2">
          {mayAnnounce && !lacksLesson && (
            <Link
              to={`/admin/announcements?${new URLSearchParams({ open: "new", to: audienceOf(list.values) })}`}
              className={buttonStyle({ variant: "outline" })}
            >
              <span>
                Send an announcement{" "}
                {list.total === null ? (
                  <span className="sr-only">to these people</span>
                ) : (
                  `to ${peopleWords(list.total)}`
                )}
              </span>
            </Link>
          )}
          <ExportButton list="users" body={{ filter: list.values }} />
        </div>
      </ListFilters>
      <ListTable isBrief list={list} selection={mayActOnMany ? selected.rows : undefined} empty={emptyWhy} />
      <SelectionBar list={list} selected={selected}>
        <BulkButtons
          selection={selected.selection}
          onStarted={({ id }) => {
            selected.clear();
            write({ action: id });
          }}
        />
      </SelectionBar>
      {mayActOnMany && (
        <p className="mt-4 flex flex-wrap gap-x-6 text-sm">
          <Link to="/admin/bulk-actions" className="inline-flex min-h-9 items-center underline underline-offset-4">
            Past bulk actions
          </Link>
        </p>
      )}
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
      <RowTitle to={href.adminUser(user.id)} state={{ list: search, kept: state } satisfies CameFrom} title={name}>
        {name !== user.email && user.email}
      </RowTitle>
    </div>
  );
}

/** An active account is worth a mention only beside other columns. */
function Account({ status }: { status: string }) {
  return (
    <span className={status === "active" ? "@max-4xl:hidden" : undefined}>
      <AccountBadge status={status} />
    </span>
  );
}

function LastAttempt({ attempt }: { attempt: AdminUser["lastAttempt"] }) {
  if (!attempt) return <span className="text-ink-soft @max-4xl:hidden">None</span>;
  return (
    <>
      {paymentStates[attempt.state]}, {formatShortDay(attempt.at)}
    </>
  );
}
