import { type QueryKey, useIsFetching, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { TeamOnly } from "#app/identity/team-only.tsx";
import { href } from "#contract/addresses.ts";
import { getWaiting } from "#contract/admin/statistics.ts";
import { academy, named, onAcademySaid, titled } from "#ui/academy.ts";
import { Wordmark } from "#ui/brand/wordmark.tsx";
import { Button } from "#ui/controls/button.tsx";
import { PageFrame } from "#ui/frame/page-frame.tsx";
import { useAddress } from "./address.ts";
import { pageOf } from "./areas.ts";
import { AccountLinks, AreaLinks, AreaMenu, AreaPages } from "./navigation.tsx";
import { SearchButton } from "./search/search-button.tsx";

interface AdminPageProps {
  title: string;
  description: string;
  /** A sentence below the title. */
  lead?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page for the team, with links to the pages that the user's role may see. Other users see only the top bar. */
export function AdminPage({ title, description, lead, actions, children }: AdminPageProps) {
  const page = pageOf(useLocation().pathname, useAddress().read("tab"));
  // The bar and the title contain the academy's name, which changes when a new one is published.
  useSyncExternalStore(onAcademySaid, academy, academy);
  return (
    <PageFrame title={titled(title)} description={description} header={<Bar here={page.to} />}>
      <TeamOnly permission={page.permission} className="px-(--margin) pt-8 pb-20 sm:pt-12">
        {({ role }) => (
          <div className="mx-auto grid w-full max-w-400 lg:grid-cols-[12.5rem_minmax(0,1fr)]">
            <AreaLinks role={role} here={page.to} />
            <div className="min-w-0 px-(--margin) pb-20 lg:px-10">
              <AreaPages role={role} here={page.to} />
              <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 pt-6 sm:pt-8">
                <div className="min-w-0 max-sm:w-full">
                  <h1 className="wide text-3xl wrap-anywhere max-[23rem]:text-2xl">{title}</h1>
                  {lead && <p className="mt-2 max-w-[64ch] text-ink-soft">{lead}</p>}
                </div>
                {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
              </div>
              <div className="mt-7">{children}</div>
            </div>
          </div>
        )}
      </TeamOnly>
    </PageFrame>
  );
}

function Bar({ here }: { here: string }) {
  const { user } = useCurrentUser();
  return (
    <header className="relative z-40 border-edge border-b-2 bg-surface">
      <div className="mx-auto flex min-h-16 w-full max-w-400 items-center gap-x-4 px-(--margin) py-2 lg:px-6">
        <a href={href.home()} aria-label={named("{academy}, home")} className="flex min-w-0">
          <Wordmark compact />
        </a>
        <p className="printed mr-auto text-ink-soft max-sm:hidden">Administration</p>
        <div className="flex items-center gap-1 max-sm:ml-auto">
          <SearchButton />
          {user?.role && (
            <span className="max-sm:hidden">
              <Refresh />
            </span>
          )}
          <nav aria-label="Account" className="flex items-center gap-1 max-lg:hidden">
            <AccountLinks />
          </nav>
        </div>
        <AreaMenu here={here}>
          {user?.role && (
            <span className="sm:hidden">
              <Refresh />
            </span>
          )}
        </AreaMenu>
      </div>
    </header>
  );
}

/** Refetches the data on screen, which otherwise only an action does. */
function Refresh() {
  const queryClient = useQueryClient();
  // The counts beside the links are fetched by themselves, which the button does not show.
  const isShown = ({ queryKey }: { queryKey: QueryKey }) => queryKey[1] !== getWaiting.path;
  const isFetching = useIsFetching({ queryKey: ["admin"], predicate: isShown }) > 0;
  return (
    <Button
      variant="quiet"
      size="small"
      pending={isFetching}
      onClick={({ currentTarget }) => {
        // On a phone it's in the menu, which would cover what is refreshed.
        currentTarget.closest("details")?.removeAttribute("open");
        queryClient.invalidateQueries({ queryKey: ["admin"] });
      }}
    >
      Refresh
    </Button>
  );
}
