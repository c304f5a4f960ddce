import { lazy } from "react";
import { hero, trustStrip } from "#content/landing.ts";
import { customEvent } from "../analytics/analytics.ts";
import { PageLink } from "../navigation.tsx";
import { href } from "../routes.ts";
import { Barcode } from "../ui/barcode.tsx";
import { useHydrated } from "../ui/browser-state.ts";
import { buttonStyle } from "../ui/button.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { type FreeLesson, useFreeLessons } from "./free-lessons.ts";
import { Still } from "./still.tsx";

const BoxRow = lazy(() => import("./pictures/box-row.tsx"));

/** Headline, the way in, and a shelf with two lessons that play at once. */
export function Hero() {
  return (
    <section id="hero" aria-labelledby="hero-title" className="pt-28 sm:pt-32">
      <div className="shelf-grid gap-y-10 lg:gap-y-14">
        <div className="col-span-full">
          <p className="printed mb-5 flex items-center gap-3 sm:mb-7">
            <Barcode value={hero.eyebrow} className="h-4 w-14 shrink-0" />
            {hero.eyebrow}
          </p>
          <h1 id="hero-title" className="wide text-hero">
            <Headline text={hero.headline} />
          </h1>
        </div>
        <div className="col-span-full flex flex-col gap-7 lg:col-span-4">
          <p className="text-lead">{hero.subline}</p>
          <div className="flex flex-wrap gap-3">
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
      <TrustStrip />
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
          <FreeLessonCard key={lesson.id} lesson={lesson} />
        ))}
      </div>
    </section>
  );
}

function FreeLessonCard({ lesson }: { lesson: FreeLesson }) {
  const address = `/api/lessons/${lesson.id}`;
  // After the page can be read: until then the pictures would keep the headline waiting.
  const hasPoster = useHydrated();
  return (
    <article className="flex flex-col">
      <video
        controls
        playsInline
        onPlay={() => announceStart(lesson.id)}
        preload="none"
        poster={hasPoster ? `${address}/poster` : undefined}
        aria-label={lesson.title}
        className="aspect-video w-full rounded-t-md border-2 border-edge bg-rail object-cover"
      >
        <source src={`${address}/video`} type="video/mp4" />
        <track kind="captions" src={`${address}/captions`} srcLang="en" label="English" />
      </video>
      <div className="shelf-edge">
        <h3 className="font-bold leading-tight">{lesson.title}</h3>
        <p className="narrow text-3xl leading-none" title="Free of charge">
          $0.00
        </p>
      </div>
    </article>
  );
}

const started = new Set<string>();

/** Once for each lesson. */
function announceStart(lessonId: string): void {
  if (started.has(lessonId)) return;
  started.add(lessonId);
  customEvent("FreeLessonStarted", { lessonId });
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

function TrustStrip() {
  return (
    <div className="mt-10 bg-rail py-4 text-rail-ink lg:mt-0 lg:py-5">
      <ul className="shelf-grid gap-y-3">
        {trustStrip.map(({ value, label }) => (
          <li key={label} className="col-span-full flex items-baseline gap-3 sm:col-span-4">
            <span className="narrow whitespace-nowrap text-title text-tag">{value}</span>
            <span className="font-semibold leading-tight">{label}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
