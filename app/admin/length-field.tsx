import { useState } from "react";
import { faultOf, pathOf, type Written } from "#app/editing/written.ts";
import { formatSecond, secondsOf } from "#contract/lesson-start.ts";
import { Field, Input } from "#ui/controls/field.tsx";

interface LengthFieldProps<Value> {
  form: Written<Value>;
  /** Of seconds. */
  name: keyof Value & string;
  /** The value of an empty field. */
  empty: 0 | null;
  label: string;
  hint: string;
  className?: string;
}

/** Seconds as 4:05. What is typed stays as it is while it means the form's value. */
export function LengthField<Value>({ form, name, empty, label, hint, className }: LengthFieldProps<Value>) {
  // A draft that this browser kept has null for what was no time.
  const seconds = (form.value[name] as number | null) ?? (empty === null ? null : Number.NaN);
  const [typed, setTyped] = useState("");
  const read = (text: string) => (text.trim() === "" ? empty : secondsOf(text));
  const isTyped = Number.isNaN(seconds) || Object.is(read(typed), seconds);
  return (
    <Field name={pathOf(form, name)} label={label} hint={hint} error={faultOf(form, name)} className={className}>
      <Input
        value={isTyped ? typed : seconds === null || seconds === empty ? "" : formatSecond(seconds)}
        onChange={({ target }) => {
          setTyped(target.value);
          form.change({ [name]: read(target.value) } as Partial<Value>);
        }}
      />
    </Field>
  );
}
