import { footer, resultsDisclaimer } from "#content/site.ts";
import { PrivacyChoices } from "../analytics/privacy-choices.tsx";
import { PageLink } from "../navigation/navigation.tsx";
import { href } from "../routes.ts";
import { Barcode } from "../ui/brand/barcode.tsx";
import { Wordmark } from "../ui/brand/wordmark.tsx";
import { buttonStyle } from "../ui/controls/button.tsx";
import { SupportLink } from "./support.tsx";

const links = [
  { label: "Course", to: href.section("course") },
  { label: "Instructor", to: href.section("instructor") },
  { label: "Reviews", to: href.section("testimonials") },
  { label: "Pricing", to: href.section("pricing") },
  { label: "Questions", to: href.section("faq") },
  { label: "Contact", to: href.contact() },
];

const smallPrint = [
  { label: "Privacy Policy", to: href.privacyPolicy() },
  { label: "Terms of Service", to: href.termsOfService() },
  { label: "Site map", to: href.siteMap() },
];

const smallPrintStyle = "inline-flex min-h-8 items-center underline underline-offset-4";

export function SiteFooter() {
  return (
    <footer className="when-near bg-rail text-rail-ink">
      <div className="shelf-grid gap-y-14 pt-20 pb-24 md:pt-28">
        <div className="col-span-full md:col-span-7">
          <p className="wide max-w-[14ch] text-title lg:text-display">{footer.tagline}</p>
        </div>
        <section
          id="contact"
          aria-labelledby="contact-title"
          className="col-span-full grid content-start justify-items-start gap-3 md:col-span-5 md:col-start-8 lg:col-span-4 lg:col-start-9"
        >
          <h2 id="contact-title" className="font-bold text-heading">
            Contact
          </h2>
          <p className="text-rail-soft">Write to us. We typically answer within 24 hours.</p>
          <SupportLink className="printed break-all text-base text-tag underline decoration-2 underline-offset-6" />
          <PageLink to={href.contact()} className={buttonStyle({ variant: "tag", size: "small", className: "mt-2" })}>
            Contact us
          </PageLink>
        </section>
        <nav aria-label="Footer" className="col-span-full md:col-span-3">
          <ul className="grid grid-cols-2 gap-x-6 md:grid-cols-1">
            {links.map((link) => (
              <li key={link.label}>
                <PageLink to={link.to} className="inline-flex min-h-10 items-center font-semibold hover:underline">
                  {link.label}
                </PageLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="col-span-full grid gap-5 text-fine text-rail-soft md:col-span-9 lg:grid-cols-2 lg:gap-10">
          <div>
            <h2 className="mb-1 font-bold text-rail-ink">{resultsDisclaimer.title}</h2>
            <p>{resultsDisclaimer.text}</p>
          </div>
          <div className="grid content-start gap-3">
            <p>{footer.about}</p>
            <p>{footer.independence}</p>
          </div>
        </div>
        <div className="col-span-full flex flex-wrap items-end justify-between gap-6 border-rail-soft/40 border-t pt-8">
          <Wordmark />
          <ul className="flex flex-wrap gap-x-6 text-sm">
            {smallPrint.map((link) => (
              <li key={link.label}>
                <PageLink to={link.to} className={smallPrintStyle}>
                  {link.label}
                </PageLink>
              </li>
            ))}
            <li className="empty:hidden">
              <PrivacyChoices className={smallPrintStyle} />
            </li>
          </ul>
          <Barcode value="academy" className="hidden h-8 w-40 lg:block" />
          {/* The year may have turned since the page was prerendered. */}
          <p suppressHydrationWarning className="printed text-rail-soft">
            {footer.copyright.replace("{year}", String(new Date().getFullYear()))}
          </p>
        </div>
      </div>
    </footer>
  );
}
