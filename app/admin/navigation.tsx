import { useQuery } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "react-router";
import { queryOf } from "#app/api/query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { href } from "#contract/addresses.ts";
import { getWaiting, type Waiting } from "#contract/admin/statistics.ts";
import { logoutUrl } from "#contract/identity/identity.ts";
import type { StaffRole } from "#contract/roles.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { formatCount } from "#ui/format/numbers.ts";
import { operateMenu } from "#ui/frame/operate-bar.ts";
import { Icon } from "#ui/icon.tsx";
import { type AreaPage, areasOf } from "./areas.ts";

interface HereProps {
  role: StaffRole | null;
  /** The link of the page that is shown. */
  here: string;
}

/** The areas beside the page, on wide screens. */
export function AreaLinks({ role, here }: HereProps) {
  return (
    <nav aria-label="Administration" className="max-lg:hidden lg:sticky lg:top-0 lg:h-fit lg:pt-8 lg:pl-4">
      <Areas role={role} here={here} />
    </nav>
  );
}

/** The areas in a menu of the bar, on narrow screens, with the links of the account. */
export function AreaMenu({ here, children }: { here: string; children?: ReactNode }) {
  const { user } = useCurrentUser();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => (bar.current ? operateMenu(bar.current) : undefined), []);
  const role = user?.needsSecondFactor ? null : (user?.role ?? null);
  return (
    <div ref={bar} className="lg:hidden">
      <details className="group">
        <summary className="-mr-[12px] grid size-[48px] list-none place-items-center [&::-webkit-details-marker]:hidden">
          <span className="sr-only">Menu</span>
          <Icon name="menu" className="size-[24px] stroke-[2.5] group-open:hidden" />
          <Icon name="cross" className="hidden size-[24px] stroke-[1.7] group-open:block" />
        </summary>
        <div className="absolute inset-x-0 top-full max-h-[calc(100dvh-100%)] overflow-y-auto border-edge border-y-2 bg-surface px-(--margin) pt-3 pb-6">
          {role && (
            <nav aria-label="Administration">
              <Areas role={role} here={here} />
            </nav>
          )}
          <nav aria-label="Account" className="mt-3 flex flex-wrap gap-2 border-line border-t pt-4">
            <AccountLinks />
            {children}
          </nav>
        </div>
      </details>
    </div>
  );
}

function Areas({ role, here }: HereProps) {
  const waiting = useWaiting();
  return (
    <ul className="grid gap-x-4 gap-y-0.5 max-lg:xs:grid-cols-2">
      {areasOf(role).map(({ label, pages }) => {
        const isHere = pages.some(({ to }) => to === here);
        const [first] = pages;
        return (
          first && (
            <li key={label}>
              <Link
                to={first.to}
                aria-current={isHere ? (first.to === here ? "page" : "true") : undefined}
                className={cx(
                  "flex min-h-11 items-center justify-between gap-2 rounded-sm px-3 text-sm focus-visible:-outline-offset-2 lg:min-h-10",
                  isHere ? "bg-ink font-bold text-canvas" : "text-ink-soft hover:bg-sunken hover:text-ink",
                )}
              >
                {label}
                <Count pages={pages} waiting={waiting} />
              </Link>
            </li>
          )
        );
      })}
    </ul>
  );
}

/** The pages of the area, where it has more than one. */
export function AreaPages({ role, here }: HereProps): ReactNode {
  const waiting = useWaiting();
  const nav = useRef<HTMLElement>(null);
  // Where the links are wider than the screen, scrolls to the current page's link, and again when counts widen them.
  const isCounted = waiting !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const entry = nav.current?.querySelector<HTMLElement>(`[href="${here}"]`);
    if (entry) nav.current?.scrollTo({ left: entry.offsetLeft - 48 });
  }, [here, isCounted]);
  const area = areasOf(role).find(({ pages }) => pages.some(({ to }) => to === here));
  const pages =
    area?.pages.filter((page) => !page.isUnlisted || page.to === here || (page.waiting && waiting?.[page.waiting])) ??
    [];
  if (!area || pages.length < 2) return null;
  return (
    <nav ref={nav} aria-label={area.label} className="side-scroll relative -mx-(--margin) border-line border-b lg:mx-0">
      <ul className="flex gap-x-1 px-(--margin) max-sm:w-max max-sm:px-[calc(var(--margin)-0.625rem)] lg:px-0">
        {pages.map((page) => (
          <li key={page.to}>
            <Link
              to={page.to}
              aria-current={page.to === here ? "page" : undefined}
              className="-mb-px flex min-h-12 items-center gap-2 whitespace-nowrap border-transparent border-b-3 px-3 pt-[3px] max-sm:px-2.5 text-ink-soft text-sm hover:text-ink focus-visible:-outline-offset-2 aria-[current]:border-ink aria-[current]:font-bold aria-[current]:text-ink"
            >
              {page.label}
              <Count pages={[page]} waiting={waiting} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const waitingWords: Readonly<Record<keyof Waiting, string>> = {
  messages: "to answer",
  questions: "to review",
  drafts: "unpublished",
  reviews: "to review",
  discrepancies: "open differences",
};

/** How much waits on the pages together, if anything does. */
function Count({ pages, waiting }: { pages: readonly AreaPage[]; waiting: Waiting | undefined }) {
  const counts = pages.flatMap((page) => {
    const count = page.waiting && waiting?.[page.waiting];
    return page.waiting && count ? [{ count, words: waitingWords[page.waiting] }] : [];
  });
  const [first, second] = counts;
  if (!first) return null;
  const title = counts.map(({ count, words }) => `${formatCount(count)} ${words}`).join(", ");
  return (
    <span className="printed rounded-sm bg-tag px-1.5 py-0.5 text-tag-ink forced-colors:bg-transparent" title={title}>
      {formatCount(counts.reduce((sum, { count }) => sum + count, 0))}{" "}
      <span className="sr-only">{second ? "waiting" : first.words}</span>
    </span>
  );
}

/** Counted anew every minute, since messages and questions come without an action on the page. */
export function useWaiting(): Waiting | undefined {
  const { user } = useCurrentUser();
  const { data } = useQuery({
    ...queryOf(getWaiting),
    enabled: Boolean(user?.role) && !user?.needsSecondFactor,
    staleTime: 60_000,
    refetchInterval: 60_000,
  });
  return data;
}

/** Where else the user may go from the administration. */
export function AccountLinks() {
  const { user } = useCurrentUser();
  const style = buttonStyle({ variant: "quiet", size: "small" });
  return (
    <>
      <Link to={href.dashboard()} className={style}>
        View course
      </Link>
      {user?.isCoach && (
        <Link to={href.coach()} className={style}>
          Coach
        </Link>
      )}
      {user?.role && user.accountUrl && (
        <a href={user.accountUrl} className={style}>
          Your sign-in
        </a>
      )}
      <a href={logoutUrl} className={style}>
        Logout
      </a>
    </>
  );
}
