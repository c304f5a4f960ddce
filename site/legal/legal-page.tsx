import type { CopyOnPages } from "#contract/copy.ts";
import { Prose } from "#site/prose.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { PrivacyChoices } from "#ui/frame/privacy-choices.tsx";
import { WithSupportLinks } from "#ui/frame/support.tsx";

type LegalText = CopyOnPages["terms" | "privacy"];

const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

interface LegalPageProps {
  document: LegalText;
  /** The page's own path, for the links of its table of contents. */
  path: string;
}

/** A legal text with a table of contents. Each section has an anchor. */
export function LegalPage({ document, path }: LegalPageProps) {
  const { title, lastUpdated, inShort, sections } = document;
  return (
    <div className="page-grid items-start gap-y-12">
      <div className="col-span-full">
        <h1 className="wide text-display">{title}</h1>
        <p className="printed mt-6 text-ink-soft">Last updated {day.format(new Date(lastUpdated))}</p>
      </div>
      <nav
        aria-labelledby="contents-title"
        className="col-span-full border-ink border-t-2 pt-4 lg:sticky lg:top-24 lg:col-span-4"
      >
        <h2 id="contents-title" className="font-bold">
          On this page
        </h2>
        <ol className="mt-2 gap-x-6 sm:columns-2 lg:columns-1 [&>li]:break-inside-avoid">
          {sections.map(({ id, title }, at) => (
            <li key={id}>
              <a href={`${path}#${id}`} className="flex min-h-9 items-center gap-3 hover:underline">
                <span aria-hidden="true" className="printed w-5 text-ink-soft">
                  {at + 1}
                </span>
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <article className="col-span-full max-w-[68ch] text-[1.0625rem] leading-relaxed lg:col-span-8 lg:col-start-5">
        {inShort.length > 0 && (
          <section aria-labelledby="short-title" className="rounded-md bg-kraft-soft p-6 sm:p-8">
            <h2 id="short-title" className="font-bold text-heading">
              In short
            </h2>
            <ul className="mt-3 grid list-disc gap-2 pl-5">
              {inShort.map((sentence) => (
                <li key={sentence}>
                  <WithSupportLinks text={sentence} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {sections.map((section, at) => (
          <Section key={section.id} number={at + 1} section={section} />
        ))}
      </article>
    </div>
  );
}

function Section({
  number,
  section: { id, title, text, privacyChoices },
}: {
  number: number;
  section: LegalText["sections"][number];
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="mt-14 grid gap-4">
      <h2 id={`${id}-title`} className="wide text-heading">
        <span aria-hidden="true" className="mr-3 text-ink-soft">
          {number}
        </span>
        {title}
      </h2>
      <Prose text={text} />
      {privacyChoices && (
        <PrivacyChoices className={buttonStyle({ variant: "outline", className: "if-measured justify-self-start" })} />
      )}
    </section>
  );
}
