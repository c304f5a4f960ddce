import type { Announcement, AnnouncementState, Audience, AudienceState } from "#contract/admin/announcements.ts";
import type { Tier } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { formatCount } from "#ui/format/numbers.ts";
import { batchStates } from "../batches/batch-words.ts";

export const stateWords = {
  ...batchStates,
  draft: { tone: "plain", words: "Draft" },
  running: { tone: "tag", words: "Being sent" },
  done: { tone: "success", words: "Sent" },
} as const satisfies Record<AnnouncementState, object>;

export const audienceStateWords: Readonly<Record<AudienceState, string>> = {
  active: "Active accounts",
  on_hold: "Accounts on hold",
  declined: "Renewal declined",
  former: "Former students without a plan",
};

/** "Annual Access", "Stopped at “Sourcing”" */
export function audienceWords(audience: Audience, lessonTitle: string | null): string {
  const [kind, which = ""] = audience.split(":");
  if (kind === "tier") return which === "none" ? "Without a plan" : planName(which as Tier);
  if (kind === "state") return audienceStateWords[which as AudienceState];
  if (kind === "stopped-at") return `Stopped at “${lessonTitle ?? which}”`;
  if (kind === "selection") return "Selected people";
  return "Everybody";
}

/** "1,204 of 10,000 sent" */
export function progressWords({ state, done, people }: Announcement): string {
  return state === "draft" ? "Not sent" : `${formatCount(done)} of ${formatCount(people)} sent`;
}
