import type { CopyOnPages } from "#contract/copy.ts";
import { SectionHeading } from "../section-heading.tsx";

/** A worked example of what the course teaches, on a page of a notebook. */
export function Sum({ sum }: { sum: CopyOnPages["example"] }) {
  return (
    <section aria-labelledby="sum-title" className="block-space when-near bg-sunken">
      <div className="page-grid items-center gap-y-12">
        <div className="col-span-full grid gap-8 lg:col-span-5">
          <SectionHeading id="sum-title" heading={sum} />
          <p>
            <a href="/#free-lessons" className="font-bold underline decoration-2 underline-offset-6">
              {sum.action}
            </a>
          </p>
        </div>
        <figure className="col-span-full lg:col-span-7 lg:pl-12">
          <div className="flex items-start justify-between gap-4 pb-6 sm:pr-10">
            <p className="whitespace-nowrap">
              <span className="printed mb-3 block">{sum.leftLabel}</span>
              <span className="headline-tag narrow pt-[0.09em] pb-[0.06em] text-price">{sum.leftValue}</span>
            </p>
            <svg
              aria-hidden="true"
              viewBox="0 0 120 24"
              className="mt-6 min-w-0 max-w-36 grow self-center fill-none stroke-3 stroke-scan"
            >
              <path d="M0 12h116M104 2l12 10-12 10" />
            </svg>
            <p className="whitespace-nowrap text-right">
              <span className="printed mb-3 block">{sum.rightLabel}</span>
              <span className="narrow block pt-[0.05em] text-price">{sum.rightValue}</span>
            </p>
          </div>
          <div className="notebook border border-line pt-11 pr-6 pb-7 pl-16 text-[1.0625rem] shadow-raised sm:pr-10">
            <p className="font-bold">{sum.item}</p>
            <dl className="worked-sum">
              {sum.lines.map(({ id, what, amount }) => (
                <div key={id}>
                  <dt>{what}</dt>
                  <dd>{amount}</dd>
                </div>
              ))}
              <div className="font-bold text-heading leading-(--rule)">
                <dt>{sum.resultLabel}</dt>
                <dd>
                  <span className="ringed">{sum.result}</span>
                </dd>
              </div>
            </dl>
          </div>
          <figcaption className="mt-4 max-w-[62ch] text-fine text-ink-soft">{sum.note}</figcaption>
        </figure>
      </div>
    </section>
  );
}
