import { formatTimestamp } from "#ui/format/dates.ts";

const timestamp = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
/** Text that somebody typed may only look like one. */
const isTimestamp = (text: string) => timestamp.test(text) && !Number.isNaN(Date.parse(text));

interface Change {
  /** In words; the names of values that lie inside of each other follow one another. */
  field: string;
  /** Null where there was nothing. */
  before: string | null;
  /** Null where there is nothing any more. */
  after: string | null;
}

/** What differs between two values of the same thing, field by field, in words to read. Equal fields are left out. */
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
function spaced(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(", ");
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value === "string" && isTimestamp(value)) return formatTimestamp(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
