import { cx } from "class-variance-authority";
import type { ReactNode } from "react";
import { Entries } from "./entries.tsx";
import { FormField, type FormFieldProps } from "./form-field.tsx";
import type { Written } from "./written.ts";

/** A form's labels, in the order of its fields. */
export type Labels<Value> = { readonly [Name in keyof Value & string]?: Label<Value, NonNullable<Value[Name]>> };

type Label<Value, Part> =
  | string
  | LabelWithHint<Value>
  | (Part extends (infer Entry extends object)[] ? LabelsOfList<Entry> : never)
  /** Renders a field that has no control of its own in the kit. */
  | ((form: Written<Value>) => ReactNode);

interface LabelWithHint<Value> extends Omit<FormFieldProps<Value>, "form" | "name" | "className"> {
  /** In wide windows, this field and a half one beside it are in one line. */
  isHalf?: boolean;
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
  const entries = Object.entries(labels) as [keyof Value & string, Label<Value, object[]>][];
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
  label: Label<Value, object[]>;
}

function Labelled<Value>({ form, name, label }: LabelledProps<Value>) {
  if (typeof label === "string") return <FormField form={form} name={name} label={label} />;
  if (typeof label === "function") return label(form);
  if ("labels" in label) {
    const { labels, ...list } = label;
    return (
      <Entries form={form as Written<Record<string, object[]>>} name={name} {...list}>
        {(entry) => <Fields form={entry} labels={labels} />}
      </Entries>
    );
  }
  const { isHalf: _, ...field } = label;
  return <FormField form={form} name={name} {...field} />;
}

function isHalf<Value>(label: Label<Value, object[]>): boolean {
  return typeof label === "object" && "isHalf" in label && label.isHalf === true;
}
