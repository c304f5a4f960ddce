import type { z } from "zod";
import type { Faults } from "#app/api/use-form.ts";

/** A sentence for each field of a body that its schema refuses, by the field's dotted name, as in `asks`. */
export function faultsOf(schema: z.ZodType, body: unknown, asks: Faults = {}): Faults {
  const { error } = schema.safeParse(body);
  const faults = (error?.issues ?? []).map(({ path, message }) => {
    // How a value must look does not matter yet where there is none.
    const isEmpty = [undefined, null, ""].includes(valueAt(body, path) as never);
    const name = path.join(".");
    return [name, isEmpty ? (asks[name] ?? "Required") : message] as const;
  });
  // Of several faults of a field, the first is shown.
  return Object.fromEntries(faults.toReversed());
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((part, name) => (part as Record<PropertyKey, unknown> | null | undefined)?.[name], body);
}
