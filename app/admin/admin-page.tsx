import { useIsFetching, useQuery, useQueryClient } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { Link, useLocation } from "react-router";
import { queryOf } from "#app/api/query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { TeamOnly } from "#app/identity/team-only.tsx";
import { href } from "#contract/addresses.ts";
import { countAdminQuestions } from "#contract/admin/questions.ts";
import { type CurrentUser, logoutUrl } from "#contract/identity/identity.ts";
import { roleMay } from "#contract/permissions.ts";
import { academy, named, onAcademySaid, titled } from "#ui/academy.ts";
import { Wordmark } from "#ui/brand/wordmark.tsx";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { formatCount } from "#ui/format/numbers.ts";
import { PageFrame } from "#ui/frame/page-frame.tsx";
import { areaOf, areas } from "./areas.ts";

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
  const { permission } = areaOf(useLocation().pathname);
  // The bar and the title contain the academy's name, which changes when a new one is published.
  useSyncExternalStore(onAcademySaid, academy, academy);
  return (
    <PageFrame title={titled(title)} description={description} header={<Bar />}>
      <TeamOnly permission={permission} className="px-(--margin) pt-8 pb-20 sm:pt-12">
        {({ role, accountUrl }) => (
          <div className="mx-auto grid w-full max-w-400 lg:grid-cols-[13.5rem_minmax(0,1fr)]">
            <Areas role={role} accountUrl={accountUrl} />
            <div className="min-w-0 px-(--margin) pt-6 pb-20 sm:pt-8 lg:px-10">
              <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
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

function Bar() {
  const { user } = useCurrentUser();
  return (
    <header className="border-edge border-b-2 bg-surface">
      <div className="mx-auto flex min-h-16 w-full max-w-400 flex-wrap items-center gap-x-4 gap-y-2 px-(--margin) py-2 lg:px-6">
        <a href={href.home()} aria-label={named("{academy}, home")} className="flex">
          <Wordmark compact />
        </a>
        <p className="printed mr-auto text-ink-soft max-sm:hidden">Administration</p>
        <nav aria-label="Account" className="flex items-center gap-1 max-sm:ml-auto">
          {user?.role && <Refresh />}
          <Link to={href.dashboard()} className={cx(buttonStyle({ variant: "quiet", size: "small" }), "max-sm:hidden")}>
            Course
          </Link>
          <a href={logoutUrl} className={buttonStyle({ variant: "quiet", size: "small" })}>
            Logout
          </a>
        </nav>
      </div>
    </header>
  );
}

/** Refetches the data on screen, which otherwise only an action does. */
function Refresh() {
  const queryClient = useQueryClient();
  const isFetching = useIsFetching({ queryKey: ["admin"] }) > 0;
  return (
    <Button
      variant="quiet"
      size="small"
      pending={isFetching}
      onClick={() => queryClient.invalidateQueries({ queryKey: ["admin"] })}
    >
      Refresh
    </Button>
  );
}

function Areas({ role, accountUrl }: Pick<CurrentUser, "role" | "accountUrl">) {
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  const here = areaOf(pathname).to;
  // Where the links are wider than the screen, scrolls to the current page's link.
  useEffect(() => {
    const entry = nav.current?.querySelector<HTMLElement>(`[href="${here}"]`);
    if (entry) nav.current?.scrollTo({ left: entry.offsetLeft - 48 });
  }, [here]);
  return (
    <nav
      ref={nav}
      aria-label="Administration"
      className="side-scroll relative border-line border-b bg-surface lg:sticky lg:top-0 lg:h-fit lg:border-b-0 lg:bg-transparent lg:pt-8 lg:pl-4"
    >
      <ul className="flex gap-1 px-(--margin) py-1.5 lg:grid lg:gap-0.5 lg:p-0">
        {areas
          .filter(({ permission }) => roleMay(role, permission))
          .map(({ label, to }) => (
            <li key={to}>
              <Link
                to={to}
                aria-current={to === here ? "page" : undefined}
                className={cx(
                  "flex min-h-10 items-center whitespace-nowrap rounded-sm px-3 text-sm focus-visible:-outline-offset-2",
                  to === here ? "bg-ink font-bold text-canvas" : "text-ink-soft hover:bg-sunken hover:text-ink",
                )}
              >
                {label}
                {to === "/admin/questions" && <OpenQuestions />}
              </Link>
            </li>
          ))}
        {accountUrl && (
          <li>
            <a
              href={accountUrl}
              className="flex min-h-10 items-center whitespace-nowrap rounded-sm px-3 text-ink-soft text-sm hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2"
            >
              Your sign-in
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

/** How many wait, beside the link. */
function OpenQuestions() {
  const { data } = useQuery({ ...queryOf(countAdminQuestions, { query: {} }), staleTime: 60_000 });
  const waiting = data ? data.unanswered + data.reported : 0;
  if (waiting === 0) return null;
  return (
    <span className="printed ml-2 rounded-sm bg-tag px-1.5 py-0.5 text-tag-ink">
      {formatCount(waiting)} <span className="sr-only">waiting</span>
    </span>
  );
}
