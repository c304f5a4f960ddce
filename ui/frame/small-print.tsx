import { resultsDisclaimer, smallPrint } from "#content/small-print.ts";
import { named } from "#ui/academy.ts";

/** What is said at the foot of every page and leads nowhere. */
export function SmallPrint() {
  return (
    <div className="shelf-grid gap-y-6 text-fine text-rail-soft">
      <div className="col-span-full md:col-span-6 lg:col-span-8">
        <h2 className="mb-1 font-bold text-rail-ink">{resultsDisclaimer.title}</h2>
        <p className="max-w-[84ch]">{resultsDisclaimer.text}</p>
      </div>
      <div className="col-span-full grid content-start gap-3 md:col-span-6 lg:col-span-4">
        <p>{named(smallPrint.about)}</p>
        <p>{named(smallPrint.independence)}</p>
      </div>
    </div>
  );
}
