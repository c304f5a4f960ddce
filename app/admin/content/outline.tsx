import { useQuery, useQueryClient } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { type ReactNode, useRef } from "react";
import { Link } from "react-router";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { type AcademyContent, getContent, type LessonContent, moveContent } from "#contract/admin/content.ts";
import { listVideoProblems, type VideoProblem } from "#contract/admin/videos.ts";
import { formatDollars } from "#contract/money.ts";
import { planName } from "#ui/academy.ts";
import { Badge } from "#ui/badge.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { OpenAll } from "#ui/controls/open-all.tsx";
import { formatOpening } from "#ui/format/dates.ts";
import { formatCountOf } from "#ui/format/numbers.ts";
import { Icon } from "#ui/icon.tsx";
import { useAct } from "../act.ts";
import { useAddress } from "../address.ts";
import { Movers } from "../movers.tsx";
import { latest, lessonsOf } from "./items.ts";

/** Links to the editors of modules, lessons, plans and the offer, and buttons that move modules and lessons. */
export function Outline({ content, isAlone }: { content: AcademyContent; isAlone: boolean }) {
  const move = useMove();
  const list = useRef<HTMLOListElement>(null);
  const { data: problems = [] } = useQuery(queryOf(listVideoProblems));
  const isUnplayable = (kind: VideoProblem["kind"], id: string) =>
    problems.some((one) => one.kind === kind && one.id === id);
  return (
    <div className={cx("grid items-start gap-x-10 gap-y-8", isAlone && "xl:grid-cols-[minmax(0,1fr)_20rem]")}>
      <section aria-labelledby="outline-course">
        <OutlineHeading id="outline-course" title="Course">
          <OpenAll list={list} count={content.modules.length} label="Lessons of each module" className="ml-auto" />
          <NewLink edit="module.new">New module</NewLink>
        </OutlineHeading>
        <ol ref={list} className="mt-2 border-ink border-t-2">
          {content.modules.map((module, at) => {
            const { title, requiredTier } = latest(module);
            const lessons = lessonsOf(content, module.id);
            return (
              <li key={module.id} className="border-line border-b py-2">
                <Row
                  edit={`module.${module.id}`}
                  title={`${at + 1}. ${title}`}
                  note={planName(requiredTier)}
                  marks={marksOf(module)}
                  isUnplayable={isUnplayable("module", module.id)}
                  isStrong
                >
                  <Movers
                    items={content.modules}
                    at={at}
                    title={title}
                    isMoving={move.isPending}
                    onMove={(one) => move.mutate({ kind: "module", ...one })}
                  />
                </Row>
                <details open className="group ml-4">
                  <summary className="flex min-h-9 w-fit list-none items-center gap-2 pl-2 text-ink-soft text-sm [&::-webkit-details-marker]:hidden">
                    <Icon name="down" className="w-3 transition-transform group-open:rotate-180" />
                    {formatCountOf(lessons.length, "lesson")}
                    <span className="sr-only"> of {title}</span>
                  </summary>
                  <ol className="border-line border-l pl-2">
                    {lessons.map((lesson, index) => (
                      <li key={lesson.id}>
                        <Row
                          edit={`lesson.${lesson.id}`}
                          title={latest(lesson).title}
                          marks={marksOf(lesson)}
                          isUnplayable={isUnplayable("lesson", lesson.id)}
                        >
                          <Movers
                            items={lessons}
                            at={index}
                            title={latest(lesson).title}
                            isMoving={move.isPending}
                            onMove={(one) => move.mutate({ kind: "lesson", ...one })}
                          />
                        </Row>
                      </li>
                    ))}
                  </ol>
                  <p className="mt-1 pl-0.75">
                    <NewLink edit={`lesson.new-${module.id}`}>New lesson</NewLink>
                  </p>
                </details>
              </li>
            );
          })}
        </ol>
      </section>
      <section aria-labelledby="outline-plans">
        <OutlineHeading id="outline-plans" title="Plans and offer" />
        <ul className="mt-2 border-ink border-t-2 py-2">
          {content.plans.map((plan) => (
            <li key={plan.id}>
              <Row
                edit={`plan.${plan.id}`}
                title={latest(plan).name}
                note={formatDollars(latest(plan).price)}
                marks={marksOf(plan)}
              />
            </li>
          ))}
          <li>
            <Row edit="offer" title="Offer and countdown" marks={marksOf(content.offer)} />
          </li>
        </ul>
      </section>
    </div>
  );
}

function OutlineHeading({ id, title, children }: { id: string; title: string; children?: ReactNode }) {
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-2">
      <h2 id={id} className="font-bold text-heading">
        {title}
      </h2>
      {children}
    </div>
  );
}

function NewLink({ edit, children }: { edit: string; children: string }) {
  return (
    <Link
      to={`/admin/content?edit=${edit}`}
      preventScrollReset
      className={buttonStyle({ variant: "quiet", size: "small" })}
    >
      {children}
    </Link>
  );
}

function marksOf({ published, draft }: { published: object | null; draft: object | null }): string[] {
  const { released, comingSoon, opensAt, kind, check, freePreview }: Partial<LessonContent> = draft ?? published ?? {};
  return [
    draft ? (published ? "Draft" : "New") : null,
    released === false ? "Not visible to students" : null,
    comingSoon ? "Coming soon" : null,
    opensAt && Date.parse(opensAt) > Date.now() ? formatOpening(opensAt) : null,
    kind === "text" ? "Text" : null,
    check ? "Check" : null,
    freePreview ? "Free preview" : null,
  ].filter((mark) => mark !== null);
}

interface RowProps {
  edit: string;
  title: string;
  note?: string;
  marks: readonly string[];
  isStrong?: boolean;
  isUnplayable?: boolean;
  children?: ReactNode;
}

function Row({ edit, title, note, marks, isStrong, isUnplayable, children }: RowProps) {
  const { read } = useAddress();
  const isOpen = read("edit") === edit;
  return (
    <div className="flex items-center gap-2">
      <Link
        to={`/admin/content?edit=${encodeURIComponent(edit)}`}
        preventScrollReset
        aria-current={isOpen || undefined}
        className="flex min-h-10 min-w-0 grow flex-wrap items-center gap-x-3 rounded-sm px-2 py-1 text-sm hover:bg-sunken aria-[current]:bg-ink aria-[current]:text-canvas"
      >
        <span className={isStrong ? "font-bold wrap-anywhere" : "wrap-anywhere"}>{title}</span>
        {[note, ...marks].filter(Boolean).map((mark) => (
          <span key={mark} className="printed opacity-80">
            {mark}
          </span>
        ))}
        {isUnplayable && <Badge tone="danger">Video can’t be played</Badge>}
      </Link>
      {children}
    </div>
  );
}

function useMove() {
  const queryClient = useQueryClient();
  return useAct(
    (body: { kind: "module" | "lesson"; id: string; before: string }) => api(moveContent, { body }),
    { done: "Order changed in the draft", failed: "Failed to change the order" },
    (content) => queryClient.setQueryData(queryOf(getContent).queryKey, content),
  );
}
