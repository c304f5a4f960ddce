import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { Entries } from "./entries.tsx";
import { FormField, type FormFieldProps } from "./form-field.tsx";
import { type Written, within } from "./written.ts";

/** A form's labels, in the order of its fields. */
export type Labels<Value> = { readonly [Name in keyof Value & string]?: Label<Value, NonNullable<Value[Name]>> };

type Label<Value, Part> =
  | string
  | LabelWithHint<Value>
  | (Part extends (infer Entry extends object)[]
      ? LabelsOfList<Entry>
      : Part extends object
        ? LabelsOfPart<Value, Part>
        : never);

/** A label without the type of its field. */
export type AnyLabel<Value> = string | LabelWithHint<Value> | LabelsOfList<object> | LabelsOfPart<Value, object>;

interface LabelWithHint<Value> extends Omit<FormFieldProps<Value>, "form" | "name" | "className"> {
  /** In wide windows, this field and a half one beside it are in one line. */
  isHalf?: boolean;
  /** How a list of changes shows the value. */
  words?: (value: never) => string;
}

interface LabelsOfPart<Value, Part> {
  labels: Labels<Part>;
  /** Renders a part that has no control of its own in the kit. */
  field?: (form: Written<Value>) => ReactNode;
}

interface LabelsOfList<Entry> {
  title: string;
  hint?: string;
  /** What an entry is called, such as "review". */
  what: string;
  /** Defaults to the first field of an entry. */
  titleOf?: (entry: Entry) => string;
  labels: Labels<Entry>;
}

/** The fields that have labels. */
export function Fields<Value>({ form, labels }: { form: Written<Value>; labels: Labels<Value> }) {
  const entries = Object.entries(labels) as [keyof Value & string, AnyLabel<Value>][];
  return (
    <div className="grid items-end gap-5 sm:grid-cols-2">
      {entries.map(([name, label]) => (
        <div key={name} className={cx("grid min-w-0 gap-5 empty:hidden", !isHalf(label) && "sm:col-span-2")}>
          <Labelled form={form} name={name} label={label} />
        </div>
      ))}
    </div>
  );
}

interface LabelledProps<Value> {
  form: Written<Value>;
  name: keyof Value & string;
  label: AnyLabel<Value>;
}

function Labelled<Value>({ form, name, label }: LabelledProps<Value>) {
  if (typeof label === "string") return <FormField form={form} name={name} label={label} />;
  if ("what" in label) {
    const { labels, ...list } = label;
    return (
      <Entries form={form as Written<Record<string, object[]>>} name={name} {...list}>
        {(entry) => <Fields form={entry} labels={labels} />}
      </Entries>
    );
  }
  if ("labels" in label) return label.field?.(form) ?? <Fields form={within(form, name)} labels={label.labels} />;
  const { isHalf: _, words: __, ...field } = label;
  return <FormField form={form} name={name} {...field} />;
}

function isHalf<Value>(label: AnyLabel<Value>): boolean {
  return typeof label === "object" && "isHalf" in label && label.isHalf === true;
}
