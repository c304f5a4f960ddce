import type { ReactNode } from "react";
import { generalInquiries, type HelpTopic, support } from "#content/contact.ts";
import type { Elsewhere } from "#contract/communities.ts";
import { buttonStyle } from "#ui/controls/button.tsx";

export function Support({ communities }: { communities: readonly Elsewhere[] }) {
  const { title, topics, program } = support;
  return (
    <section aria-labelledby="support-title">
      <h2 id="support-title" className="wide text-title">
        {title}
      </h2>
      <ul className="mt-6 border-ink border-t-2">
        {topics.map((topic) => (
          <Topic key={topic.title} {...topic} />
        ))}
        {communities.length > 0 && (
          <Topic title={program.title} text={program.text}>
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

export function GeneralInquiries() {
  return (
    <section aria-labelledby="general-title">
      <h2 id="general-title" className="wide text-title">
        {generalInquiries.title}
      </h2>
      <p className="mt-2 text-ink-soft">{generalInquiries.lead}</p>
      <ul className="mt-6 border-ink border-t-2">
        {generalInquiries.topics.map((topic) => (
          <Topic key={topic.title} {...topic} />
        ))}
      </ul>
    </section>
  );
}

function Topic({ title, text, include, children }: HelpTopic & { children?: ReactNode }) {
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
