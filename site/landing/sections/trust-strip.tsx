import { trustStrip } from "#content/landing/sections.ts";

/** Three claims in a row, under the shelf. */
export function TrustStrip() {
  return (
    <div className="mt-10 bg-rail py-4 text-rail-ink lg:mt-0 lg:py-5">
      <ul className="shelf-grid gap-y-3">
        {trustStrip.map(({ value, label }) => (
          <li key={label} className="col-span-full flex items-baseline gap-3 sm:col-span-4">
            {/* The space is for anybody who reads or searches the text. */}
            <span className="narrow whitespace-nowrap text-title text-tag">{value}</span>{" "}
            <span className="font-semibold leading-tight">{label}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
