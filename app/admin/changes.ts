interface Change {
  /** Names joined by dots where values lie inside of each other. */
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

/** `{ a: { b: 1 }, c: [2, 3] }` → a.b: "1", c: "2, 3" */
function fieldsOf(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (value === null || value === undefined) return new Map();
  if (typeof value === "object" && !Array.isArray(value)) {
    return new Map(Object.entries(value).flatMap(([name, part]) => [...fieldsOf(part, [...path, name])]));
  }
  return new Map([[path.join(".") || "value", wordsOf(value)]]);
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(", ");
  if (value === true) return "yes";
  if (value === false) return "no";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
