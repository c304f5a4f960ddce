import { useState } from "react";
import type { FormOf } from "#app/editing/use-form-of.ts";
import type { LessonContent } from "#contract/admin/content.ts";
import { formatSecond, secondsOf } from "#contract/lesson-start.ts";
import { Field, Input } from "#ui/controls/field.tsx";

interface LengthFieldProps {
  form: FormOf<LessonContent>;
  label: string;
  hint: string;
}

/** A lesson's length as 4:05, empty for none. What is typed stays as it is while it means the form's value. */
export function LengthField({ form, label, hint }: LengthFieldProps) {
  const { duration } = form.value;
  const [typed, setTyped] = useState("");
  const isTyped = Object.is(secondsOf(typed), duration ?? Number.NaN);
  return (
    <Field name="duration" label={label} hint={hint} error={form.faults.duration}>
      <Input
        value={isTyped || !duration ? typed : formatSecond(duration)}
        onChange={({ target }) => {
          setTyped(target.value);
          form.change({ duration: secondsOf(target.value) });
        }}
      />
    </Field>
  );
}
