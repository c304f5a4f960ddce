import { z } from "zod";
import { recordId } from "./admin.ts";

/** The most of a check. */
const maxQuestions = 10;
export const maxOptions = 10;
const maxVariants = 20;

/** Of the students who answered a question, the share right at the first try below which the question confuses. */
export const confusingBelow = 0.4;

/** Text that shows something: not only spaces and characters without a width. */
const text = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1, "Required")
    .max(maxLength, `At most ${maxLength} characters`)
    .regex(/[^\s\p{C}]/u, "Required");

/** How two texts are compared that students must be able to tell apart. */
const seen = (text: string) =>
  text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/g, " ")
    .trim();

/** Adds an issue at each entry that reads like an earlier one. */
function refuseTwins<Entry extends { text: string; id?: string }>(what: string) {
  return (entries: readonly Entry[], check: z.core.$RefinementCtx) => {
    for (const [at, entry] of entries.entries()) {
      const first = entries.findIndex((one) => seen(one.text) === seen(entry.text));
      if (first < at) {
        check.addIssue({ code: "custom", path: [at, "text"], message: `The same as ${what} ${first + 1}` });
      }
      if (entry.id !== undefined && entries.findIndex(({ id }) => id === entry.id) < at) {
        check.addIssue({ code: "custom", path: [at, "id"], message: `Another ${what} has this id` });
      }
    }
  };
}

const Option = z.strictObject({ id: recordId, text: text(300), isRight: z.boolean() });
const Options = z
  .array(Option)
  .min(2, "Add at least two options")
  .max(maxOptions, `At most ${maxOptions} options`)
  .superRefine(refuseTwins("option"));
const rightOf = (options: readonly { isRight: boolean }[]) => options.filter(({ isRight }) => isRight).length;

const amount = z.number("Enter a number").min(-1e12).max(1e12);
const Variant = z.strictObject({ text: text(500), answer: amount });

const everyQuestion = {
  id: recordId.describe("One that begins with `new-` is replaced by one that was never used"),
  text: text(1000),
  explanation: text(2000).describe("Shown with each result, also of a wrong answer"),
  at: z
    .int("Enter minutes and seconds, such as 4:05")
    .min(0)
    .max(86_400)
    .nullable()
    .describe("The second of the lesson where it is said; null: none"),
};

export const CheckQuestion = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({
      ...everyQuestion,
      kind: z.literal("one"),
      options: Options.refine((options) => rightOf(options) > 0, "Mark the right option").refine(
        (options) => rightOf(options) < 2,
        "Mark only one option as right, or choose “Several right options”",
      ),
    }),
    z.strictObject({
      ...everyQuestion,
      kind: z.literal("several"),
      options: Options.refine((options) => rightOf(options) > 0, "Mark at least one option as right"),
    }),
    z
      .strictObject({
        ...everyQuestion,
        kind: z.literal("number"),
        answer: amount.optional().describe("Required without variants, whose answers count otherwise"),
        unit: text(20).optional(),
        tolerance: z
          .number("Enter a number")
          .min(0)
          .max(1e12)
          .optional()
          .describe("How far off an answer may be; absent: not at all"),
        variants: z
          .array(Variant)
          .max(maxVariants, `At most ${maxVariants} variants`)
          .superRefine(refuseTwins("variant"))
          .optional()
          .describe("Each student gets one, whose text follows the question's"),
      })
      .refine(({ answer, variants = [] }) => answer !== undefined || variants.length > 0, {
        path: ["answer"],
        message: "Enter the right answer, or add variants",
      }),
    z
      .strictObject({
        ...everyQuestion,
        kind: z.literal("text"),
        answer: text(200).optional(),
        accepted: z.array(text(200)).max(20, "At most 20 spellings").optional(),
      })
      .refine(({ answer, accepted = [] }) => answer !== undefined || accepted.length > 0, {
        path: ["answer"],
        message: "Enter the right answer",
      }),
  ],
  { error: "Choose a kind of question" },
);
export type CheckQuestion = z.infer<typeof CheckQuestion>;

export const CheckContent = z.strictObject({
  questions: z
    .array(CheckQuestion)
    .refine((questions) => questions.length > 0, "Add a question")
    .max(maxQuestions, `At most ${maxQuestions} questions`)
    .superRefine((questions, check) => {
      for (const [at, { id }] of questions.entries()) {
        if (questions.findIndex((one) => one.id === id) < at) {
          check.addIssue({ code: "custom", path: [at, "id"], message: "Another question has this id" });
        }
      }
    }),
});
export type CheckContent = z.infer<typeof CheckContent>;
