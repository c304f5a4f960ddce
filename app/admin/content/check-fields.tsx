import type { ReactNode } from "react";
import { entriesOf } from "#app/editing/control.ts";
import { Entries, IconButton, newId } from "#app/editing/entries.tsx";
import { FormField } from "#app/editing/form-field.tsx";
import type { FormOf } from "#app/editing/use-form-of.ts";
import { pathOf, schemaOf, type Written } from "#app/editing/written.ts";
import { type CheckContent, type CheckQuestion, confusingBelow } from "#contract/admin/check-content.ts";
import type { LessonContent } from "#contract/admin/content.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Select } from "#ui/controls/field.tsx";
import { Icon } from "#ui/icon.tsx";
import { LengthField } from "../length-field.tsx";
import { type EditedQuestion, type Option, questionLabels, type Variant } from "./check-labels.ts";

type Edited = { questions: EditedQuestion[] };

const fieldsOfKind: Readonly<Record<CheckQuestion["kind"], readonly (keyof EditedQuestion)[]>> = {
  one: ["options"],
  several: ["options"],
  number: ["answer", "unit", "tolerance", "variants"],
  text: ["answer", "accepted"],
};

/** The check as it is saved: each question with the fields of its kind only. */
export function settleCheck(check: CheckContent | null): CheckContent | null {
  if (!check) return null;
  const questions = (check as Edited).questions.map(({ id, kind, text, explanation, at, ...rest }) => {
    const names = fieldsOfKind[kind].filter((name) => name !== "answer" || kind === "text" || !rest.variants?.length);
    const own = Object.fromEntries(names.map((name) => [name, rest[name as keyof typeof rest]]));
    return { id, kind, text, explanation, at, ...own };
  });
  return { questions: questions as CheckQuestion[] };
}

/** The questions of a lesson's check. */
export function CheckFields({ form }: { form: FormOf<LessonContent> }) {
  const value = (form.value.check as Edited | null) ?? { questions: [] };
  const check: Written<Edited> = {
    schema: schemaOf(form, "check"),
    value,
    path: "check",
    faults: form.faults,
    change({ questions = [] }) {
      // Faults are named by position, and an option's mark has none of its own.
      if (shapeOf(questions) !== shapeOf(value.questions)) form.forget("check");
      form.change({ check: questions.length > 0 ? ({ questions } as CheckContent) : null });
    },
  };
  return (
    <Entries
      form={check}
      name="questions"
      title="Check"
      hint={`Questions that students answer after the lesson, as often as they like. Learning shows which questions fewer than ${confusingBelow * 100}% answer right at the first try.`}
      what="question"
      titleOf={({ text }) => text}
    >
      {(question) => <QuestionFields form={question} />}
    </Entries>
  );
}

function shapeOf(questions: readonly EditedQuestion[]): string {
  return JSON.stringify(
    questions.map(({ id, kind, options = [], variants = [] }) => [
      id,
      kind,
      options.map(({ id, isRight }) => [id, isRight]),
      variants.length,
    ]),
  );
}

