import { z } from "zod";
import { formatSecond } from "./lesson-start.ts";
import { line } from "./line.ts";

export const changeKinds = ["new", "corrected", "replaced", "retired"] as const;
export const ChangeKind = z.enum(changeKinds);
export type ChangeKind = z.infer<typeof ChangeKind>;

const second = z.int("Write it as 4:05").min(0).max(86_400).nullable().default(null);

/** A kind in the past tense. */
export const kindWords: Readonly<Record<ChangeKind, string>> = {
  new: "New",
  corrected: "Corrected",
  replaced: "Replaced",
  retired: "Retired",
};

/** The part of a lesson that changed, and what changed in it. */
const text = {
  from: second.describe("Seconds; null: the whole lesson changed"),
  to: second.describe("Seconds; null: the whole lesson changed"),
  note: z
    .string()
    .trim()
    .max(300, "Use 300 characters or fewer")
    .describe("Empty only where a lesson is new or retired"),
};

/** Adds that both times are given or none, and that they are in order. */
const withPart = <Schema extends z.ZodType<Part>>(schema: Schema) =>
  schema.superRefine(({ from, to }, { addIssue }) => {
    const fault = (name: keyof Part, message: string) => addIssue({ code: "custom", path: [name], message });
    if (from === null && to !== null) fault("from", "Enter a start, or leave both empty");
    if (from !== null && to === null) fault("to", "Enter an end, or leave both empty");
    if (from !== null && to !== null && from >= to) fault("to", "Enter an end after the start");
  });

export const ChangeText = withPart(z.strictObject(text));
export type ChangeText = z.infer<typeof ChangeText>;

/** Whoever publishes another video or other captions describes the change, or says that students needn't know (null). */
export const DescribedChange = withPart(
  z.strictObject({ ...text, kind: z.enum(["replaced", "corrected"]), note: line(300) }),
);
export type DescribedChange = z.infer<typeof DescribedChange>;

/** Why publishing asks for a description. */
export const changeReasons = { video: "The video was replaced.", captions: "The captions were changed." } as const;

interface Part {
  readonly from: number | null;
  readonly to: number | null;
}

/** "1:40–3:10"; null for the whole lesson. */
export function partWords({ from, to }: Part): string | null {
  return from === null || to === null ? null : `${formatSecond(from)}–${formatSecond(to)}`;
}

/** "Replaced: Every Fee, in Order (1:40–3:10)" */
export function changeTitle(change: Part & { readonly kind: ChangeKind; readonly title: string }): string {
  const part = partWords(change);
  return `${kindWords[change.kind]}: ${change.title}${part ? ` (${part})` : ""}`;
}

/** A change as everybody reads it. */
export const PublicChange = z.object({
  id: z.string(),
  at: z.iso.datetime().describe("Of a new lesson: when it opened"),
  kind: ChangeKind,
  from: z.int().nullable(),
  to: z.int().nullable(),
  note: z.string(),
  title: z.string().describe("Of the lesson"),
  lessonId: z.string().nullable().describe("Null: it is no longer in the course"),
});
export type PublicChange = z.infer<typeof PublicChange>;
