import type { ComponentProps, ReactNode } from "react";
import { z } from "#app/api/zod.ts";
import { Checkbox, Field, Input, Select, Textarea } from "#ui/controls/field.tsx";
import { controlOf } from "./control.ts";
import { bare, faultOf, pathOf, schemaOf, type Written } from "./written.ts";

type ControlProps = Pick<
  ComponentProps<"input">,
  "autoComplete" | "disabled" | "inputMode" | "placeholder" | "required" | "spellCheck" | "step" | "type"
>;

export interface FormFieldProps<Value> extends ControlProps {
  form: Written<Value>;
  /** Its name in the contract, from which everything follows that is not stated here. */
  name: keyof Value & string;
  label: ReactNode;
  hint?: string | undefined;
  /** Defaults to what its length in the contract suggests. */
  rows?: number;
  /** Makes a choice: values with their labels, and "" for none. */
  options?: readonly (readonly [string, string])[];
  className?: string | undefined;
  controlClass?: string;
  /** Lays out the control with what belongs to it. */
  around?: (control: ReactNode) => ReactNode;
}

/** A field with the name, the limits and the error path of the contract. */
export function FormField<Value>(props: FormFieldProps<Value>) {
  const { form, name, label, hint, options, className, controlClass, rows: ownRows, around, ...control } = props;
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
  const { show, read, empty, usage, rows: usualRows, ...attributes } = controlOf(schema);
  const rows = ownRows ?? usualRows;
  const shared = {
    value: value === null || value === undefined || value === "" ? "" : show(value as never),
    onChange: ({ target }: { target: { value: string } }) =>
      change(target.value.trim() === "" ? empty : read(target.value)),
    className: controlClass,
    required: control.required ?? attributes.required,
  };
  const field = options ? (
    <Select {...shared} disabled={control.disabled}>
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </Select>
  ) : rows > 1 ? (
    <Textarea
      {...shared}
      rows={rows}
      maxLength={attributes.maxLength}
      spellCheck={control.spellCheck}
      disabled={control.disabled}
    />
  ) : (
    <Input {...attributes} {...shared} {...control} />
  );
  // A browser cuts what is pasted without a word.
  const isFull = typeof value === "string" && value.length === attributes.maxLength;
  const limit = isFull && `You’ve reached the limit of ${value.length.toLocaleString("en-US")} characters.`;
  return (
    <Field
      label={label}
      hint={[limit, usage, hint].filter(Boolean).join(" ")}
      name={pathOf(form, name)}
      error={error}
      className={className}
    >
      {around ? around(field) : field}
    </Field>
  );
}
