import {
  type DateOrder,
  type Fate,
  type Import,
  type ImportField,
  type ImportOutcome,
  type ImportSource,
  isOptOut,
} from "#contract/admin/imports.ts";
import { batchStates } from "../batches/batch-words.ts";

export const fieldLabels: Readonly<Record<ImportField, string>> = {
  email: "Email",
  name: "Name",
  lastName: "Last name",
  plan: "Plan",
  until: "Access until",
  completed: "Completed lessons",
  subscribed: "Wants emails",
};

/** Of the column that says who wants emails, or the opposite. */
export function subscribedWords(column: string | undefined) {
  return column && isOptOut(column)
    ? { label: "Unsubscribed", hint: "People with “yes”, “true” or a date here get no invitation by email." }
    : { label: fieldLabels.subscribed, hint: "People with “no” or “false” here get no invitation by email." };
}

export const fieldHints: Readonly<Partial<Record<ImportField, string>>> = {
  lastName: "Only if first and last names are in two columns.",
  until: "If empty, the plan lasts its usual time.",
  completed: "Titles of your lessons, separated by semicolons.",
};

export const sourceLabels: Readonly<Record<ImportSource, string>> = {
  teachable: "Teachable",
  thinkific: "Thinkific",
  kajabi: "Kajabi",
  ghost: "Ghost",
};

export const dateOrders: Readonly<Record<DateOrder, string>> = {
  ymd: "Year, month, day (2027-01-31)",
  dmy: "Day, month, year (31/01/2027)",
  mdy: "Month, day, year (01/31/2027)",
};

/** A fate's words and the tone of its badge. */
export const fates = {
  new: { tone: "success", words: "New" },
  changed: { tone: "tag", words: "Updated" },
  same: { tone: "plain", words: "No change" },
  refused: { tone: "danger", words: "Error" },
} as const satisfies Record<Fate, { tone: string; words: string }>;

export const outcomes = {
  given: { tone: "success", words: "Has it" },
  invited: { tone: "tag", words: "Waits for sign-in" },
  claimed: { tone: "success", words: "Signed in" },
  same: { tone: "plain", words: "No change" },
  refused: { tone: "danger", words: "Error" },
  withdrawn: { tone: "plain", words: "Replaced" },
  stopped: { tone: "danger", words: "Not reached" },
} as const satisfies Record<ImportOutcome, { tone: string; words: string }>;

export function stateOf({ state }: Import) {
  return state === "checked" ? ({ tone: "plain", words: "Not started" } as const) : batchStates[state];
}
