import type { ReactNode } from "react";
import { href } from "#contract/addresses.ts";
import type { Plan } from "#contract/catalogue.ts";
import { formatPrice } from "#contract/money.ts";
import type { PageFacts } from "#contract/page-facts.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { BoxRow } from "../pictures/box-row.tsx";
import { Picture } from "../pictures/picture.tsx";
import { TrustStrip } from "../sections/trust-strip.tsx";
import { Headline } from "./headline.tsx";

/** The headline, the call to action, and the free lessons, which are passed as children. */
export function Hero({
  facts: {
    plans,
    copy: { hero },
  },
  children,
}: {
  facts: PageFacts;
  children?: ReactNode;
}) {
  return (
    <section id="hero" tabIndex={-1} aria-labelledby="hero-title" className="pt-24 sm:pt-28">
      <div className="page-grid gap-y-9 lg:gap-y-11">
        <div className="col-span-full">
          <Headline hero={hero} />
        </div>
        <div className="col-span-full flex flex-col gap-6 lg:col-span-4">
          <p className="text-lead">{hero.subline}</p>
          <div className="flex flex-wrap gap-3 max-xs:flex-col max-sm:*:grow">
            <a href={href.section("pricing")} className={buttonStyle({ size: "large", variant: "tag" })}>
              {hero.primaryAction}
            </a>
            <a href="/#free-lessons" className={buttonStyle({ size: "large", variant: "outline" })}>
              {hero.secondaryAction}
            </a>
          </div>
          <LowestPrice plans={plans} assurance={hero.assurance} />
          {hero.picture ? (
            <Picture
              picture={hero.picture}
              className="max-h-[70vh] w-full rounded-md object-cover lg:mb-10 lg:h-0 lg:min-h-52 lg:grow"
            />
          ) : (
            hero.hasPicture && (
              <div className="mt-auto hidden lg:block">
                <BoxRow />
              </div>
            )
          )}
        </div>
        <section id="free-lessons" aria-labelledby="free-lessons-title" className="col-span-full lg:col-span-8">
          <div className="mb-5 flex flex-wrap items-baseline gap-x-4 gap-y-1">
            <h2 id="free-lessons-title" className="font-bold text-heading">
              {hero.freeVideosTitle}
            </h2>
            <p className="text-ink-soft">{hero.freeVideosNote}</p>
          </div>
          {children}
        </section>
      </div>
      <TrustStrip items={hero.trust} />
    </section>
  );
}

/** The lowest price, shown where visitors decide whether to read on. */
function LowestPrice({ plans, assurance }: { plans: readonly Plan[]; assurance: string }) {
  const monthly = plans.find(({ billing }) => billing === "monthly");
  return (
    <p className="text-ink-soft text-sm">
      {monthly && <strong className="text-ink">From {formatPrice(monthly.price)} every 30 days. </strong>}
      {assurance}
    </p>
  );
}
