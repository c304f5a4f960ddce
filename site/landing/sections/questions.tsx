import { askUs, sectionHeadings } from "#content/landing/sections.ts";
import { href } from "#contract/addresses.ts";
import type { PageClaims } from "#contract/page-facts.ts";
import { Accordion, Fold } from "#ui/controls/accordion.tsx";
import { NumberRanges } from "#ui/number-ranges.tsx";
import { questionsOf } from "../questions.ts";
import { SectionHeading } from "../section-heading.tsx";

export function Questions({ claims }: { claims: PageClaims }) {
  return (
    <section id="faq" tabIndex={-1} aria-labelledby="faq-title" className="block-space when-near">
      <div className="shelf-grid gap-y-12">
        <div className="col-span-full grid content-start gap-6 lg:col-span-5">
          <SectionHeading id="faq-title" heading={sectionHeadings.faq} />
          <p>
            {askUs.question}{" "}
            <a href={href.contact()} className="font-bold underline decoration-2 underline-offset-6">
              {askUs.action}
            </a>
          </p>
        </div>
        <Accordion className="col-span-full lg:col-span-7">
          {questionsOf(claims).map(({ id, question, answer }) => (
            <Fold key={id} id={`faq-${id}`} name="faq" title={question}>
              <p className="max-w-[62ch] text-ink-soft">
                <NumberRanges text={answer} />
              </p>
            </Fold>
          ))}
        </Accordion>
      </div>
    </section>
  );
}
