import { academy, named } from "#ui/academy.ts";

/** The texts at the bottom of every page. */
export function SmallPrint() {
  const { resultsTitle, results, about, independence } = academy().footer;
  return (
    <div className="page-grid gap-y-6 text-fine text-rail-soft">
      <div className="col-span-full md:col-span-6 lg:col-span-8">
        <h2 className="mb-1 font-bold text-rail-ink">{named(resultsTitle)}</h2>
        <p className="max-w-[84ch]">{named(results)}</p>
      </div>
      <div className="col-span-full grid content-start gap-3 md:col-span-6 lg:col-span-4">
        {about && <p>{named(about)}</p>}
        {independence && <p>{named(independence)}</p>}
      </div>
    </div>
  );
}
