import type { Module } from "#contract/catalogue.ts";
import { withCourse } from "#contract/course-words.ts";
import type { Records } from "#contract/lesson-start.ts";
import type { Tier } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { OpensAt } from "#ui/badge.tsx";
import { Progress } from "#ui/feedback/progress.tsx";
import { formatDay } from "#ui/format/dates.ts";
import { formatWatchTime } from "#ui/format/durations.ts";
import { StatCard } from "#ui/stat-card.tsx";
import { Certificate } from "../certificate/certificate.tsx";
import { progressOf } from "../progress/numbers.ts";

interface ProgressTabProps {
  modules: readonly Module[];
  records: Records;
  /** Null in the preview. */
  tier: Tier | null;
  /** The end of the tier. Null when it never ends. */
  until: string | null;
  /** Whether progress is saved, of which certificates are made. */
  isSaved: boolean;
}

/** The student's progress in total and by module. */
export default function ProgressTab({ modules, records, tier, until, isSaved }: ProgressTabProps) {
  const total = progressOf(modules, records);
  return (
    <div className="grid gap-10">
      <h2 className="wide text-title">Your progress</h2>
      <div className="grid gap-4 sm:grid-cols-3">
        <StatCard
          label="Total Progress"
          value={`${total.percent}%`}
          note={`${total.lessonsDone} of ${total.lessonsTotal} lessons`}
        />
        <StatCard label="Watch Time" value={formatWatchTime(total.secondsWatched)} note="Repeats aren’t counted" />
        <StatCard
          label="Current Tier"
          value={<span className="inline-block text-title">{tier ? planName(tier) : "Free preview"}</span>}
          note={
            tier ? `${openedWords(tier, modules)}${until ? `, until ${formatDay(until)}` : ""}` : "Selected lessons"
          }
        />
      </div>
      {tier && <Certificate modules={modules} isSaved={isSaved} />}
      <section aria-labelledby="by-module" className="@container">
        <h3 id="by-module" className="wide text-heading">
          By module
        </h3>
        {modules.length === 0 && <p className="mt-4 text-ink-soft">There are no modules yet.</p>}
        <ul className="mt-4 border-ink border-t-2">
          {modules.map((module) => {
            const { percent, lessonsDone, lessonsTotal } = progressOf([module], records);
            return (
              <li
                key={module.id}
                className="grid items-center gap-x-6 gap-y-2 border-line border-b py-4 @2xl:grid-cols-[minmax(0,1fr)_7.5rem_8rem_7rem] @4xl:grid-cols-[minmax(0,1fr)_9rem_14rem_8rem]"
              >
                <h4 className="font-bold leading-tight">
                  {module.position}. {module.title}
                </h4>
                <p className="printed text-ink-soft">{planName(module.requiredTier)}</p>
                <Progress value={percent} label={`${module.title}: completed`} />
                <p className="printed @2xl:text-right">
                  {lessonsTotal > 0 ? `${percent}%, ${lessonsDone} of ${lessonsTotal}` : <EmptyWord module={module} />}
                </p>
              </li>
            );
          })}
        </ul>
      </section>
    </div>
  );
}

function EmptyWord({ module }: { module: Module }) {
  return module.isUnlocked || module.comingSoon ? <OpensAt at={module.opensAt} /> : "Locked";
}

function openedWords(tier: Tier, modules: readonly Module[]): string {
  return tier === "vip" ? "Full access to all content" : withCourse(`{Modules:${tier}}`, modules);
}
