import { FormField } from "#app/editing/form-field.tsx";
import type { Written } from "#app/editing/written.ts";
import { usePlans } from "#app/plans/plans.ts";
import { formatPrice } from "#contract/money.ts";
import type { ResourceDetails } from "#contract/resources.ts";
import type { ModuleChoice } from "./modules.ts";

interface DetailFieldsProps {
  form: Written<ResourceDetails>;
  modules: readonly ModuleChoice[];
  /** Whether the page says where the files belong. */
  isPlaceKnown?: boolean;
}

/** The fields of a resource's details, for new and existing resources. */
export function DetailFields({ form, modules, isPlaceKnown = false }: DetailFieldsProps) {
  const plans = usePlans();
  const lessons = modules.find(({ id }) => id === form.value.moduleId)?.lessons ?? [];
  const changeModule: typeof form.change = (changes) => form.change({ ...changes, lessonId: null });
  return (
    <>
      {!isPlaceKnown && (
        <>
          <FormField
            form={{ ...form, change: changeModule }}
            name="moduleId"
            label="Module"
            options={[
              ["", "Choose a module"],
              ...modules.map(({ id, position, title }) => [id, `${position}. ${title}`] as const),
            ]}
          />
          <FormField
            form={form}
            name="lessonId"
            label="Lesson (optional)"
            disabled={lessons.length === 0}
            options={[["", "Module-level, no lesson"], ...lessons.map(({ id, title }) => [id, title] as const)]}
          />
        </>
      )}
      <FormField form={form} name="title" label="Title" />
      <FormField form={form} name="description" label="Description (optional)" />
      <FormField
        form={form}
        name="requiredTier"
        label="Required plan"
        options={[
          ["", "Choose a plan"],
          ...plans.map((plan) => [plan.tier, `${plan.name} (${formatPrice(plan.price)} ${plan.billing})`] as const),
        ]}
      />
    </>
  );
}
