import type { SequenceName } from "#contract/admin/sequences.ts";
import { formatCountOf } from "#ui/format/numbers.ts";

/** Titles, and what starts and stops each. */
export const sequenceWords: Readonly<Record<SequenceName, { readonly title: string; readonly about: string }>> = {
  "unfinished-checkout": {
    title: "Unfinished checkout",
    about:
      "Starts when someone without a plan sees their total at checkout and doesn’t pay. Stops when they pay or while we’re confirming a payment.",
  },
  "paying-for-nothing": {
    title: "Unused membership",
    about:
      "Starts 5 days before a membership renews if the student hasn’t signed in or watched a lesson since the last payment. The email has a link to cancel. Stops when they come back.",
  },
  "new-lesson": {
    title: "New lesson",
    about:
      "Starts when lessons open, for every student whose plan includes them. Students who asked about a lesson get this email even if this is off.",
  },
  welcome: {
    title: "Welcome",
    about: "Starts when a student first gets access to a plan. Stops when that access ends.",
  },
  stalled: {
    title: "Not started or stalled",
    about:
      "Starts 3 days after a purchase if the student watched nothing, or 7 days after they last watched an unfinished course. The link opens the lesson where they stopped. Stops when they watch.",
  },
};

/** "When it starts", "24 hours later", "7 days later" */
export function delayWords(hours: number): string {
  if (hours === 0) return "When it starts";
  return `${hours % 24 === 0 && hours > 24 ? formatCountOf(hours / 24, "day") : formatCountOf(hours, "hour")} later`;
}
