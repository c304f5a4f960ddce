import { hero } from "#content/landing/landing.ts";
import { Barcode } from "#ui/brand/barcode.tsx";

/** The words "price tag" hang in the headline as one. */
export function Headline() {
  const [before, after] = hero.headline.split("price tag");
  return (
    <>
      <p className="printed mb-5 flex items-center gap-3 text-balance sm:mb-7">
        <Barcode value={hero.eyebrow} className="h-4 w-14 shrink-0" />
        {hero.eyebrow}
      </p>
      {/* Large letters stand a little to the right of where their line begins. */}
      <h1 id="hero-title" className="wide -ml-[0.06em] text-hero max-md:[&>span]:ml-[0.06em]">
        {after === undefined ? (
          hero.headline
        ) : (
          <>
            {before}
            <span className="headline-tag">price tag</span>
            {after}
          </>
        )}
      </h1>
    </>
  );
}
