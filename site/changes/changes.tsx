import { href } from "#contract/addresses.ts";
import type { Module } from "#contract/catalogue.ts";
import { kindWords, type PublicChange, partWords } from "#contract/lesson-changes.ts";
import { Badge } from "#ui/badge.tsx";

interface ChangesProps {
  changes: readonly PublicChange[];
  catalogue: readonly Module[];
  timeZone: string | undefined;
}

/** What changed in the course, by month. */
export function Changes({ changes, catalogue, timeZone = "UTC" }: ChangesProps) {
  const freeLessons = new Set(
    catalogue.flatMap(({ lessons }) => lessons).flatMap(({ id, freePreview }) => (freePreview ? [id] : [])),
  );
  const monthOf = dateFormat({ month: "long", year: "numeric", timeZone });
  const dayOf = dateFormat({ month: "short", day: "numeric", timeZone });
  const months = new Map<string, PublicChange[]>();
  for (const change of changes) {
    const month = monthOf(change.at);
    months.set(month, [...(months.get(month) ?? []), change]);
  }
  return (
    <div className="page-grid gap-y-14">
      <div className="col-span-full">
        <h1 className="wide text-display">Changes</h1>
        <p className="mt-5 max-w-[44ch] text-ink-soft text-lead">
          We keep the course up to date. Here’s what’s new, corrected or replaced.
        </p>
        <p className="mt-4">
          <a href={href.changesFeed()} className={linkStyle}>
            Follow the changes in a feed reader
          </a>
        </p>
      </div>
      {changes.length === 0 && (
        <p className="col-span-full rounded-md bg-sunken p-8 text-ink-soft">
          No changes yet. New and corrected lessons will appear here.
        </p>
      )}
      {[...months].map(([month, changes]) => (
        <section key={month} aria-label={month} className="col-span-full lg:col-span-8">
          <h2 className="wide border-ink border-b-2 pb-3 text-heading">{month}</h2>
          <ul>
            {changes.map((change) => (
              <li
                key={change.id}
                id={change.id}
                className="grid scroll-mt-24 gap-x-6 gap-y-1 border-line border-b py-5 sm:grid-cols-[5rem_minmax(0,1fr)]"
              >
                <time dateTime={change.at} className="printed pt-1 text-ink-soft">
                  {dayOf(change.at)}
                </time>
                <div className="min-w-0">
                  <p className="flex flex-wrap items-center gap-x-3 gap-y-1 wrap-anywhere">
                    <Badge tone={change.kind === "new" ? "success" : "plain"}>{kindWords[change.kind]}</Badge>
                    <LessonTitle change={change} isFree={freeLessons.has(change.lessonId ?? "")} />
                    <Part change={change} />
                  </p>
                  {change.note && <p className="mt-2 max-w-[62ch] wrap-anywhere">{change.note}</p>}
                </div>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const linkStyle = "font-bold underline decoration-2 underline-offset-4";

function LessonTitle({ change: { title, lessonId }, isFree }: { change: PublicChange; isFree: boolean }) {
  if (lessonId === null) return <strong>{title}</strong>;
  return (
    <a
      href={isFree ? href.demoDashboard(lessonId) : `${href.dashboard()}?lesson=${encodeURIComponent(lessonId)}`}
      className={linkStyle}
    >
      {title}
    </a>
  );
}

function Part({ change }: { change: PublicChange }) {
  const part = partWords(change);
  return part && <span className="printed text-ink-soft">{part}</span>;
}

function dateFormat(options: Intl.DateTimeFormatOptions): (iso: string) => string {
  const format = new Intl.DateTimeFormat("en-US", options);
  return (iso) => format.format(new Date(iso));
}
