import type { Module } from "#contract/catalogue.ts";
import type { CopyOnPages } from "#contract/copy.ts";
import { Badge, OpensAt } from "#ui/badge.tsx";
import { Barcode } from "#ui/brand/bars.tsx";
import { OpenBox } from "../pictures/open-box.tsx";
import { drawings, TopicNumber } from "../pictures/topic-pictures.tsx";
import { SectionHeading } from "../section-heading.tsx";

/** Topics, drawn as boxes on shelves with labels below. */
export function Topics({ copy, catalogue }: { copy: CopyOnPages["topics"]; catalogue: readonly Module[] }) {
  return (
    <section id="course" tabIndex={-1} aria-labelledby="course-title" className="block-space when-near">
      <div className="page-grid gap-y-14">
        <SectionHeading id="course-title" heading={copy} className="col-span-full" />
        <ol className="col-span-full grid gap-x-(--gutter) gap-y-8 overflow-x-clip sm:gap-y-12 sm:grid-cols-2 lg:grid-cols-3">
          {copy.topics.map((topic, position) => {
            const Picture = topic.picture && drawings[topic.picture];
            const module = catalogue.find(({ id }) => id === topic.moduleId);
            return (
              <li
                key={topic.id}
                className="grid-cols-[6.5rem_1fr] gap-x-5 max-sm:grid max-sm:items-end sm:flex sm:flex-col"
              >
                <div className="sm:px-8">{Picture ? <Picture /> : <TopicNumber number={position + 1} />}</div>
                <div className="ledge h-3 bg-edge max-sm:order-last max-sm:col-span-2 shadow-[var(--gutter)_0_0_var(--edge)]" />
                <div className="flex grow flex-col gap-2 max-sm:pb-4 sm:rounded-b-sm sm:border sm:border-line sm:border-t-0 sm:bg-surface sm:p-6">
                  <h3 className="wide text-heading">{topic.title}</h3>
                  <p className="grow text-ink-soft">{topic.sentence}</p>
                  <p className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:mt-3 sm:min-h-7">
                    {module && <span className="printed">Module {module.position}</span>}
                    {module?.comingSoon && (
                      <Badge tone="kraft">
                        <OpensAt at={module.opensAt} />
                      </Badge>
                    )}
                  </p>
                </div>
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}

/** The contents of an enrollment, drawn as a packing slip. */
export function Materials({ copy }: { copy: CopyOnPages["materials"] }) {
  return (
    <section aria-labelledby="materials-title" className="block-space when-near bg-kraft-soft">
      <div className="page-grid gap-y-12">
        <div className="col-span-full flex flex-col justify-between gap-10 lg:col-span-5">
          <SectionHeading id="materials-title" heading={copy} />
          {copy.hasPicture && <OpenBox className="hidden w-full max-w-md lg:block" />}
        </div>
        <div className="torn-bottom col-span-full bg-surface px-6 pt-8 sm:px-10 lg:col-span-7">
          <p className="printed flex items-center justify-between gap-4 border-ink border-b-2 pb-4">
            {copy.label}
            <Barcode value={copy.label} className="h-6 w-32" />
          </p>
          <ul>
            {copy.materials.map(({ title, detail, since }) => (
              <li
                key={title}
                className="grid grid-cols-[1.5rem_1fr] gap-x-4 border-line border-b border-dashed py-5 last:border-b-0 md:grid-cols-[1.5rem_11rem_1fr]"
              >
                <svg aria-hidden="true" viewBox="0 0 20 20" className="mt-1 size-5 fill-none stroke-2">
                  <path d="M1 1h18v18H1z" className="stroke-ink" />
                  <path d="m4 10 4 5 8-11" className="stroke-[2.5] stroke-scan" />
                </svg>
                <div className="grid content-start justify-items-start gap-1.5">
                  <h3 className="font-bold text-lg leading-snug">{title}</h3>
                  {since && <Badge tone="kraft">{since}</Badge>}
                </div>
                <p className="col-start-2 text-ink-soft md:col-start-3">{detail}</p>
              </li>
            ))}
          </ul>
        </div>
      </div>
    </section>
  );
}
