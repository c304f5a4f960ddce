import { type Change, spaced, wordsOf } from "./changes.ts";
import type { AnyLabel, Labels } from "./fields.tsx";

type Fields = Readonly<Record<string, unknown>>;
type Label = AnyLabel<never> | undefined;
type AnyLabels = Readonly<Record<string, Label>>;

/** The differences between two versions of a form's value, under the form's labels and in their order. */
export function labelledChanges<Value>(before: Value | null, after: Value | null, labels: Labels<Value>): Change[] {
  return changesOf(before as Fields | null, after as Fields | null, labels as AnyLabels);
}

/** Not edited: ids, and the name of a page's part. */
const unedited = ["id", "part", "moduleId"];

function changesOf(before: Fields | null, after: Fields | null, labels: AnyLabels): Change[] {
  const names = [...new Set([...Object.keys(labels), ...Object.keys({ ...before, ...after })])];
  return names
    .filter((name) => name in labels || !unedited.includes(name))
    .flatMap((name) => changesOfField(name, before?.[name] ?? null, after?.[name] ?? null, labels[name]));
}

function changesOfField(name: string, before: unknown, after: unknown, label: Label): Change[] {
  if (isSame(before, after)) return [];
  if (typeof label === "object" && "what" in label) return changesOfList(entriesIn(before), entriesIn(after), label);
  if (typeof label === "object" && "labels" in label)
    return changesOf(before as Fields | null, after as Fields | null, label.labels as AnyLabels);
  const field = titleOf(name, label);
  const [was, is] = [inWords(before, label), inWords(after, label)];
  if (was !== null && was === is) return [{ field, before: null, after: `${is} (another)` }];
  const [shortWas, shortIs] = was && is ? withoutCommonLines(was, is) : [was, is];
  return was === is ? [] : [{ field, before: shortWas, after: shortIs }];
}

type ListLabel = Extract<Label, { what: string }>;

function changesOfList(before: readonly Fields[], after: readonly Fields[], label: ListLabel): Change[] {
  const { title, labels, titleOf } = label as ListLabel & { titleOf?: (entry: Fields) => string };
  const [first = ""] = Object.keys(labels);
  const nameOf = (entry: Fields) => (titleOf ? titleOf(entry) : String(entry[first] ?? ""));
  /** Entries without an id are compared by their place. */
  const keyOf = (entry: Fields, at: number) => String(entry.id ?? at);
  const was = new Map(before.map((entry, at) => [keyOf(entry, at), entry]));
  const is = new Map(after.map((entry, at) => [keyOf(entry, at), entry]));
  const kept = (one: ReadonlyMap<string, Fields>, other: ReadonlyMap<string, Fields>) =>
    [...one.keys()].filter((key) => other.has(key));
  const names = (keys: readonly string[]) => keys.map((key) => nameOf(is.get(key) ?? {})).join(", ");
  const [wasOrder, isOrder] = [kept(was, is), kept(is, was)];
  const changed = [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [old, now] = [was.get(key), is.get(key)];
    const changes = changesOf(old ?? null, now ?? null, labels as AnyLabels);
    const name = nameOf(now ?? old ?? {});
    if (old && now) return changes.map((change) => ({ ...change, field: `${title}, ${name}: ${change.field}` }));
    const whole = changes.map(({ field, before, after }) => `${field}: ${before ?? after}`).join("\n");
    return [{ field: `${title}, ${now ? "added" : "removed"}`, before: old ? whole : null, after: now ? whole : null }];
  });
  if (isSame(wasOrder, isOrder)) return changed;
  return [{ field: `${title}, order`, before: names(wasOrder), after: names(isOrder) }, ...changed];
}

function entriesIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value : [];
}

function titleOf(name: string, label: Label): string {
  const title = typeof label === "object" && "label" in label ? label.label : label;
  return typeof title === "string" ? title : spaced(name);
}

function inWords(value: unknown, label: Label): string | null {
  const { words, options = [] } = (typeof label === "object" && "label" in label ? label : {}) as {
    words?: (value: never) => string;
    options?: readonly (readonly [string, string])[];
  };
  if (value === null || value === "") return options.find(([option]) => option === "")?.[1] ?? null;
  if (words) return words(value as never);
  return options.find(([option]) => option === String(value))?.[1] ?? wordsOf(value, "\n");
}

/** Long texts without the lines that are the same at their beginning and their end. */
function withoutCommonLines(was: string, is: string): [string, string] {
  const [before, after] = [was.split("\n"), is.split("\n")];
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start++;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const middle = (lines: string[]) =>
    [start > 0 && "…", ...lines.slice(start, lines.length - end), end > 0 && "…"].filter((line) => line !== false);
  return [middle(before).join("\n"), middle(after).join("\n")];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
