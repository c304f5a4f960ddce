import type { CopyOnPages } from "#contract/copy.ts";

/** A row of claims. Only leaves space when all of them are hidden. */
export function TrustStrip({ items }: { items: CopyOnPages["hero"]["trust"] }) {
  if (items.length === 0) return <div className="h-12 lg:h-16" />;
  return (
    <div className="mt-10 bg-rail py-4 text-rail-ink lg:mt-0 lg:py-5">
      <ul className="page-grid gap-y-3">
        {items.map(({ id, value, label }) => (
          <li key={id} className="col-span-full flex items-baseline gap-3 sm:col-span-4">
            {/* The space separates the words for screen readers and search engines. */}
            <span className="narrow whitespace-nowrap text-title text-tag">{value}</span>{" "}
            <span className="font-semibold leading-tight">{label}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
