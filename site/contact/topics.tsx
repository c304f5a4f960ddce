import type { ReactNode } from "react";
import { browsers, generalInquiries, support } from "#content/contact.ts";
import type { Elsewhere } from "#contract/communities.ts";
import type { CopyOnPages } from "#contract/copy.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { NumberRanges } from "#ui/number-ranges.tsx";

type ContactCopy = CopyOnPages["contact"];

export function Support({ copy, communities }: { copy: ContactCopy; communities: readonly Elsewhere[] }) {
  return (
    <section aria-labelledby="support-title">
      <h2 id="support-title" className="wide text-title">
        {support.title}
      </h2>
      <ul className="mt-6 border-ink border-t-2">
        {copy.support.map((topic) => (
          <Topic key={topic.id} {...topic} />
        ))}
        <Topic title={browsers.title} text={browsers.text} />
        {communities.length > 0 && (
          <Topic title={copy.programTitle} text={copy.programText}>
            <ul className="mt-4 flex flex-wrap gap-3">
              {communities.map(({ label, url }) => (
                <li key={url}>
                  <a href={url} rel="noreferrer" className={buttonStyle({ variant: "outline" })}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </Topic>
        )}
      </ul>
    </section>
  );
}

export function GeneralInquiries({ copy }: { copy: ContactCopy }) {
  return (
    <section aria-labelledby="general-title">
      <h2 id="general-title" className="wide text-title">
        {generalInquiries.title}
      </h2>
      <p className="mt-2 text-ink-soft">
        <NumberRanges text={copy.inquiriesLead} />
      </p>
      <ul className="mt-6 border-ink border-t-2">
        {copy.inquiries.map((topic) => (
          <Topic key={topic.id} {...topic} />
        ))}
      </ul>
    </section>
  );
}

interface TopicProps {
  title: string;
  text: string;
  /** What to include in the message, so that one reply is enough. */
  include?: string | null;
  children?: ReactNode;
}

function Topic({ title, text, include, children }: TopicProps) {
  return (
    <li className="grid gap-x-8 gap-y-1 border-line border-b py-6 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <h3 className="font-bold text-lg leading-snug">{title}</h3>
      <div>
        <p>{text}</p>
        {include && <p className="mt-2 text-ink-soft text-sm">{include}</p>}
        {children}
      </div>
    </li>
  );
}
