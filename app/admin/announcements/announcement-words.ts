import {
  type Announcement,
  type AnnouncementState,
  type Audience,
  filterIn,
  type SendAt,
} from "#contract/admin/announcements.ts";
import { cityOf } from "#contract/coaching/times.ts";
import { academy } from "#ui/academy.ts";
import { formatTimestamp } from "#ui/format/dates.ts";
import { formatCount } from "#ui/format/numbers.ts";
import { batchStates } from "../batches/batch-words.ts";
import { filterWords } from "../users/user-filter.ts";

export const stateWords = {
  ...batchStates,
  draft: { tone: "plain", words: "Draft" },
  scheduled: { tone: "tag", words: "Scheduled" },
  running: { tone: "tag", words: "Being sent" },
  done: { tone: "success", words: "Sent" },
} as const satisfies Record<AnnouncementState, object>;

/** "Annual Access", "Stopped at “Sourcing”" */
export function audienceWords(audience: Audience, lessonTitle: string | null | undefined): string {
  const filter = filterIn(audience);
  return filter ? filterWords(filter, lessonTitle) || "Everybody" : "Selected people";
}

export const academyCity = () => cityOf(academy().timeZone ?? "UTC");

/** "Nov 24, 2026, 9:00 AM (New York)" */
export function sendAtWords({ day, time, zone }: SendAt): string {
  return `${formatTimestamp(`${day}T${time}`)} (${zone === "academy" ? academyCity() : "each student’s time zone"})`;
}

/** "1,204 of 10,000 sent" */
export function progressWords({ state, done, people }: Announcement): string {
  return state === "draft" || state === "scheduled"
    ? "Not sent"
    : `${formatCount(done)} of ${formatCount(people)} sent`;
}
