import type { ComponentProps } from "react";
import { z } from "#app/api/zod.ts";
import { fromLocal, toLocal } from "#ui/format/local-time.ts";
import { bare, limitOf } from "./written.ts";

/** How a control shows a value and reads what is typed, and the attributes that it takes from the contract. */
type Control = Pick<ComponentProps<"input">, "type" | "required" | "maxLength" | "min" | "max" | "step"> & {
  show: (value: never) => string | number;
  read: (typed: string) => unknown;
  /** The value of an empty control. */
  empty: unknown;
  /** The height of a text. */
  rows: number;
  /** How to write in it, as a sentence. */
  usage?: string;
};

const text = { show: String, read: String, empty: "", rows: 1 };
/** React leaves a half-typed "49.0" alone only when its value is a number. */
const number = { ...text, show: (value: number) => value, read: Number, empty: null };
/** In the browser's time zone, without seconds: those of a value stay until it is changed. */
const instant = { ...text, show: toLocal, read: (typed: string) => fromLocal(typed) ?? "" };
const lines = { show: (value: string[]) => value.join("\n"), read: (typed: string) => typed.split("\n"), empty: [] };
/** Longer texts get several rows: one more for twice the length. */
const maxOneRow = 200;

export function controlOf(schema: z.ZodType): Control {
  const control = kindOf(bare(schema));
  const accepted = [null, undefined, "", []].filter((empty) => schema.safeParse(empty).success);
  return accepted.length > 0 ? { ...control, empty: accepted[0] } : { ...control, required: true };
}

/** What a list's entries and their number must be, and a new entry, whose fields are empty. */
export function entriesOf(schema: z.ZodType) {
  const list = bare(schema);
  const entry = list instanceof z.ZodArray ? bare(list.element) : null;
  // A new entry of several kinds is of the first one.
  const first = entry instanceof z.ZodDiscriminatedUnion ? entry.options[0] : entry;
  if (!(list instanceof z.ZodArray && entry instanceof z.ZodType) || !(first instanceof z.ZodObject)) {
    throw new Error("The contract has no list of entries there");
  }
  const { id, ...fields } = first.shape;
  const empties = Object.entries(fields).map(([name, field]) => [name, controlOf(field).empty] as const);
  return {
    schema: entry,
    hasIds: id !== undefined,
    least: limitOf(list, "min_length") ?? 0,
    most: limitOf(list, "max_length") ?? Number.POSITIVE_INFINITY,
    empty: Object.fromEntries(empties) as Record<string, unknown>,
  };
}

function kindOf(schema: unknown): Control {
  if (schema instanceof z.ZodUnion) return kindOf(schema.options.find((option) => !(option instanceof z.ZodLiteral)));
  if (schema instanceof z.ZodArray) {
    const most = limitOf(schema, "max_length") ?? 10;
    return { ...lines, rows: Math.ceil(most / 2), usage: `One on each line, at most ${most}.` };
  }
  if (schema instanceof z.ZodLiteral) return { ...text, empty: schema.value };
  if (schema instanceof z.ZodBoolean) return { ...text, empty: false };
  if (schema instanceof z.ZodISODateTime) return { ...instant, type: "datetime-local" };
  if (schema instanceof z.ZodISODate) return { ...text, type: "date" };
  if (schema instanceof z.ZodNumber) {
    const { minValue, maxValue, isInt } = schema;
    const step = isInt ? 1 : (limitOf(schema, "multiple_of") ?? "any");
    return { ...number, type: "number", min: minValue ?? undefined, max: maxValue ?? undefined, step };
  }
  if (!(schema instanceof z.ZodString || schema instanceof z.ZodStringFormat)) return text;
  const said = schema.meta();
  const type = said?.format === "email" ? "email" : schema.format === "url" ? "url" : "text";
  const maxLength = schema.maxLength ?? (said?.maxLength as number | undefined);
  const isLong = type === "text" && maxLength !== undefined && maxLength > maxOneRow;
  return { ...text, type, maxLength, rows: isLong ? Math.round(Math.log2(maxLength / 60)) : 1 };
}
