import type { BatchState } from "#contract/admin/batches.ts";
import { formatCountOf } from "#ui/format/numbers.ts";

/** A state's words and the tone of its badge. */
export const batchStates = {
  running: { tone: "tag", words: "In progress" },
  paused: { tone: "danger", words: "Paused" },
  stopped: { tone: "plain", words: "Stopped" },
  done: { tone: "success", words: "Done" },
} as const satisfies Record<BatchState, { tone: string; words: string }>;

/** "1 person", "1,204 people" */
export function peopleWords(count: number): string {
  return formatCountOf(count, "person", "people");
}
