import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { IconButton } from "#app/editing/entries.tsx";
import { type AcademyContent, getContent, type LessonContent, moveContent } from "#contract/admin/content.ts";
import { listVideoProblems, type VideoProblem } from "#contract/admin/videos.ts";
import { planName } from "#ui/academy.ts";
import { Badge } from "#ui/badge.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { formatOpening } from "#ui/format/dates.ts";
import { useAct } from "../act.ts";
import { useAddress } from "../address.ts";
import { latest, lessonsOf } from "./items.ts";

/** Links to the editors of modules, lessons, plans and the offer, and buttons that move modules and lessons. */
export function Outline({ content }: { content: AcademyContent }) {
  const move = useMove();
  const { data: problems = [] } = useQuery(queryOf(listVideoProblems));
  const isUnplayable = (kind: VideoProblem["kind"], id: string) =>
    problems.some((one) => one.kind === kind && one.id === id);
  return (
    <div className="grid gap-8">
      <section aria-labelledby="outline-course">
        <OutlineHeading id="outline-course" title="Course">
          <NewLink edit="module.new">New module</NewLink>
        </OutlineHeading>
        <ol className="mt-2 border-ink border-t-2">
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
                  <Movers kind="module" items={content.modules} at={at} title={title} move={move} />
                </Row>
                <ol className="ml-4 border-line border-l pl-2">
                  {lessons.map((lesson, index) => (
                    <li key={lesson.id}>
                      <Row
                        edit={`lesson.${lesson.id}`}
                        title={latest(lesson).title}
                        marks={marksOf(lesson)}
                        isUnplayable={isUnplayable("lesson", lesson.id)}
                      >
                        <Movers kind="lesson" items={lessons} at={index} title={latest(lesson).title} move={move} />
                      </Row>
                    </li>
                  ))}
                </ol>
                <p className="mt-1 ml-4 pl-0.75">
                  <NewLink edit={`lesson.new-${module.id}`}>New lesson</NewLink>
                </p>
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
                note={`$${latest(plan).price}`}
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
    <div className="flex items-center justify-between gap-4">
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

interface MoversProps {
  kind: "module" | "lesson";
  /** The siblings in order. The one at index `at` moves. */
  items: readonly { id: string }[];
  at: number;
  title: string;
  move: ReturnType<typeof useMove>;
}

function Movers({ kind, items, at, title, move }: MoversProps) {
  /** Moves the item at `from` before its predecessor. */
  const mover = (way: "up" | "down", from: number) => (
    <IconButton
      label={`Move ${title} ${way}`}
      name={way}
      isOff={!items[from] || !items[from - 1] || move.isPending}
      onPress={() => {
        const [before, item] = [items[from - 1], items[from]];
        if (before && item) move.mutate({ kind, id: item.id, before: before.id });
      }}
    />
  );
  return (
    <span className="flex shrink-0">
      {mover("up", at)}
      {mover("down", at + 1)}
    </span>
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
