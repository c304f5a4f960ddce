import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import type { Versioned } from "#app/editing/use-form-of.ts";
import { within } from "#app/editing/written.ts";
import { draftPlan, PlanContent } from "#contract/admin/content.ts";
import { planName } from "#ui/academy.ts";
import { Ahead } from "../coaching/ahead.tsx";
import { Editor } from "./editor.tsx";
import { planLabels } from "./labels.ts";

export function PlanForm({ id, saved }: { id: string; saved: Versioned<PlanContent> }) {
  return (
    <Editor
      title={saved.name}
      schema={PlanContent}
      name={`plan-${id}`}
      labels={planLabels}
      saved={saved}
      save={(body, version) => api(draftPlan, { params: { id }, query: { version }, body })}
    >
      {(form) => (
        <>
          <FormField form={form} name="name" label={planLabels.name} />
          <div className="grid items-end gap-5 sm:grid-cols-2">
            <FormField
              form={form}
              name="price"
              label={planLabels.price.label}
              hint="Existing subscriptions keep their price."
            />
            <FormField
              form={form}
              name="originalPrice"
              label={planLabels.originalPrice.label}
              hint="Shown crossed out beside the price. Leave empty to use the price times the offer’s factor."
            />
          </div>
          <FormField form={form} name="description" label={planLabels.description} />
          <FormField
            form={form}
            name="features"
            label={planLabels.features}
            hint={`{Modules:basic} becomes the modules of ${planName("basic")}.`}
          />
          <fieldset className="grid gap-3">
            <legend className="mb-2 font-bold text-sm">1-on-1 coaching</legend>
            <p className="text-fine text-ink-soft">
              Applies to everyone who buys from now on. Earlier buyers keep what they were promised.
            </p>
            <div className="grid items-end gap-5 sm:grid-cols-3">
              <FormField
                form={within(form, "coaching")}
                name="sessions"
                label={planLabels.coaching.labels.sessions}
                hint="Enter 0 for none."
              />
              <FormField
                form={within(form, "coaching")}
                name="everyDays"
                label={planLabels.coaching.labels.everyDays}
              />
              <FormField form={within(form, "coaching")} name="minutes" label={planLabels.coaching.labels.minutes} />
            </div>
            {form.value.coaching.sessions > 0 && <Ahead />}
          </fieldset>
          <FormField
            form={form}
            name="buttonLabel"
            label={planLabels.buttonLabel}
            hint={`{plan:basic} becomes the plan’s name, ${planName("basic")}.`}
          />
          <FormField form={form} name="popular" label={planLabels.popular} />
        </>
      )}
    </Editor>
  );
}
