import type { CopyOnPages } from "#contract/copy.ts";
import { Prose } from "#site/prose.tsx";
import { Barcode } from "#ui/brand/bars.tsx";
import { Picture } from "../pictures/picture.tsx";
import { Portrait } from "../pictures/portrait.tsx";
import { SectionHeading } from "../section-heading.tsx";

type Teacher = NonNullable<CopyOnPages["instructor"]>;

export function Instructor({ instructor }: { instructor: Teacher }) {
  return (
    <section
      id="instructor"
      tabIndex={-1}
      aria-labelledby="instructor-title"
      className="block-space when-near bg-sunken"
    >
      <div className="page-grid gap-y-14">
        <SectionHeading id="instructor-title" heading={instructor} className="col-span-full" />
        <NameBadge instructor={instructor} />
        <div className="col-span-full grid content-start gap-5 md:col-span-6 lg:col-start-7">
          <Prose text={instructor.bio} className="text-lead *:max-w-[62ch]" />
        </div>
        <blockquote className="wide col-span-full grid max-w-[24ch] gap-3 text-title lg:gap-5 lg:text-display">
          {instructor.quote.split(/(?<=\.) /).map((sentence, at) => (
            <p key={sentence} className="text-balance">
              {at === 0 ? sentence : <span className="marker">{sentence}</span>}
            </p>
          ))}
        </blockquote>
      </div>
    </section>
  );
}

/** A worker's name badge. */
function NameBadge({ instructor }: { instructor: Teacher }) {
  const [first, ...others] = instructor.name.split(" ");
  return (
    <div className="col-span-full md:col-span-6 lg:col-span-5">
      <div className="name-badge mx-auto max-w-md scheme-light -rotate-2 rounded-lg border-2 border-ink bg-surface text-ink shadow-raised lg:mx-0">
        <div className="ornament flex items-center justify-center rounded-t-[0.75rem] bg-tag py-4">
          <span className="h-3 w-20 rounded-full bg-tag-ink" />
        </div>
        <div className="px-6 pt-6 pb-7 sm:px-8">
          <div className="flex gap-5">
            {instructor.picture ? (
              <Picture
                picture={instructor.picture}
                className="aspect-[5/6] w-28 shrink-0 rounded-sm object-cover sm:w-36"
              />
            ) : (
              <Portrait className="w-28 shrink-0 sm:w-36" />
            )}
            <div className="flex flex-col justify-between gap-4">
              <p className="printed text-ink-soft">Your instructor is</p>
              <p className="text-balance font-semibold leading-tight">{instructor.role}</p>
            </div>
          </div>
          <p className="narrow mt-5 text-hero">{first}</p>
          <p className="narrow text-title">{others.join(" ")}</p>
          <Barcode value={instructor.name} className="mt-6 h-9 w-full" />
        </div>
      </div>
    </div>
  );
}

/** Testimonials, drawn as pages of notebooks. */
export function Testimonials({ copy }: { copy: CopyOnPages["testimonials"] }) {
  return (
    <section id="testimonials" tabIndex={-1} aria-labelledby="testimonials-title" className="block-space when-near">
      <div className="page-grid gap-y-14">
        <SectionHeading id="testimonials-title" heading={copy} className="col-span-full" />
        <ul className="col-span-full grid items-start gap-(--gutter) lg:grid-cols-3">
          {copy.testimonials.map(({ id, name, detail, quote, picture }) => (
            <li key={id} className="lg:even:mt-12 lg:last:mt-4">
              <figure className="notebook border border-line pt-11 pr-6 pb-6 pl-16 shadow-card">
                <blockquote className="mb-8 text-[1.0625rem] lg:min-h-32">
                  <p>{quote}</p>
                </blockquote>
                <figcaption className="flex items-center gap-4">
                  {picture && <Picture picture={picture} className="size-14 shrink-0 rounded-full object-cover" />}
                  <span>
                    <span className="block font-bold">{name}</span>
                    <span className="block text-ink-soft text-sm leading-(--rule)">{detail}</span>
                  </span>
                </figcaption>
              </figure>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
