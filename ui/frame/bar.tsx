import { cx } from "class-variance-authority";
import { href } from "#contract/addresses.ts";
import { loginUrl, logoutUrl } from "#contract/identity/identity.ts";
import { named } from "#ui/academy.ts";
import { Wordmark } from "#ui/brand/wordmark.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { Icon } from "#ui/icon.tsx";
import type { LandingClaims } from "./landing-claims.ts";

interface BarLink {
  label: string;
  to: string;
  /** Whether the landing page has the linked section. Without it the link is hidden. */
  claims?: keyof LandingClaims;
  look?: "outline" | "tag";
}

const sectionLinks: BarLink[] = [
  { label: "Course", to: href.section("course"), claims: "hasCourse" },
  { label: "Instructor", to: href.section("instructor"), claims: "hasInstructor" },
  { label: "Reviews", to: href.section("testimonials"), claims: "hasReviews" },
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

const studentSections: BarLink[] = [
  ...sectionLinks.filter(({ label }) => ["Course", "Pricing", "Contact"].includes(label)),
  { label: "Coaching", to: href.coaching() },
  { label: "Resources", to: href.resources() },
];

/** Each document shows the form for its reader (`ui/styles/readers.css`). */
const forms = [
  { whose: "for-visitors", links: sectionLinks, actions: visitorLinks },
  { whose: "for-students", links: studentSections, actions: studentLinks },
];

/** The navigation bar of the page at `path`, as plain HTML. `operateBar` adds its behaviour. */
export function SiteBar({ path, claims }: { path: string; claims: LandingClaims | undefined }) {
  const leads = (link: BarLink) => !link.claims || (claims?.[link.claims] ?? true);
  return (
    <header
      className={cx(
        "site-bar transition-[background-color,box-shadow] duration-200",
        "has-[details[open]]:bg-surface has-[details[open]]:shadow-[0_2px_0_var(--ink)]",
        "data-scrolled:bg-surface data-scrolled:shadow-[0_2px_0_var(--ink)]",
      )}
    >
      <div className="page-grid">
        <div className="col-span-full flex min-h-18 items-center gap-6">
          <a href={href.home()} aria-label={named("{academy}, home")} className="mr-auto flex">
            <Wordmark />
          </a>
          <nav aria-label="Sections" className="hidden items-center gap-1 lg:flex for-students">
            {studentSections.filter(leads).map((link) => (
              <BarItem key={link.label} {...link} path={path} />
            ))}
          </nav>
          {forms.map(({ whose, links, actions }) => (
            <nav key={whose} aria-label="Main" className={cx("hidden items-center gap-1 lg:flex", whose)}>
              {whose === "for-visitors" &&
                links.filter(leads).map((link) => <BarItem key={link.label} {...link} path={path} />)}
              <span className="ml-4 flex items-center gap-2">
                {actions.map((link) => (
                  <BarItem key={link.label} {...link} path={path} />
                ))}
              </span>
            </nav>
          ))}
          <details className="group lg:hidden">
            <summary className="-mr-[12px] grid size-[48px] list-none place-items-center [&::-webkit-details-marker]:hidden">
              <span className="sr-only">Menu</span>
              <Icon name="menu" className="size-[24px] stroke-[2.5] group-open:hidden" />
              <Icon name="cross" className="hidden size-[24px] stroke-[1.7] group-open:block" />
            </summary>
            {forms.map(({ whose, links, actions }) => (
              <nav
                key={whose}
                aria-label="Menu"
                className={cx(
                  "absolute inset-x-0 top-full max-h-[calc(100dvh-4.5rem)] overflow-y-auto bg-surface px-(--margin) pt-2 pb-8",
                  "shadow-[0_2px_0_var(--ink)]",
                  whose,
                )}
              >
                <ul className="grid">
                  {links.filter(leads).map((link) => (
                    <li key={link.label} className="border-line border-b">
                      <a
                        href={link.to}
                        aria-current={link.to === path ? "page" : undefined}
                        className="wide block py-3 text-2xl decoration-2 underline-offset-8 aria-[current]:underline"
                      >
                        {link.label}
                      </a>
                    </li>
                  ))}
                </ul>
                <div className="mt-6 grid gap-3">
                  {actions.map((link) => (
                    <a
                      key={link.label}
                      href={link.to}
                      aria-current={link.to === path ? "page" : undefined}
                      className={buttonStyle({ variant: link.look ?? "quiet", size: "large", wide: true })}
                    >
                      {link.label}
                    </a>
                  ))}
                </div>
              </nav>
            ))}
          </details>
        </div>
      </div>
    </header>
  );
}

function BarItem({ label, to, look, path }: BarLink & { path: string }) {
  const plain =
    "inline-flex min-h-11 items-center px-3 font-semibold decoration-2 underline-offset-8 hover:underline aria-[current]:underline";
  return (
    <a
      href={to}
      aria-current={to === path ? "page" : undefined}
      className={look ? buttonStyle({ variant: look, size: "small" }) : plain}
    >
      {label}
    </a>
  );
}
