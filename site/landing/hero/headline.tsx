import type { CopyOnPages } from "#contract/copy.ts";
import { Barcode } from "#ui/brand/bars.tsx";

/** The headline. Some of its words are drawn as a price tag. */
export function Headline({ hero }: { hero: CopyOnPages["hero"] }) {
  const { headline, headlineTag } = hero;
  const at = headlineTag ? headline.indexOf(headlineTag) : -1;
  return (
    <>
      <p className="printed mb-5 flex items-center gap-3 text-balance sm:mb-7">
        <Barcode value={hero.eyebrow} className="h-4 w-14 shrink-0" />
        {hero.eyebrow}
      </p>
      {/* Offsets the side bearing that large letters have at the start of a line. */}
      <h1 id="hero-title" className="wide -ml-[0.06em] text-hero max-md:[&>span]:ml-[0.06em]">
        {headlineTag && at >= 0 ? (
          <>
            {headline.slice(0, at)}
            <span className="headline-tag">{headlineTag}</span>
            {headline.slice(at + headlineTag.length)}
          </>
        ) : (
          headline
        )}
      </h1>
    </>
  );
}
