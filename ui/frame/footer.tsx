import { href } from "#contract/addresses.ts";
import { academy, named } from "#ui/academy.ts";
import { Wordmark } from "#ui/brand/wordmark.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import type { LandingClaims } from "./landing-claims.ts";
import { PrivacyChoices } from "./privacy-choices.tsx";
import { SmallPrint } from "./small-print.tsx";
import { SupportLink } from "./support.tsx";

const links: { label: string; to: string; claims?: keyof LandingClaims }[] = [
  { label: "Course", to: href.section("course"), claims: "hasCourse" },
  { label: "Instructor", to: href.section("instructor"), claims: "hasInstructor" },
  { label: "Reviews", to: href.section("testimonials"), claims: "hasReviews" },
  { label: "Pricing", to: href.section("pricing") },
  { label: "Questions", to: href.section("faq"), claims: "hasQuestions" },
  { label: "Contact", to: href.contact() },
];

const policies = [
  { label: "Privacy Policy", to: href.privacyPolicy() },
  { label: "Terms of Service", to: href.termsOfService() },
  { label: "Site map", to: href.siteMap() },
];

const policyStyle = "inline-flex min-h-8 items-center underline underline-offset-4";

/** Three columns, aligned with the plans and topics above. */
export function SiteFooter({ claims }: { claims: LandingClaims | undefined }) {
  const { footer } = academy();
  const shown = links.filter((link) => !link.claims || (claims?.[link.claims] ?? true));
  return (
    <footer className="grid gap-y-12 bg-rail pt-16 pb-20 text-rail-ink md:pt-20 print:hidden">
      <div className="page-grid gap-y-10">
        <p className="wide col-span-full max-w-[13ch] text-title lg:col-span-4">{named(footer.tagline)}</p>
        <nav aria-label="Footer" className="col-span-full md:col-span-6 lg:col-span-4">
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-x-(--gutter) md:-mt-2">
            {shown.map((link) => (
              <li key={link.label}>
                <a href={link.to} className="inline-flex min-h-10 items-center font-semibold hover:underline">
                  {link.label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <section
          id="contact"
          tabIndex={-1}
          aria-labelledby="contact-title"
          className="col-span-full grid content-start justify-items-start gap-2 md:col-span-6 lg:col-span-4"
        >
          <h2 id="contact-title" className="font-bold">
            Contact
          </h2>
          <p className="text-rail-soft">Write to us. We typically answer within 24 hours.</p>
          <SupportLink className="printed break-all text-base text-tag underline decoration-2 underline-offset-6" />
          <a href={href.contact()} className={buttonStyle({ variant: "tag", size: "small", className: "mt-3" })}>
            Contact us
          </a>
        </section>
      </div>
      <SmallPrint />
      <div className="page-grid items-center gap-y-4">
        <hr className="col-span-full mb-4 border-rail-soft/40" />
        <span className="col-span-full lg:col-span-4">
          <Wordmark />
        </span>
        <ul className="col-span-full flex flex-wrap gap-x-6 text-sm md:col-span-6 lg:col-span-4">
          {policies.map((link) => (
            <li key={link.label}>
              <a href={link.to} className={policyStyle}>
                {link.label}
              </a>
            </li>
          ))}
          <li className="if-measured">
            <PrivacyChoices className={policyStyle} />
          </li>
        </ul>
        {/* The year may have changed since the page was built. */}
        <p suppressHydrationWarning className="printed col-span-full text-rail-soft md:col-span-6 lg:col-span-4">
          {copyright()}
        </p>
      </div>
    </footer>
  );
}

/** A footer of one line, for the student's area. */
export function PageFooter() {
  const links = [{ label: "Contact", to: href.contact() }, ...policies.slice(0, 2)];
  return (
    <footer className="border-line border-t print:hidden">
      <div className="page-width flex flex-wrap items-center gap-x-6 py-3 text-ink-soft text-sm">
        <p className="printed mr-auto">{copyright()}</p>
        {links.map((link) => (
          <a key={link.label} href={link.to} className={policyStyle}>
            {link.label}
          </a>
        ))}
        <PrivacyChoices className={`if-measured ${policyStyle}`} />
      </div>
    </footer>
  );
}

function copyright(): string {
  return named(academy().footer.copyright).replace("{year}", String(new Date().getFullYear()));
}
