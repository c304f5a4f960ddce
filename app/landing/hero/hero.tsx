import { lazy, useState } from "react";
import { hero } from "#content/landing/landing.ts";
import { PageLink } from "../../navigation/navigation.tsx";
import { href } from "../../routes.ts";
import { Barcode } from "../../ui/brand/barcode.tsx";
import { buttonStyle } from "../../ui/controls/button.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { Still } from "../still.tsx";
import { FreeLessonCard } from "./free-lesson-card.tsx";
import { useFreeLessons } from "./free-lessons.ts";

const BoxRow = lazy(() => import("../pictures/box-row.tsx"));
const TrustStrip = lazy(() => import("../sections/trust-strip.tsx"));

/** Headline, the way in, and a shelf with lessons that play at once. */
export function Hero() {
  return (
    <section id="hero" aria-labelledby="hero-title" className="pt-28 sm:pt-32">
      <div className="shelf-grid gap-y-10 lg:gap-y-14">
        <div className="col-span-full">
          <p className="printed mb-5 flex items-center gap-3 text-balance sm:mb-7">
            <Barcode value={hero.eyebrow} className="h-4 w-14 shrink-0" />
            {hero.eyebrow}
          </p>
          <h1 id="hero-title" className="wide text-hero">
            <Headline text={hero.headline} />
          </h1>
        </div>
        <div className="col-span-full flex flex-col gap-7 lg:col-span-4">
          <p className="text-lead">{hero.subline}</p>
          <div className="flex flex-wrap gap-2 max-xs:flex-col max-sm:*:grow">
            <PageLink to={href.section("pricing")} className={buttonStyle({ size: "large", variant: "tag" })}>
              {hero.primaryAction}
            </PageLink>
            <PageLink to="/#free-lessons" className={buttonStyle({ size: "large", variant: "outline" })}>
              {hero.secondaryAction}
            </PageLink>
          </div>
          <Still part={BoxRow} className="mt-auto hidden lg:block" />
        </div>
        <FreeLessons />
      </div>
      <Still part={TrustStrip} />
    </section>
  );
}

/** The words "price tag" hang in the headline as one. */
function Headline({ text }: { text: string }) {
  const [before, after] = text.split("price tag");
  if (after === undefined) return text;
  return (
    <>
      {before}
      <span className="headline-tag">price tag</span>
      {after}
    </>
  );
}

function FreeLessons() {
  const { lessons, isPending } = useFreeLessons();
  // One at a time: nobody listens to two.
  const [chosenId, setChosenId] = useState("");
  return (
    <section id="free-lessons" aria-labelledby="free-lessons-title" className="col-span-full lg:col-span-8">
      <div className="mb-5 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id="free-lessons-title" className="font-bold text-heading">
          {hero.freeVideosTitle}
        </h2>
        <p className="text-ink-soft">{hero.freeVideosNote}</p>
      </div>
      <div className="grid gap-x-(--gutter) gap-y-8 sm:grid-cols-2">
        {isPending && hero.freeLessonIds.map((id) => <ComingCard key={id} />)}
        {lessons.map((lesson) => (
          <FreeLessonCard
            key={lesson.id}
            lesson={lesson}
            isChosen={lesson.id === chosenId}
            onChoose={() => setChosenId(lesson.id)}
          />
        ))}
      </div>
    </section>
  );
}

/** As high as the card that follows it: a section further down may be on its way into view. */
function ComingCard() {
  return (
    <div>
      <Skeleton className="aspect-video" />
      <div className="shelf-edge" />
    </div>
  );
}
