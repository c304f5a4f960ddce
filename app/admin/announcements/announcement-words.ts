import { type Announcement, type AnnouncementState, type Audience, filterIn } from "#contract/admin/announcements.ts";
import { formatCount } from "#ui/format/numbers.ts";
import { batchStates } from "../batches/batch-words.ts";
import { filterWords } from "../users/user-filter.ts";

export const stateWords = {
  ...batchStates,
  draft: { tone: "plain", words: "Draft" },
  running: { tone: "tag", words: "Being sent" },
  done: { tone: "success", words: "Sent" },
} as const satisfies Record<AnnouncementState, object>;

/** "Annual Access", "Stopped at “Sourcing”" */
export function audienceWords(audience: Audience, lessonTitle: string | null): string {
  const filter = filterIn(audience);
  return filter ? filterWords(filter, lessonTitle) || "Everybody" : "Selected people";
}

/** "1,204 of 10,000 sent" */
export function progressWords({ state, done, people }: Announcement): string {
  return state === "draft" ? "Not sent" : `${formatCount(done)} of ${formatCount(people)} sent`;
}
