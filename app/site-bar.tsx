import { cx } from "class-variance-authority";
import { useEffect, useState } from "react";
import { loginUrl, logoutUrl } from "#contract/identity.ts";
import { useCurrentUser } from "./identity/current-user.ts";
import { PageLink } from "./navigation.tsx";
import { usePlace } from "./router.tsx";
import { href } from "./routes.ts";
import { useScrolledPast } from "./ui/browser-state.ts";
import { buttonStyle } from "./ui/button.tsx";
import { Wordmark } from "./ui/wordmark.tsx";

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
  const [isOpen, setIsOpen] = useState(false);
  const { key } = usePlace();
  // biome-ignore lint/correctness/useExhaustiveDependencies: following any link closes the menu
  useEffect(() => setIsOpen(false), [key]);

  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = (event: KeyboardEvent) => event.key === "Escape" && setIsOpen(false);
    window.addEventListener("keydown", closeOnEscape);
    return () => window.removeEventListener("keydown", closeOnEscape);
  }, [isOpen]);

  const links = user ? [] : sectionLinks;
  const actions = user ? studentLinks : visitorLinks;
  const whileUnknown = isPending && "unless-session";
  return (
    <header
      className={cx(
        "fixed inset-x-0 top-0 z-50 transition-[background-color,box-shadow] duration-200",
        isScrolled || isOpen ? "bg-surface shadow-[0_2px_0_var(--ink)]" : "bg-transparent",
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
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls="bar-menu"
            onClick={() => setIsOpen(!isOpen)}
            className="-mr-3 grid size-12 place-items-center lg:hidden"
          >
            <span className="sr-only">{isOpen ? "Close menu" : "Open menu"}</span>
            <svg aria-hidden="true" viewBox="0 0 24 24" className="size-6 fill-none stroke-[2.5] stroke-current">
              <path d={isOpen ? "m4 4 16 16M20 4 4 20" : "M2 6h20M2 12h20M2 18h13"} />
            </svg>
          </button>
        </div>
      </div>
      <nav
        id="bar-menu"
        aria-label="Menu"
        hidden={!isOpen}
        className={cx("max-h-[calc(100dvh-4.5rem)] overflow-y-auto px-(--margin) pt-2 pb-8 lg:hidden", whileUnknown)}
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
    </header>
  );
}

function BarItem({ label, to, look }: BarLink) {
  const plain = "inline-flex min-h-11 items-center px-3 font-semibold decoration-2 underline-offset-8 hover:underline";
  return (
    <PageLink to={to} className={look ? buttonStyle({ variant: look, size: "small" }) : plain}>
      {label}
    </PageLink>
  );
}
