import { formatTimestamp } from "#ui/format/dates.ts";

const timestamp = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
/** Typed text may match the pattern without being a date. */
const isTimestamp = (text: string) => timestamp.test(text) && !Number.isNaN(Date.parse(text));

export interface Change {
  /** The field's name in words. Names of nested fields are joined by commas. */
  field: string;
  /** Null when the field was absent. */
  before: string | null;
  /** Null when the field is now absent. */
  after: string | null;
}

/** The differences between two versions of a value, field by field and in readable words. Leaves out equal fields. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const was = fieldsOf(before);
  const is = fieldsOf(after);
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => ({ field, before: was.get(field) ?? null, after: is.get(field) ?? null }))
    .filter((change) => change.before !== change.after);
}

/** `{ a: { b: 1 }, c: [2, 3] }` → "a, b": "1", "c": "2, 3" */
function fieldsOf(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value === "object" && !Array.isArray(value)) {
    return new Map(Object.entries(value).flatMap(([name, part]) => [...fieldsOf(part, [...path, name])]));
  }
  return new Map([[path.map(spaced).join(", ") || "value", wordsOf(value)]]);
}

/** "accountStatus" → "account status" */
export function spaced(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

export function wordsOf(value: unknown, separator = ", "): string {
  if (Array.isArray(value)) return value.map((one) => wordsOf(one)).join(separator);
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value === "string" && isTimestamp(value)) return formatTimestamp(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
