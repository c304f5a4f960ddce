import type { ReactNode } from "react";
import { href } from "#contract/addresses.ts";
import type { CopyOnPages } from "#contract/copy.ts";
import type { PageFacts } from "#contract/page-facts.ts";
import { tiers } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import type { LandingClaims } from "#ui/frame/landing-claims.ts";

interface MapEntry {
  label: string;
  to: string;
  note: string;
}

const numbers = [
  "No",
  "One",
  "Two",
  "Three",
  "Four",
  "Five",
  "Six",
  "Seven",
  "Eight",
  "Nine",
  "Ten",
  "Eleven",
  "Twelve",
];

/** 1 and "answer" → "One answer" */
function counted(count: number, what: string): string {
  return `${numbers[count] ?? count} ${what}${count === 1 ? "" : "s"}`;
}

function sectionsOf(
  { topics, testimonials: { testimonials }, questions: { questions } }: CopyOnPages,
  claims: LandingClaims,
): MapEntry[] {
  const course = `${counted(topics.topics.length, "thing")} you will be able to do`;
  const entry = (label: string, section: Parameters<typeof href.section>[0], note: string, isShown = true) =>
    isShown ? [{ label, to: href.section(section), note }] : [];
  return [
    ...entry("Free lessons", "hero", "Training videos that play without an account"),
    ...entry("Course", "course", course, claims.hasCourse),
    ...entry("Instructor", "instructor", "Who teaches it", claims.hasInstructor),
    ...entry("Reviews", "testimonials", counted(testimonials.length, "review"), claims.hasReviews),
    ...entry("Pricing", "pricing", tiers.map(planName).join(", ")),
    ...entry("Questions", "faq", counted(questions.length, "answer"), claims.hasQuestions),
  ];
}

const groups: { title: string; entries: MapEntry[] }[] = [
  {
    title: "Start here",
    entries: [
      { label: "Contact", to: href.contact(), note: "Support, inquiries, hours and the message form" },
      { label: "Create your account", to: href.signup(), note: "An email address and a password" },
      { label: "Free preview", to: href.demoDashboard(), note: "The dashboard as a student sees it" },
      { label: "Changes", to: href.changes(), note: "New, corrected and replaced lessons, by month" },
      { label: "Verify a certificate", to: href.verify(), note: "Enter a code to check that a certificate is valid" },
    ],
  },
  {
    title: "For students",
    entries: [
      { label: "Dashboard", to: href.dashboard(), note: "Lessons, progress and resources" },
      { label: "Course access", to: href.courseAccess(), note: "Modules, downloads and community" },
      { label: "Coaching", to: href.coaching(), note: "Group sessions to join, 1-on-1 sessions to book" },
      { label: "Profile", to: href.profile(), note: "Your details and your plan" },
      { label: "Membership", to: href.subscription(), note: "What you have, until when, and your card" },
    ],
  },
  {
    title: "Legal",
    entries: [
      { label: "Privacy Policy", to: href.privacyPolicy(), note: "What we keep about you, and why" },
      { label: "Terms of Service", to: href.termsOfService(), note: "Plans, renewal, cancellation and refunds" },
    ],
  },
];

/** The site map for people. The build makes the one for search engines. */
export function SiteMap({ facts: { copy, communities, claims } }: { facts: PageFacts }) {
  const elsewhere = [...communities.communities, ...communities.externalSites];
  return (
    <div className="page-grid gap-y-16">
      <div className="col-span-full">
        <h1 className="wide text-display">Site map</h1>
        <p className="mt-5 max-w-[44ch] text-ink-soft text-lead">Every page and what you'll find there.</p>
      </div>
      <Group title="Home" className="lg:col-span-8">
        <ul className="grid sm:grid-cols-2 sm:gap-x-(--gutter)">
          <Entry label="Front page" to={href.home()} note="Where everything starts" />
          {sectionsOf(copy, claims).map((entry) => (
            <Entry key={entry.to} {...entry} />
          ))}
        </ul>
      </Group>
      {groups.map(({ title, entries }) => (
        <Group key={title} title={title} className="lg:col-span-4">
          <ul>
            {entries.map((entry) => (
              <Entry key={entry.to} {...entry} />
            ))}
          </ul>
        </Group>
      ))}
      <Group title="Technical information" className="lg:col-span-4">
        <ul>
          <Entry label="sitemap.xml" to="/sitemap.xml" note="This list for search engines" />
          <Entry label="robots.txt" to="/robots.txt" note="What crawlers may read" />
          <Line note="Retired: these pages of an earlier payment provider no longer exist">
            <code className="printed text-sm">/stripe-status</code> and{" "}
            <code className="printed text-sm">/stripe-test</code>
          </Line>
        </ul>
      </Group>
      {elsewhere.length > 0 && (
        <Group title="External resources">
          <ul className="grid sm:grid-cols-2 sm:gap-x-(--gutter)">
            {elsewhere.map(({ label, detail, url }) => (
              <Line key={url} note={detail}>
                <a href={url} rel="noreferrer" className={linkStyle}>
                  {label}
                </a>
              </Line>
            ))}
          </ul>
        </Group>
      )}
    </div>
  );
}

const linkStyle = "font-bold underline decoration-2 underline-offset-4";

function Group({ title, className = "", children }: { title: string; className?: string; children: ReactNode }) {
  const id = `${title.toLowerCase().replaceAll(" ", "-")}-title`;
  return (
    <section aria-labelledby={id} className={`col-span-full ${className}`}>
      <h2 id={id} className="wide border-ink border-b-2 pb-3 text-heading">
        {title}
      </h2>
      {children}
    </section>
  );
}

function Entry({ label, to, note }: MapEntry) {
  return (
    <Line note={note}>
      <a href={to} className={linkStyle}>
        {label}
      </a>
    </Line>
  );
}

function Line({ note, children }: { note: string; children: ReactNode }) {
  return (
    <li className="border-line border-b py-4">
      <p>{children}</p>
      <p className="text-ink-soft text-sm">{note}</p>
    </li>
  );
}
