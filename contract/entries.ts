/**
 * Flattens content for comparing two versions: each field by its path, entries of lists by their id (`questions,
 * refund`), and the order of each list.
 */
export function fieldsOf(content: object): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(content)) {
    if (!isListOfEntries(value)) fields[name] = value;
    else {
      fields[`order of ${name}`] = value.map(({ id }) => id);
      for (const { id, ...entry } of value) fields[`${name}, ${id}`] = entry;
    }
  }
  return fields;
}

function isListOfEntries(value: unknown): value is { id: string }[] {
  return Array.isArray(value) && value.length > 0 && value.every((entry) => typeof entry?.id === "string");
}
