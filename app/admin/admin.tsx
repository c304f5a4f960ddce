import { useQuery } from "@tanstack/react-query";
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
import { Figures } from "./figures.tsx";
import { FirstSteps } from "./home/first-steps.tsx";
import { MorningPanels } from "./home/morning.tsx";
import { firstPageOf } from "./list.tsx";
import { MessagesTab } from "./messages/messages-tab.tsx";
import { PurchasesTab } from "./purchases/purchases-tab.tsx";
import { UsersTab } from "./users/users-tab.tsx";

const tabs = ["users", "purchases", "messages"] as const;
type TabName = (typeof tabs)[number];

/** Key numbers, what happened and what waits, and the lists of users, purchases and messages. */
export default function Admin() {
  const isHome = useAddress().read("tab") === "";
  return (
    <AdminPage
      title="Admin Dashboard"
      description="Users, purchases and messages of the academy, for administrators."
      actions={
        <May permission="content:write">
          <Link to="/admin-upload" className={buttonStyle({ variant: "tag" })}>
            Manage Resources
          </Link>
        </May>
      }
    >
      <May permission="money:read">
        <Numbers />
      </May>
      {isHome && (
        <div className="mt-5 grid grid-cols-[minmax(0,1fr)] gap-5">
          <FirstSteps />
          <MorningPanels />
        </div>
      )}
      <Lists />
    </AdminPage>
  );
}

/** Only the list, which each role that sees this page may read. The numbers above it are not for all of them. */
Admin.queries = () => [firstPageOf(listUsers)];

function Numbers() {
  const { data: stats, isError, refetch } = useQuery(queryOf(getStats));
  if (isError) return <PartFailed what="the numbers" retry={refetch} />;
  return (
    <Figures
      label="The academy in numbers"
      figures={[
        {
          label: "Total Users",
          value: stats && formatCount(stats.totalUsers),
          note: stats && some(stats.blockedAccounts, "on hold or suspended"),
        },
        {
          label: "Total Revenue",
          value: stats && formatDollars(stats.totalRevenue),
          note: stats && some(stats.openDiscrepancies, "open in the reconciliation"),
        },
        {
          label: "Active Subscriptions",
          value: stats && formatCount(stats.activeSubscriptions),
          note: stats && some(stats.declinedSubscriptions, "declined"),
        },
        {
          label: "Contact Messages",
          value: stats && formatCount(stats.totalContacts),
          note: stats && some(stats.newContacts, "new"),
        },
      ]}
    />
  );
}

function some(count: number, words: string): string | null {
  return count > 0 ? `${formatCount(count)} ${words}` : null;
}

/** Three lists. The URL names the open one and its filter; without a name it's the one that the role works in. */
function Lists() {
  const { read } = useAddress();
  const navigate = useNavigate();
  const seesMoney = useMay("money:read");
  const { data: stats } = useQuery({ ...queryOf(getStats), enabled: seesMoney });
  const named = tabs.find((tab) => tab === read("tab"));
  const open: TabName = named ?? (seesMoney ? "users" : "messages");
  return (
    <Tabs
      value={open}
      // The panels above the tabs go with the first choice, so that the page begins anew.
      onValueChange={(tab) => navigate(href.admin(tab as TabName), { preventScrollReset: named !== undefined })}
      className="mt-8"
    >
      <TabList label="Lists">
        <Tab value="users">Users</Tab>
        <Tab value="purchases">Purchases</Tab>
        <Tab value="messages">
          Contact Messages
          {stats && stats.newContacts > 0 && (
            <span className="printed ml-2 whitespace-nowrap rounded-sm bg-tag px-1.5 py-0.5 text-tag-ink">
              {formatCount(stats.newContacts)} <span className="sr-only">new</span>
            </span>
          )}
        </Tab>
      </TabList>
      <TabPanel value="users">
        <UsersTab />
      </TabPanel>
      <TabPanel value="purchases">
        <PurchasesTab />
      </TabPanel>
      <TabPanel value="messages">
        <MessagesTab />
      </TabPanel>
    </Tabs>
  );
}
