import type { UserDetail } from "#contract/admin/users.ts";
import { Progress } from "#ui/feedback/progress.tsx";
import { formatShortDay, formatTimestamp } from "#ui/format/dates.ts";
import { formatWatchTime } from "#ui/format/durations.ts";
import { formatCountOf } from "#ui/format/numbers.ts";
import { Nothing, Panel } from "../panel.tsx";

/** The user's progress, lesson by lesson, and downloads. */
export function LearningPanel({ detail: { progress, downloads } }: { detail: UserDetail }) {
  const { lessonsCompleted, lessonsTotal, lessonsElsewhere, watchSeconds, lastActiveAt, lessons } = progress;
  return (
    <Panel title="Progress">
      <Progress value={lessonsTotal > 0 ? (lessonsCompleted / lessonsTotal) * 100 : 0} label="Lessons completed" />
      <p className="mt-2 text-ink-soft text-sm">
        {lessonsCompleted} of {lessonsTotal} lessons, {formatWatchTime(watchSeconds)} watched
        {lastActiveAt && `, last on ${formatTimestamp(lastActiveAt)}`}
      </p>
      {lessonsElsewhere > 0 && (
        <p className="mt-1 text-ink-soft text-sm">
          {formatCountOf(lessonsElsewhere, "lesson", "lessons")} completed elsewhere, before they were imported.
        </p>
      )}
      {lessons.length > 0 && (
        <ul className="mt-3 text-sm">
          {lessons.map(({ lessonId, title, isCompleted, watchTime }) => (
            <li key={lessonId} className="flex justify-between gap-x-4 border-line border-b py-2 last:border-b-0">
              <span className="min-w-0 wrap-anywhere">{title}</span>
              <span className="whitespace-nowrap text-ink-soft">
                {isCompleted ? "Completed" : "Started"}, {formatWatchTime(watchTime)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <h3 className="printed mt-5 text-ink-soft">Downloads</h3>
      {downloads.length === 0 ? (
        <Nothing>No downloads yet.</Nothing>
      ) : (
        <ul className="mt-1 text-sm">
          {downloads.map(({ resourceId, title, downloadedAt }) => (
            <li
              key={`${resourceId} ${downloadedAt}`}
              className="flex justify-between gap-x-4 border-line border-b py-2 last:border-b-0"
            >
              <span className="min-w-0 wrap-anywhere">{title}</span>
              <span className="whitespace-nowrap text-ink-soft">{formatShortDay(downloadedAt)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
