import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { href } from "#contract/addresses.ts";
import { type CurrentUser, loginUrl, logoutUrl } from "#contract/identity/identity.ts";
import type { Tier } from "#contract/tiers.ts";
import { named, planName, titled } from "#ui/academy.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Badge } from "#ui/badge.tsx";
import { Wordmark } from "#ui/brand/wordmark.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { useRecovery } from "#ui/feedback/recovery.ts";
import { PageFooter } from "#ui/frame/footer.tsx";
import { operateMenu } from "#ui/frame/operate-bar.ts";
import { PageFrame } from "#ui/frame/page-frame.tsx";
import { Icon } from "#ui/icon.tsx";
import { fullNameOf, useCurrentUser } from "./current-user.ts";

interface StudentPageProps {
  /** Without the academy's name, which is appended. */
  title: string;
  description: string;
  /** How the bar names the user. Defaults to the email address. */
  nameOf?: (user: CurrentUser) => string;
  /** Shown beside the name. */
  tier?: Tier | null | undefined;
  className?: string;
  children: ReactNode;
}

/** A page of the student's area: the bar with all of its pages, the content, and a footer of one line. */
export function StudentPage({
  title,
  description,
  nameOf = ({ email }) => email,
  tier,
  className = "pt-8 pb-20 sm:pt-12",
  children,
}: StudentPageProps) {
  const { user } = useCurrentUser();
  return (
    <PageFrame
      title={titled(title)}
      description={description}
      header={<StudentBar user={user} name={user ? nameOf(user) : ""} tier={tier} />}
      footer={<PageFooter />}
      className={className}
    >
      {children}
    </PageFrame>
  );
}

const studentLinks = [
  { label: "Dashboard", to: href.dashboard() },
  { label: "Course Access", to: href.courseAccess() },
  { label: "Coaching", to: href.coaching() },
  { label: "Resources", to: href.resources() },
  { label: "Profile", to: href.profile() },
];

interface StudentBarProps {
  /** Null for a visitor, undefined while unknown. */
  user: CurrentUser | null | undefined;
  name: string;
  tier: Tier | null | undefined;
}

/** The bar of the student's area. */
export function StudentBar({ user, name, tier }: StudentBarProps) {
  const bar = useRef<HTMLElement>(null);
  const { pathname, search } = useLocation();
  useEffect(() => (bar.current ? operateMenu(bar.current) : undefined), []);
  const isResources = pathname === href.dashboard() && new URLSearchParams(search).get("tab") === "resources";
  const here = isResources ? href.resources() : pathname;
  const links = [...teamLinks(user), ...studentLinks].map((link) => ({
    ...link,
    "aria-current": link.to === here ? ("page" as const) : undefined,
  }));
  const recovery = useRecovery();
  const {
    label: signIn,
    to: signInUrl,
    onPress,
  } = recovery?.link ?? { label: "Login", to: loginUrl(pathname + search) };
  const person = user && <Person user={user} name={name} tier={tier} />;
  return (
    <header ref={bar} className="relative z-40 border-edge border-b-2 bg-surface">
      <div className="page-width flex min-h-14 items-center gap-x-3 py-1 xl:min-h-18 xl:gap-x-5">
        <a href={href.home()} aria-label={named("{academy}, home")} className="mr-auto flex min-w-0 sm:shrink-0">
          <Wordmark compact />
        </a>
        {/* Present from the start, because screen readers announce only changes of it. */}
        <p role="status" className="text-sm empty:sr-only max-sm:sr-only">
          {recovery?.sentence}
        </p>
        {user === null || recovery ? (
          <a
            href={signInUrl}
            onClick={onPress}
            className={buttonStyle({ variant: "outline", size: "small", className: "my-2" })}
          >
            {signIn}
          </a>
        ) : (
          <>
            <nav aria-label="Main" className="hidden xl:block">
              <ul className="flex">
                {links.map(({ label, ...link }) => (
                  <li key={label}>
                    <Link
                      {...link}
                      className="inline-flex min-h-11 items-center whitespace-nowrap px-2.5 font-semibold text-sm decoration-2 underline-offset-8 hover:underline aria-[current]:underline 2xl:px-3 2xl:text-base"
                    >
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
            {person && <div className="flex min-w-0 items-center gap-3 max-sm:hidden">{person}</div>}
            <a
              href={logoutUrl}
              className={buttonStyle({ variant: "outline", size: "small", className: "max-xl:hidden" })}
            >
              Logout
            </a>
            <details className="group xl:hidden">
              <summary className="-mr-[12px] grid size-[48px] list-none place-items-center [&::-webkit-details-marker]:hidden">
                <span className="sr-only">Menu</span>
                <Icon name="menu" className="size-[24px] stroke-[2.5] group-open:hidden" />
                <Icon name="cross" className="hidden size-[24px] stroke-[1.7] group-open:block" />
              </summary>
              <nav
                aria-label="Menu"
                className="absolute inset-x-0 top-full max-h-[calc(100dvh-100%)] overflow-y-auto border-edge border-y-2 bg-surface px-(--margin) pb-6"
              >
                <ul>
                  {links.map(({ label, ...link }) => (
                    <li key={label} className="border-line border-b">
                      <Link
                        {...link}
                        className="wide block py-2.5 text-xl decoration-2 underline-offset-6 aria-[current]:underline"
                      >
                        {label}
                      </Link>
                    </li>
                  ))}
                </ul>
                <div className="mt-4 flex flex-wrap items-center gap-3 sm:hidden">{person}</div>
                <a href={logoutUrl} className={buttonStyle({ variant: "outline", wide: true, className: "mt-4" })}>
                  Logout
                </a>
              </nav>
            </details>
          </>
        )}
      </div>
    </header>
  );
}

/** Where a member of the team works. */
function teamLinks(user: CurrentUser | null | undefined) {
  return [
    ...(user?.role ? [{ label: "Admin", to: href.admin() }] : []),
    ...(user?.isCoach ? [{ label: "Coach", to: href.coach() }] : []),
  ];
}

function Person({ user, name, tier }: { user: CurrentUser; name: string; tier: Tier | null | undefined }) {
  return (
    <>
      <Avatar name={fullNameOf(user)} imageUrl={user.profileImageUrl} />
      <p className="min-w-0 shrink-999 truncate text-sm">{name}</p>
      {tier && (
        <Badge tone="tag" className="min-w-0 whitespace-normal!">
          {planName(tier)}
        </Badge>
      )}
    </>
  );
}
