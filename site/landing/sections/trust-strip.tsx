import type { CopyOnPages } from "#contract/copy.ts";

/** Claims in a row, under the shelf; only space once all of them are taken off. */
export function TrustStrip({ items }: { items: CopyOnPages["hero"]["trust"] }) {
  if (items.length === 0) return <div className="h-12 lg:h-16" />;
  return (
    <div className="mt-10 bg-rail py-4 text-rail-ink lg:mt-0 lg:py-5">
      <ul className="page-grid gap-y-3">
        {items.map(({ id, value, label }) => (
          <li key={id} className="col-span-full flex items-baseline gap-3 sm:col-span-4">
            {/* The space is for anybody who reads or searches the text. */}
            <span className="narrow whitespace-nowrap text-title text-tag">{value}</span>{" "}
            <span className="font-semibold leading-tight">{label}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
