import type { ComponentProps, ReactNode } from "react";
import { z } from "#app/api/zod.ts";
import { Checkbox, Field, Input, Select, Textarea } from "#ui/controls/field.tsx";
import { fromLocal, toLocal } from "#ui/format/local-time.ts";
import { bare, faultOf, pathOf, schemaOf, type Written } from "./written.ts";

type ControlProps = Pick<
  ComponentProps<"input">,
  "autoComplete" | "disabled" | "placeholder" | "required" | "spellCheck" | "step" | "type"
>;

interface FormFieldProps<Value> extends ControlProps {
  form: Written<Value>;
  /** Its name in the contract, from which everything follows that is not stated here. */
  name: keyof Value & string;
  label: ReactNode;
  hint?: ReactNode;
  /** Makes a field of several lines. */
  rows?: number;
  /** Makes a choice: values with their labels, and "" for none. */
  options?: readonly (readonly [string, string])[];
  className?: string | undefined;
  controlClass?: string;
}

/** A field with the name, the limits and the error path of the contract. */
export function FormField<Value>(props: FormFieldProps<Value>) {
  const { form, name, label, hint, rows, options, className, controlClass, ...control } = props;
  const schema = schemaOf(form, name);
  const error = faultOf(form, name);
  const value = form.value[name];
  const change = (changed: unknown) => form.change({ [name]: changed } as Partial<Value>);
  if (bare(schema) instanceof z.ZodBoolean) {
    return (
      <Checkbox
        name={pathOf(form, name)}
        label={label}
        error={error}
        checked={value === true}
        disabled={control.disabled}
        className={className}
        onChange={({ target }) => change(target.checked)}
      />
    );
  }
  const { show, read, empty, ...attributes } = controlOf(schema);
  const shared = {
    value: value === null || value === undefined || value === "" ? "" : show(value as never),
    onChange: ({ target }: { target: { value: string } }) =>
      change(target.value.trim() === "" ? empty : read(target.value)),
    className: controlClass,
    required: attributes.required,
  };
  return (
    <Field label={label} hint={hint} name={pathOf(form, name)} error={error} className={className}>
      {options ? (
        <Select {...shared} disabled={control.disabled}>
          {options.map(([option, words]) => (
            <option key={option} value={option}>
              {words}
            </option>
          ))}
        </Select>
      ) : rows ? (
        <Textarea
          {...shared}
          rows={rows}
          maxLength={attributes.maxLength}
          spellCheck={control.spellCheck}
          disabled={control.disabled}
        />
      ) : (
        <Input {...attributes} {...shared} {...control} />
      )}
    </Field>
  );
}

/** How a control shows a value and reads what is typed, and the attributes that it takes from the contract. */
type Control = Pick<ComponentProps<"input">, "type" | "required" | "maxLength" | "min" | "max" | "step"> & {
  show: (value: never) => string;
  read: (typed: string) => unknown;
  /** The value of an empty control. */
  empty: unknown;
};

const text = { show: String, read: String, empty: "" };
const number = { show: String, read: Number, empty: null };
/** In the browser's time zone, without seconds: those of a value stay until it is changed. */
const instant = { show: toLocal, read: (typed: string) => fromLocal(typed) ?? "", empty: "" };
const lines = { show: (value: string[]) => value.join("\n"), read: (typed: string) => typed.split("\n"), empty: [] };

function controlOf(schema: z.ZodType): Control {
  const control = kindOf(bare(schema));
  const accepted = [null, undefined, "", []].filter((empty) => schema.safeParse(empty).success);
  return accepted.length > 0 ? { ...control, empty: accepted[0] } : { ...control, required: true };
}

/** An entry whose fields are empty. */
export function emptied(fields: Readonly<Record<string, z.ZodType>>): Record<string, unknown> {
  const empties = Object.entries(fields).map(([name, field]) => [name, controlOf(field).empty] as const);
  return Object.fromEntries(empties);
}

function kindOf(schema: unknown): Control {
  if (schema instanceof z.ZodArray) return lines;
  if (schema instanceof z.ZodBoolean) return { ...text, empty: false };
  if (schema instanceof z.ZodISODateTime) return { ...instant, type: "datetime-local" };
  if (schema instanceof z.ZodISODate) return { ...text, type: "date" };
  if (schema instanceof z.ZodNumber) {
    const { minValue, maxValue, isInt, _zod } = schema;
    const step = isInt ? 1 : ((_zod.bag.multipleOf as number | undefined) ?? "any");
    return { ...number, type: "number", min: minValue ?? undefined, max: maxValue ?? undefined, step };
  }
  if (!(schema instanceof z.ZodString || schema instanceof z.ZodStringFormat)) return text;
  const said = schema.meta();
  const type = said?.format === "email" ? "email" : schema.format === "url" ? "url" : "text";
  return { ...text, type, maxLength: schema.maxLength ?? (said?.maxLength as number | undefined) };
}
