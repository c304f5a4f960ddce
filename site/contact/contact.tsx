import type { ReactNode } from "react";
import { contactForm, quickHelp } from "#content/contact.ts";
import { href } from "#contract/addresses.ts";
import type { Elsewhere } from "#contract/communities.ts";
import type { CopyOnPages } from "#contract/copy.ts";
import { academy, named } from "#ui/academy.ts";
import { PriceTag } from "#ui/brand/price-tag.tsx";
import type { LandingClaims } from "#ui/frame/landing-claims.ts";
import { BusinessHours, ContactInformation, RefundPolicy, ResponseTimes } from "./counter.tsx";
import { GeneralInquiries, Support } from "./topics.tsx";

/** The contact page. The form is passed as children. */
interface ContactProps {
  copy: CopyOnPages["contact"];
  communities: readonly Elsewhere[];
  claims: LandingClaims;
  children?: ReactNode;
}

export function Contact({ copy, communities, claims, children }: ContactProps) {
  return (
    <>
      <div className="page-grid items-start gap-y-12">
        <div className="col-span-full lg:col-span-7">
          <h1 className="wide max-w-[12ch] text-display">{copy.headline}</h1>
          <p className="mt-5 max-w-[44ch] text-ink-soft text-lead">{copy.lead}</p>
          <QuickHelp claims={claims} />
        </div>
        <div className="col-span-full lg:sticky lg:top-24 lg:col-span-5 lg:row-span-2">
          <PriceTag loud className="w-full">
            <h2 className="wide mb-6 text-heading">{contactForm.title}</h2>
            {children}
          </PriceTag>
        </div>
        <div className="col-span-full grid gap-16 lg:col-span-7 lg:pr-10">
          <Support copy={copy} communities={communities} />
          <GeneralInquiries copy={copy} />
        </div>
      </div>
      <div className="mt-20 bg-kraft-soft sm:mt-28">
        <div className="page-grid gap-y-6 py-16 sm:py-24">
          <RefundPolicy copy={copy} className="col-span-full" />
          <ContactInformation className="col-span-full lg:col-span-4" />
          <BusinessHours className="col-span-full md:col-span-6 lg:col-span-4" />
          <ResponseTimes copy={copy} className="col-span-full md:col-span-6 lg:col-span-4" />
        </div>
      </div>
      <section aria-labelledby="disclaimer-title" className="page-grid py-16 sm:py-24">
        <h2 id="disclaimer-title" className="wide col-span-full text-heading md:col-span-4">
          Results disclaimer
        </h2>
        <p className="col-span-full mt-4 max-w-[68ch] text-ink-soft md:col-span-8 md:mt-0">
          {named(academy().footer.results)}
        </p>
      </section>
    </>
  );
}

function QuickHelp({ claims }: { claims: LandingClaims }) {
  const isShown = { faq: claims.hasQuestions, course: claims.hasCourse, pricing: true };
  return (
    <nav aria-labelledby="quick-help-title" className="mt-10">
      <h2 id="quick-help-title" className="font-bold">
        {quickHelp.title}
      </h2>
      <ul className="mt-2 flex flex-wrap gap-x-7">
        {quickHelp.links
          .filter(({ section }) => isShown[section])
          .map(({ section, label }) => (
            <li key={section}>
              <a
                href={href.section(section)}
                className="inline-flex min-h-11 items-center font-semibold underline decoration-2 underline-offset-6"
              >
                {label}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  );
}