function QuestionFields({ form }: { form: Written<EditedQuestion> }) {
  const { kind, variants = [] } = form.value;
  return (
    <>
      <FormField form={form} name="text" label={questionLabels.text} rows={2} />
      <Field label={questionLabels.kind.label} className="max-w-sm">
        <Select
          value={kind}
          // What is typed for a number is no text, and the other way around.
          onChange={({ target }) => form.change({ kind: target.value as CheckQuestion["kind"], answer: undefined })}
        >
          {questionLabels.kind.options.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      {(kind === "one" || kind === "several") && <Options form={form} />}
      {kind === "number" && (
        <>
          <div className="grid items-end gap-4 sm:grid-cols-3">
            {variants.length === 0 && <FormField form={form} name="answer" label={questionLabels.answer} required />}
            <FormField form={form} name="unit" label={questionLabels.unit} />
            <FormField form={form} name="tolerance" label={questionLabels.tolerance} />
          </div>
          <Variants form={form} />
        </>
      )}
      {kind === "text" && (
        <>
          <FormField
            form={form}
            name="answer"
            label={questionLabels.answer}
            hint="Upper and lower case, spaces and accents don’t matter."
            required
          />
          <FormField form={form} name="accepted" label={questionLabels.accepted} rows={3} />
        </>
      )}
      <FormField
        form={form}
        name="explanation"
        label={questionLabels.explanation}
        hint="Shown after each answer, also after a wrong one. Explain why without giving the answer away."
        rows={3}
      />
      <LengthField
        form={form}
        name="at"
        empty={null}
        label={questionLabels.at.label}
        hint="Minutes and seconds, such as 4:05. Leave empty if the video doesn’t cover it."
        className="max-w-sm"
      />
    </>
  );
}

const blankOptions: readonly Option[] = [
  { id: "new-a", text: "", isRight: false },
  { id: "new-b", text: "", isRight: false },
];

function Options({ form }: { form: Written<EditedQuestion> }) {
  const isOne = form.value.kind === "one";
  const options = form.value.options?.length ? form.value.options : blankOptions;
  const put = (options: readonly Option[]) => form.change({ options: [...options] });
  return (
    <Rows
      form={form}
      name="options"
      rows={options}
      title={questionLabels.options.title}
      hint={isOne ? "Mark the right one." : "Mark all that are right."}
      what={questionLabels.options.what}
      fresh={() => ({ id: newId(), text: "", isRight: false })}
      onPut={put}
    >
      {(row, number) => (
        <>
          <label className="flex min-h-11 items-center gap-2 text-sm">
            <input
              type={isOne ? "radio" : "checkbox"}
              checked={row.value.isRight}
              aria-label={`Option ${number} is right`}
              onChange={({ target }) =>
                put(
                  options.map((one) => {
                    const isThis = one.id === row.value.id;
                    return { ...one, isRight: isThis ? target.checked : one.isRight && !isOne };
                  }),
                )
              }
              className="size-5 accent-action"
            />
            Right
          </label>
          <FormField
            form={row}
            name="text"
            label={<span className="sr-only">Option {number}</span>}
            rows={1}
            className="min-w-0 grow basis-24"
          />
        </>
      )}
    </Rows>
  );
}

function Variants({ form }: { form: Written<EditedQuestion> }) {
  return (
    <Rows
      form={form}
      name="variants"
      rows={form.value.variants ?? []}
      title={questionLabels.variants.title}
      hint="Each student gets one of these below the question, so that answers can’t be copied. Enter the numbers to use, such as “For 3 loaves”, and the right answer."
      what={questionLabels.variants.what}
      fresh={() => ({ text: "", answer: null })}
      onPut={(variants: Variant[]) => form.change({ variants })}
    >
      {(row) => (
        <>
          <FormField form={row} name="text" label="Text" rows={1} className="grow basis-48" />
          <FormField form={row} name="answer" label={questionLabels.answer} className="w-36" />
        </>
      )}
    </Rows>
  );
}

interface RowsProps<Row> {
  form: Written<EditedQuestion>;
  name: "options" | "variants";
  rows: readonly Row[];
  title: string;
  hint: string;
  what: string;
  /** A new row. */
  fresh: () => Row;
  onPut: (rows: Row[]) => void;
  children: (row: Written<Row>, number: number) => ReactNode;
}

/** A short list whose entries are one line each, and always open. */
function Rows<Row extends object>({ form, name, rows, title, hint, what, fresh, onPut, children }: RowsProps<Row>) {
  const { schema, least, most } = entriesOf(schemaOf(form, name));
  const path = pathOf(form, name);
  const fault = form.faults[path];
  return (
    <fieldset className="grid gap-3">
      <legend className="font-bold text-sm">{title}</legend>
      <p className="text-fine text-ink-soft">{hint}</p>
      {rows.map((value, at) => (
        <div key={"id" in value ? String(value.id) : at} className="flex flex-wrap items-end gap-x-3 gap-y-2">
          {children(
            {
              schema,
              value,
              change: (changes) => onPut(rows.map((one, other) => (other === at ? { ...one, ...changes } : one))),
              path: `${path}.${at}`,
              faults: form.faults,
            },
            at + 1,
          )}
          <IconButton
            label={`Remove ${what} ${at + 1}`}
            name="cross"
            isOff={rows.length <= least}
            onPress={() => onPut(rows.filter((_, other) => other !== at))}
          />
        </div>
      ))}
      {fault && (
        <p role="alert" className="font-semibold text-danger text-fine">
          {fault}
        </p>
      )}
      <Button
        variant="quiet"
        size="small"
        // By its name, a fault of the whole list brings the focus here.
        name={path}
        disabled={rows.length >= most}
        className="justify-self-start"
        onClick={() => onPut([...rows, fresh()])}
      >
        <Icon name="plus" className="size-3" />
        Add {what === "option" ? "an option" : "a variant"}
      </Button>
    </fieldset>
  );
}
