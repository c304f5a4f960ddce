import type { Labels } from "#app/editing/fields.tsx";
import type { CheckContent, CheckQuestion } from "#contract/admin/check-content.ts";
import { formatSecond } from "#contract/lesson-start.ts";

export interface Option {
  id: string;
  text: string;
  isRight: boolean;
}

export interface Variant {
  text: string;
  answer: number | null;
}

/** A question with what was typed for other kinds, so that another choice of the kind loses nothing. */
export interface EditedQuestion extends Pick<CheckQuestion, "id" | "kind" | "text" | "explanation" | "at"> {
  options?: Option[];
  answer?: unknown;
  unit?: string;
  tolerance?: number;
  variants?: Variant[];
  accepted?: string[];
}

export const questionLabels = {
  text: "Question",
  kind: {
    label: "Answer",
    options: [
      ["one", "One right option"],
      ["several", "Several right options"],
      ["number", "A number"],
      ["text", "A word or a short text"],
    ],
  },
  options: { title: "Options", what: "option", labels: { text: "Option", isRight: "Right" } },
  answer: "Right answer",
  unit: "Unit (optional)",
  tolerance: "Accepted difference (optional)",
  variants: { title: "Variants (optional)", what: "variant", labels: { text: "Text", answer: "Right answer" } },
  accepted: "Other answers to accept",
  explanation: "Explanation",
  at: { label: "Watch again at", words: formatSecond },
} as const satisfies Labels<EditedQuestion>;

/** The schema's questions are of several kinds, which share the labels of an edited one. */
export const checkLabels = {
  questions: { title: "Check", what: "question", labels: questionLabels },
} as Labels<CheckContent>;
