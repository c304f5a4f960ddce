import type { Announcement, AnnouncementState, Audience, AudienceState } from "#contract/admin/announcements.ts";
import { type Tier, tierLabels } from "#contract/tiers.ts";
import { formatCount } from "#ui/format/numbers.ts";

export const stateWords: Readonly<
  Record<AnnouncementState, { tone: "success" | "tag" | "plain" | "danger"; words: string }>
> = {
  draft: { tone: "plain", words: "Draft" },
  sending: { tone: "tag", words: "Being sent" },
  paused: { tone: "danger", words: "Paused" },
  stopped: { tone: "plain", words: "Stopped" },
  sent: { tone: "success", words: "Sent" },
};

export const audienceStateWords: Readonly<Record<AudienceState, string>> = {
  active: "Active accounts",
  on_hold: "Accounts on hold",
  declined: "Renewal declined",
  former: "Had a plan, have none now",
};

/** "Annual Access", "Stopped at “Sourcing”" */
export function audienceWords(audience: Audience, lessonTitle: string | null): string {
  const [kind, which = ""] = audience.split(":");
  if (kind === "tier") return which === "none" ? "Without a plan" : tierLabels[which as Tier];
  if (kind === "state") return audienceStateWords[which as AudienceState];
  if (kind === "stopped-at") return `Stopped at “${lessonTitle ?? which}”`;
  if (kind === "selection") return "Selected people";
  return "Everybody";
}

/** "1,204 of 10,000 sent" */
export function progressWords({ state, sent, recipients }: Announcement): string {
  return state === "draft" ? "Not sent" : `${formatCount(sent)} of ${formatCount(recipients)} sent`;
}

/** "1 person", "1,204 people" */
export function countWords(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
