import type { CopyOnPages } from "#contract/copy.ts";

/** Answers to common questions, below the plans. */
export function PricingNotes({ notes }: { notes: CopyOnPages["pricing"]["notes"] }) {
  return (
    <dl className="page-grid mt-16 gap-y-8 lg:mt-24">
      {notes.map(({ title, text }) => (
        <div key={title} className="col-span-full border-rail-soft/40 border-t pt-5 md:col-span-4">
          <dt className="font-bold leading-snug">{title}</dt>
          <dd className="mt-1.5 text-rail-soft text-sm leading-relaxed">{text}</dd>
        </div>
      ))}
    </dl>
  );
}
