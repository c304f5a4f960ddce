import { href } from "#contract/addresses.ts";
import type { CopyOnPages } from "#contract/copy.ts";
import { Prose } from "#site/prose.tsx";
import { Accordion, Fold } from "#ui/controls/accordion.tsx";
import { SectionHeading } from "../section-heading.tsx";

export function Questions({ copy }: { copy: CopyOnPages["questions"] }) {
  return (
    <section id="faq" tabIndex={-1} aria-labelledby="faq-title" className="block-space when-near">
      <div className="page-grid gap-y-12">
        <div className="col-span-full grid content-start gap-6 lg:col-span-5">
          <SectionHeading id="faq-title" heading={copy} />
          <p>
            {copy.askQuestion}{" "}
            <a href={href.contact()} className="font-bold underline decoration-2 underline-offset-6">
              {copy.askAction}
            </a>
          </p>
        </div>
        <Accordion className="col-span-full lg:col-span-7">
          {copy.questions.map(({ id, question, answer }) => (
            <Fold key={id} id={`faq-${id}`} name="faq" title={question}>
              <div className="grid max-w-[62ch] gap-3 text-ink-soft">
                <Prose text={answer} />
              </div>
            </Fold>
          ))}
        </Accordion>
      </div>
    </section>
  );
}
