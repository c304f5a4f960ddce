import { lazy, useState } from "react";
import { hero } from "#content/landing/landing.ts";
import { href } from "../../addresses.ts";
import { PageLink } from "../../navigation/navigation.tsx";
import { usePlans } from "../../purchases/plans/plans.ts";
import { buttonStyle } from "../../ui/controls/button.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { Still } from "../../ui/still.tsx";
import { money } from "../pricing/plan-card.tsx";
import { FreeLessonCard } from "./free-lesson-card.tsx";
import { useFreeLessons } from "./free-lessons.ts";

const Headline = lazy(() => import("./headline.tsx"));
const BoxRow = lazy(() => import("../pictures/box-row.tsx"));
const TrustStrip = lazy(() => import("../sections/trust-strip.tsx"));

/** Headline, the way in, and a shelf with lessons that play at once. */
export function Hero() {
  return (
    <section id="hero" aria-labelledby="hero-title" className="pt-24 sm:pt-28">
      <div className="shelf-grid gap-y-9 lg:gap-y-11">
        <Still part={Headline} className="col-span-full" />
        <div className="col-span-full flex flex-col gap-6 lg:col-span-4">
          <p className="text-lead">{hero.subline}</p>
          <div className="flex flex-wrap gap-3 max-xs:flex-col max-sm:*:grow">
            <PageLink to={href.section("pricing")} className={buttonStyle({ size: "large", variant: "tag" })}>
              {hero.primaryAction}
            </PageLink>
            <PageLink to="/#free-lessons" className={buttonStyle({ size: "large", variant: "outline" })}>
              {hero.secondaryAction}
            </PageLink>
          </div>
          <LowestPrice />
          <Still part={BoxRow} className="mt-auto hidden lg:block" />
        </div>
        <FreeLessons />
      </div>
      <Still part={TrustStrip} />
    </section>
  );
}

/** What it costs at the least, where one decides whether to read on. */
function LowestPrice() {
  const monthly = usePlans().find(({ billing }) => billing === "monthly");
  return (
    <p className="text-ink-soft text-sm">
      {monthly && <strong className="text-ink">From {money(monthly.price)} every 30 days. </strong>}
      {hero.assurance}
    </p>
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
