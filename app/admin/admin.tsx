import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { queryOf } from "#app/api/query.ts";
import { May, useMay } from "#app/identity/may.tsx";
import { href } from "#contract/addresses.ts";
import { getStats } from "#contract/admin/statistics.ts";
import { listUsers } from "#contract/admin/users.ts";
import { formatDollars } from "#contract/money.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#ui/controls/tabs.tsx";
import { PartFailed } from "#ui/feedback/part.tsx";
import { formatCount } from "#ui/format/numbers.ts";
import { useAddress } from "./address.ts";
import { AdminPage } from "./admin-page.tsx";
import { Figures, numberLinkStyle } from "./figures.tsx";
import { MorningPanels } from "./home/morning.tsx";
import { firstPageOf } from "./list.tsx";
import { MessagesTab } from "./messages/messages-tab.tsx";
import { useWaiting } from "./navigation.tsx";
import { PurchasesTab } from "./purchases/purchases-tab.tsx";
import { UsersTab } from "./users/users-tab.tsx";

const tabs = { users: "Users", purchases: "Purchases", messages: "Contact Messages" } as const;
type TabName = keyof typeof tabs;

/** Key numbers, what happened and what waits, and three lists. The URL names the list that is shown alone. */
export default function Admin() {
  const tab = useAddress().read("tab");
  const named = isTab(tab) ? tab : null;
  const seesMoney = useMay("money:read");
  return (
    <AdminPage
      title={named ? tabs[named] : "Admin Dashboard"}
      description="Users, purchases and messages of the academy, for administrators."
      actions={
        !named && (
          <May permission="content:write">
            <Link to="/admin-upload" className={buttonStyle({ variant: "tag" })}>
              Manage Resources
            </Link>
          </May>
        )
      }
    >
      {!named && (
        <div className="mb-8 grid grid-cols-[minmax(0,1fr)] gap-5">
          {seesMoney && <Numbers />}
          <MorningPanels />
        </div>
      )}
      {/* Without a name it's the list that the role works in. */}
      <Lists open={named ?? (seesMoney ? "users" : "messages")} isAlone={named !== null} />
    </AdminPage>
  );
}

/** Only the list, which each role that sees this page may read. The numbers above it are not for all of them. */
Admin.queries = () => [firstPageOf(listUsers)];

function isTab(name: string): name is TabName {
  return Object.hasOwn(tabs, name);
}

function Numbers() {
  const { data: stats, isError, refetch } = useQuery(queryOf(getStats));
  const toAnswer = useWaiting()?.messages;
  if (isError) return <PartFailed what="the numbers" retry={refetch} />;
  return (
    <Figures
      label="The academy in numbers"
      figures={[
        {
          label: "Total Users",
          value: stats && formatCount(stats.totalUsers),
          to: href.admin("users"),
          note: some(stats?.blockedAccounts, "on hold or suspended", `${href.admin("users")}&status=blocked`),
        },
        {
          label: "Total Revenue",
          value: stats && formatDollars(stats.totalRevenue),
          to: "/admin/money",
          note: some(stats?.openDiscrepancies, "open in the reconciliation", "/admin/reconciliation"),
        },
        {
          label: "Active Subscriptions",
          value: stats && formatCount(stats.activeSubscriptions),
          to: `${href.admin("purchases")}&subscription=active`,
          note: some(stats?.declinedSubscriptions, "declined", `${href.admin("purchases")}&subscription=unresolved`),
        },
        {
          label: "Contact Messages",
          value: stats && formatCount(stats.totalContacts),
          to: href.admin("messages"),
          note: some(toAnswer, "to answer", `${href.admin("messages")}&state=unanswered`),
        },
      ]}
    />
  );
}

function some(count: number | null | undefined, words: string, to: string): ReactNode {
  if (!count) return null;
  return (
    <Link to={to} className={numberLinkStyle}>
      {formatCount(count)} {words}
    </Link>
  );
}

/** Where one is shown alone on a phone, the menu leads to the others. */
function Lists({ open, isAlone }: { open: TabName; isAlone: boolean }) {
  const navigate = useNavigate();
  const toAnswer = useWaiting()?.messages;
  return (
    <Tabs value={open} onValueChange={(tab) => navigate(href.admin(tab as TabName))}>
      <TabList label="Lists" className={isAlone ? "max-sm:hidden" : undefined}>
        {Object.entries(tabs).map(([name, label]) => (
          <Tab key={name} value={name}>
            {label}
            {name === "messages" && Boolean(toAnswer) && (
              <span className="printed ml-2 whitespace-nowrap rounded-sm bg-tag px-1.5 py-0.5 text-tag-ink">
                {formatCount(toAnswer ?? 0)} <span className="sr-only">to answer</span>
              </span>
            )}
          </Tab>
        ))}
      </TabList>
      <TabPanel className={isAlone ? "max-sm:pt-0" : undefined} value="users">
        <UsersTab />
      </TabPanel>
      <TabPanel className={isAlone ? "max-sm:pt-0" : undefined} value="purchases">
        <PurchasesTab />
      </TabPanel>
      <TabPanel className={isAlone ? "max-sm:pt-0" : undefined} value="messages">
        <MessagesTab />
      </TabPanel>
    </Tabs>
  );
}
