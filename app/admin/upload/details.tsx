import type { Faults } from "#app/api/use-form.ts";
import { usePlans } from "#app/plans/plans.ts";
import { formatPrice } from "#contract/money.ts";
import type { Tier } from "#contract/tiers.ts";
import { Field, Input, Select, Textarea } from "#ui/controls/field.tsx";
import type { ModuleChoice } from "./modules.ts";

/** A resource's details as form fields. Empty means not chosen; an empty lesson means the whole module. */
export interface DetailValues {
  moduleId: string;
  lessonId: string;
  title: string;
  description: string;
  requiredTier: Tier | "";
}

export const noDetails: DetailValues = { moduleId: "", lessonId: "", title: "", description: "", requiredTier: "" };

/** Whether all required details are present. */
export function isComplete({ moduleId, title, requiredTier }: DetailValues): boolean {
  return moduleId !== "" && title.trim() !== "" && requiredTier !== "";
}

interface DetailFieldsProps {
  modules: readonly ModuleChoice[];
  values: DetailValues;
  faults: Faults;
  isDisabled?: boolean;
  onChange: (values: DetailValues) => void;
}

/** The fields of a resource's details, for new and existing resources. */
export function DetailFields({ modules, values, faults, isDisabled = false, onChange }: DetailFieldsProps) {
  const lessons = modules.find(({ id }) => id === values.moduleId)?.lessons ?? [];
  const change = (part: Partial<DetailValues>) => onChange({ ...values, ...part });
  return (
    <>
      <Field label="Module" name="moduleId" error={faults.moduleId}>
        <Select
          value={values.moduleId}
          disabled={isDisabled}
          required
          onChange={({ target }) => change({ moduleId: target.value, lessonId: "" })}
        >
          <option value="">Choose a module</option>
          {modules.map(({ id, position, title }) => (
            <option key={id} value={id}>
              {position}. {title}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Lesson (optional)" name="lessonId" error={faults.lessonId}>
        <Select
          value={values.lessonId}
          disabled={isDisabled || lessons.length === 0}
          onChange={({ target }) => change({ lessonId: target.value })}
        >
          <option value="">Module-level, no lesson</option>
          {lessons.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Title" name="title" error={faults.title}>
        <Input
          value={values.title}
          disabled={isDisabled}
          required
          maxLength={200}
          onChange={({ target }) => change({ title: target.value })}
        />
      </Field>
      <Field label="Description (optional)" name="description" error={faults.description}>
        <Textarea
          value={values.description}
          disabled={isDisabled}
          rows={3}
          maxLength={2000}
          onChange={({ target }) => change({ description: target.value })}
        />
      </Field>
      <Field label="Required tier" name="requiredTier" error={faults.requiredTier}>
        <TierSelect
          value={values.requiredTier}
          isDisabled={isDisabled}
          onChange={(requiredTier) => change({ requiredTier })}
        />
      </Field>
    </>
  );
}

interface TierSelectProps {
  value: Tier | "";
  isDisabled: boolean;
  onChange: (tier: Tier | "") => void;
}

function TierSelect({ value, isDisabled, onChange }: TierSelectProps) {
  const plans = usePlans();
  return (
    <Select
      value={value}
      disabled={isDisabled}
      required
      onChange={({ target }) => onChange(plans.find(({ tier }) => tier === target.value)?.tier ?? "")}
    >
      <option value="">Choose a tier</option>
      {plans.map(({ tier, name, price, billing }) => (
        <option key={tier} value={tier}>
          {name} ({formatPrice(price)} {billing})
        </option>
      ))}
    </Select>
  );
}
