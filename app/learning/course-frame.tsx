import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { DeclinedBanner } from "#app/access/declined-banner.tsx";
import { fullNameOf } from "#app/identity/full-name.ts";
import { href } from "#contract/addresses.ts";
import { type CurrentUser, logoutUrl } from "#contract/identity/identity.ts";
import { type Tier, tierLabels } from "#contract/tiers.ts";
import { named, titled } from "#ui/academy.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Badge } from "#ui/badge.tsx";
import { Wordmark } from "#ui/brand/wordmark.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { PageFrame } from "#ui/frame/page-frame.tsx";

interface CourseFrameProps {
  title: string;
  description: string;
  /** On the right of the bar. Null while unknown. */
  actions: ReactNode;
  children: ReactNode;
}

/** A page of the student's area: wordmark, actions, content. */
export function CourseFrame({ title, description, actions, children }: CourseFrameProps) {
  return (
    <PageFrame
      title={titled(title)}
      description={description}
      header={<CourseBar>{actions ?? <ActionsPlaceholder />}</CourseBar>}
    >
      <div className="mx-auto w-full max-w-7xl px-(--margin) pt-6 pb-20 sm:pt-8">
        <DeclinedBanner />
        {children}
      </div>
    </PageFrame>
  );
}

/** The bar above the course: the wordmark, and its children on the right. */
export function CourseBar({ children }: { children?: ReactNode }) {
  return (
    <header className="border-edge border-b-2 bg-surface">
      <div className="mx-auto flex min-h-18 w-full max-w-7xl flex-wrap items-center gap-x-2 gap-y-2 sm:gap-x-6 px-(--margin) py-3">
        <a href={href.home()} aria-label={named("{academy}, home")} className="mr-auto flex">
          <Wordmark compact />
        </a>
        {children}
      </div>
    </header>
  );
}

/** A placeholder of the same height, which prevents a layout shift. */
function ActionsPlaceholder() {
  return (
    <>
      <div className="h-9" />
      <div className="order-last h-10 w-full lg:hidden" />
    </>
  );
}

/** Phones show four or five links in a row. The row clips overflow, so the focus outline is drawn inside. */
const inRow = "max-sm:px-1.5 max-sm:text-fine focus-visible:-outline-offset-2";

interface StudentActionsProps {
  user: CurrentUser;
  /** The student's name, as shown here. */
  name: string;
  tier: Tier | null;
  /** Links to other pages of the student's area. */
  links: readonly { label: string; to: string }[];
}

/** The student's name, tier and links. */
export function StudentActions({ user, name, tier, links }: StudentActionsProps) {
  return (
    <>
      <div className="flex min-w-0 flex-1 items-center justify-end gap-3 md:order-last md:w-full md:flex-none md:justify-start lg:order-none lg:w-auto">
        <Avatar name={fullNameOf(user)} imageUrl={user.profileImageUrl} />
        <p className="min-w-0 truncate text-sm">{name}</p>
        {tier && (
          <Badge tone="tag" className="shrink-0">
            {tierLabels[tier]}
          </Badge>
        )}
      </div>
      <nav aria-label="Account" className="side-scroll -mx-(--margin) w-[calc(100%+2*var(--margin))] md:mx-0 md:w-auto">
        <ul className="flex w-max min-w-full items-center justify-between px-[calc(var(--margin)-0.375rem)] xs:justify-end xs:gap-1 sm:gap-2 md:px-0">
          {[...(user.role ? [{ label: "Admin", to: href.admin() }] : []), ...links].map(({ label, to }) => (
            <li key={label}>
              <Link to={to} className={cx(buttonStyle({ variant: "quiet", size: "small" }), inRow)}>
                {label}
              </Link>
            </li>
          ))}
          <li className="max-md:pr-1.5 max-md:pl-1">
            <a href={logoutUrl} className={cx(buttonStyle({ variant: "outline", size: "small" }), inRow)}>
              Logout
            </a>
          </li>
        </ul>
      </nav>
    </>
  );
}
