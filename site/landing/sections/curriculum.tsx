import { href } from "#contract/addresses.ts";
import type { Lesson, Module } from "#contract/catalogue.ts";
import { planName } from "#ui/academy.ts";
import { Badge, OpensAt } from "#ui/badge.tsx";
import { Accordion, Fold } from "#ui/controls/accordion.tsx";
import { formatLength, formatLessons } from "#ui/format/lesson-lengths.ts";
import { SectionHeading } from "../section-heading.tsx";

/** All lessons with their titles and real lengths, and the plan that unlocks each module. */
export function Curriculum({ catalogue, ...heading }: { title: string; lead: string; catalogue: readonly Module[] }) {
  const lessons = catalogue.flatMap((module) => module.lessons);
  return (
    <section aria-labelledby="curriculum-title" className="block-space when-near">
      <div className="page-grid gap-y-12">
        <div className="col-span-full grid content-start gap-6 lg:col-span-5">
          <SectionHeading id="curriculum-title" heading={heading} />
          <p className="printed">{formatLessons(lessons)}</p>
        </div>
        <Accordion className="col-span-full lg:col-span-7">
          {catalogue.map((module, index) => (
            <Fold
              key={module.id}
              open={index === 0}
              title={
                <>
                  <span className="mb-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-base">
                    <span className="printed font-normal text-ink-soft">Module {module.position}</span>
                    {module.comingSoon && (
                      <Badge tone="kraft">
                        <OpensAt at={module.opensAt} />
                      </Badge>
                    )}
                  </span>
                  {module.title}
                </>
              }
            >
              <p className="text-ink-soft">
                {module.lessons.length > 0 && `${formatLessons(module.lessons)}. `}
                Opens with {planName(module.requiredTier)}
                {module.requiredTier !== "vip" && " and above"}.
              </p>
              <ol className="mt-3 grid">
                {module.lessons.map((lesson) => (
                  <LessonLine key={lesson.id} lesson={lesson} />
                ))}
              </ol>
            </Fold>
          ))}
        </Accordion>
      </div>
    </section>
  );
}

function LessonLine({ lesson }: { lesson: Lesson }) {
  const { id, title, freePreview, comingSoon, opensAt } = lesson;
  const isFree = freePreview && !comingSoon;
  return (
    <li className="flex items-baseline justify-between gap-4 border-line border-t border-dashed py-2.5">
      <span className="min-w-0 wrap-anywhere">
        {title}
        {isFree && (
          <>
            {" "}
            <a
              href={href.demoDashboard(id)}
              aria-label={`Watch free: ${title}`}
              className="font-bold underline underline-offset-4"
            >
              Watch free
            </a>
          </>
        )}
      </span>
      <span className="shrink-0 text-ink-soft text-sm">
        {comingSoon ? <OpensAt at={opensAt} /> : formatLength(lesson)}
      </span>
    </li>
  );
}
