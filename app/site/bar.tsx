import { cx } from "class-variance-authority";
import { useEffect, useRef } from "react";
import { loginUrl, logoutUrl } from "#contract/identity/identity.ts";
import { href } from "../addresses.ts";
import { useCurrentUser } from "../identity/current-user.ts";
import { PageLink } from "../navigation/navigation.tsx";
import { useLocation } from "../navigation/router.tsx";
import { Wordmark } from "../ui/brand/wordmark.tsx";
import { useScrolledPast } from "../ui/browser-state.ts";
import { buttonStyle } from "../ui/controls/button.tsx";

/** Pixels of scrolling after which the bar gets a ground of its own. */
const restyleAfter = 10;

interface BarLink {
  label: string;
  to: string;
  look?: "outline" | "tag";
}

const sectionLinks: BarLink[] = [
  { label: "Course", to: href.section("course") },
  { label: "Instructor", to: href.section("instructor") },
  { label: "Reviews", to: href.section("testimonials") },
  { label: "Pricing", to: href.section("pricing") },
  { label: "Contact", to: href.contact() },
];

const visitorLinks: BarLink[] = [
  { label: "Login", to: loginUrl() },
  { label: "Sign Up", to: href.signup(), look: "outline" },
  { label: "Enroll Now", to: href.section("pricing"), look: "tag" },
];

const studentLinks: BarLink[] = [
  { label: "Dashboard", to: href.dashboard() },
  { label: "Profile", to: href.profile() },
  { label: "Logout", to: logoutUrl, look: "outline" },
];

/**
 * The navigation bar. Until the server has said who is there it is the visitor's, which browsers that may be signed in
 * do not get to see.
 */
export function SiteBar() {
  const { user, isPending } = useCurrentUser();
  const isScrolled = useScrolledPast(restyleAfter);
  const menu = useMenuThatCloses();

  const links = user ? [] : sectionLinks;
  const actions = user ? studentLinks : visitorLinks;
  const whileUnknown = isPending && "unless-session";
  return (
    <header
      className={cx(
        "site-bar transition-[background-color,box-shadow] duration-200",
        "has-[details[open]]:bg-surface has-[details[open]]:shadow-[0_2px_0_var(--ink)]",
        isScrolled && "bg-surface shadow-[0_2px_0_var(--ink)]",
      )}
    >
      <div className="shelf-grid">
        <div className="col-span-full flex min-h-18 items-center gap-6">
          <PageLink to={href.home()} aria-label="Academy, home" className="mr-auto flex">
            <Wordmark />
          </PageLink>
          <nav aria-label="Main" className={cx("hidden items-center gap-1 lg:flex", whileUnknown)}>
            {links.map((link) => (
              <BarItem key={link.label} {...link} />
            ))}
            <span className="ml-4 flex items-center gap-2">
              {actions.map((link) => (
                <BarItem key={link.label} {...link} />
              ))}
            </span>
          </nav>
          {/* Opens before any script has arrived. */}
          <details ref={menu} className="group lg:hidden">
            <summary className="-mr-3 grid size-12 list-none place-items-center [&::-webkit-details-marker]:hidden">
              <span className="sr-only">Menu</span>
              <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6 fill-none stroke-[2.5] stroke-current">
                <path d="M2 6h20M2 12h20M2 18h13" className="group-open:hidden" />
                <path d="m4 4 16 16M20 4 4 20" className="hidden group-open:block" />
              </svg>
            </summary>
            <nav
              aria-label="Menu"
              className={cx(
                "absolute inset-x-0 top-full max-h-[calc(100dvh-4.5rem)] overflow-y-auto bg-surface px-(--margin) pt-2 pb-8",
                "shadow-[0_2px_0_var(--ink)]",
                whileUnknown,
              )}
            >
              <ul className="grid">
                {links.map((link) => (
                  <li key={link.label} className="border-line border-b">
                    <PageLink to={link.to} className="wide block py-3 text-2xl">
                      {link.label}
                    </PageLink>
                  </li>
                ))}
              </ul>
              <div className="mt-6 grid gap-3">
                {actions.map((link) => (
                  <PageLink
                    key={link.label}
                    to={link.to}
                    className={buttonStyle({ variant: link.look ?? "quiet", size: "large", wide: true })}
                  >
                    {link.label}
                  </PageLink>
                ))}
              </div>
            </nav>
          </details>
        </div>
      </div>
    </header>
  );
}

/** Following a link, Escape and a press outside close the menu. */
function useMenuThatCloses() {
  const menu = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  const shownKey = useRef(key);
  useEffect(() => {
    // A menu that was opened before the page was taken over stays as it is.
    if (shownKey.current !== key && menu.current) menu.current.open = false;
    shownKey.current = key;
  }, [key]);
  useEffect(() => {
    const close = (event: Event) => {
      const element = menu.current;
      if (!element?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        element.querySelector("summary")?.focus();
      } else if (element.contains(event.target as Node)) {
        // A link's page may be a while on its way.
        if (event.type !== "click" || !(event.target as Element).closest("a")) return;
      }
      element.open = false;
    };
    window.addEventListener("keydown", close);
    window.addEventListener("pointerdown", close);
    window.addEventListener("click", close);
    return () => {
      window.removeEventListener("keydown", close);
      window.removeEventListener("pointerdown", close);
      window.removeEventListener("click", close);
    };
  }, []);
  return menu;
}

function BarItem({ label, to, look }: BarLink) {
  const { pathname } = useLocation();
  const plain =
    "inline-flex min-h-11 items-center px-3 font-semibold decoration-2 underline-offset-8 hover:underline aria-[current]:underline";
  return (
    <PageLink
      to={to}
      aria-current={to === pathname ? "page" : undefined}
      className={look ? buttonStyle({ variant: look, size: "small" }) : plain}
    >
      {label}
    </PageLink>
  );
}
