import { focusOnArrival } from "#app/profile/focus.ts";
import {
  type CheckedImport,
  DateOrder,
  type ImportField,
  type ImportMapping,
  importFields,
} from "#contract/admin/imports.ts";
import { type Tier, tiers } from "#contract/tiers.ts";
import { academy } from "#ui/academy.ts";
import { Field, Select } from "#ui/controls/field.tsx";
import { Spinner } from "#ui/spinner.tsx";
import { Panel } from "../panel.tsx";
import { dateOrders, fieldHints, fieldLabels, sourceLabels, subscribedWords } from "./import-words.ts";

/** The controls of a row begin at one height, whichever have hints. */
const hintsBelow = "[&>p]:order-last";

interface ImportColumnsProps {
  checked: CheckedImport;
  /** As chosen, also while it is checked. */
  mapping: CheckedImport["mapping"];
  isChecking: boolean;
  fault: string | undefined;
  /** Checks the file again. */
  onChange: (mapping: ImportMapping) => void;
}

/** Which column of the file is what: a guess that can be changed. */
export function ImportColumns({ checked, mapping, isChecking, fault, onChange }: ImportColumnsProps) {
  const { columns, source, unknownPlans } = checked;
  const change = (changes: { [Name in keyof ImportMapping]?: ImportMapping[Name] | undefined }) => {
    const next = Object.entries({ ...mapping, ...changes }).filter(([, value]) => value !== undefined && value !== "");
    onChange(Object.fromEntries(next) as ImportMapping);
  };
  // Choices stay in view, so that they can be changed.
  const planWords = [...new Set([...Object.keys(mapping.plans ?? {}), ...unknownPlans])];
  const isUsable = mapping.email !== undefined;
  return (
    <Panel title="Columns" aside={isChecking && <Spinner />}>
      <p ref={focusOnArrival} tabIndex={-1} className="mb-4 text-ink-soft text-sm" aria-live="polite">
        {isChecking
          ? "Checking the list again…"
          : source
            ? `This looks like an export of ${sourceLabels[source]}. Check that each column is right.`
            : "Check that each column is right."}
      </p>
      {fault && (
        <p role="alert" className="mb-4 font-semibold text-danger text-sm">
          {fault}
        </p>
      )}
      {/* Not disabled while it is checked, as that takes the focus away. */}
      <fieldset aria-busy={isChecking} className="grid min-w-0 items-start gap-5 sm:grid-cols-2 xl:grid-cols-3">
        <legend className="sr-only">Columns of the file</legend>
        {planWords.map((word) => (
          <Field key={word} label={<span className="wrap-anywhere">“{word}” means</span>}>
            <Select
              value={mapping.plans && Object.hasOwn(mapping.plans, word) ? (mapping.plans[word] ?? "none") : ""}
              onChange={({ target: { value } }) =>
                change({ plans: { ...mapping.plans, [word]: value === "none" ? null : (value as Tier) } })
              }
            >
              <option value="" disabled>
                Choose a plan
              </option>
              <option value="none">No plan</option>
              <PlanOptions />
            </Select>
          </Field>
        ))}
        {importFields
          .filter((field) => isUsable || field === "email")
          .map((field) => (
            <Column
              key={field}
              field={field}
              columns={columns}
              value={mapping[field] ?? ""}
              onChange={(name) => change({ [field]: name, ...(field === "until" && { dates: undefined }) })}
            />
          ))}
        {isUsable && (
          <Field label="Plan for rows without one">
            <Select
              value={mapping.defaultPlan ?? ""}
              onChange={({ target }) => change({ defaultPlan: (target.value || undefined) as Tier | undefined })}
            >
              <option value="">No plan</option>
              <PlanOptions />
            </Select>
          </Field>
        )}
        {mapping.until && (
          <Field
            label="Date format"
            hint="Check the dates under Rows. Some fit more than one format."
            className={hintsBelow}
          >
            <Select
              value={mapping.dates ?? "ymd"}
              onChange={({ target }) => change({ dates: target.value as DateOrder })}
            >
              {DateOrder.options.map((order) => (
                <option key={order} value={order}>
                  {dateOrders[order]}
                </option>
              ))}
            </Select>
          </Field>
        )}
      </fieldset>
    </Panel>
  );
}

interface ColumnProps {
  field: ImportField;
  columns: readonly string[];
  value: string;
  onChange: (name: string | undefined) => void;
}

function Column({ field, columns, value, onChange }: ColumnProps) {
  const isRequired = field === "email";
  const { label, hint } =
    field === "subscribed" ? subscribedWords(value) : { label: fieldLabels[field], hint: fieldHints[field] };
  return (
    <Field
      label={label}
      hint={hint}
      error={isRequired && value === "" ? "Choose the column with email addresses." : null}
      className={hintsBelow}
    >
      <Select value={value} onChange={({ target }) => onChange(target.value || undefined)}>
        <option value="" disabled={isRequired}>
          {isRequired ? "Choose a column" : "Not in this file"}
        </option>
        {[...new Set(columns)].filter(Boolean).map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function PlanOptions() {
  return tiers.map((tier) => (
    <option key={tier} value={tier}>
      {academy().planNames[tier]}
    </option>
  ));
}
