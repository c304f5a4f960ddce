import { api } from "#app/api/api.ts";
import type { Versioned } from "#app/editing/editing.ts";
import { draftPlan, type PlanContent } from "#contract/admin/content.ts";
import { Checkbox, Field, Input, Textarea } from "#ui/controls/field.tsx";
import { Ahead } from "../coaching/ahead.tsx";
import { Editor, NumberInput } from "./editor.tsx";

export function PlanForm({ id, saved }: { id: string; saved: Versioned<PlanContent> }) {
  return (
    <Editor
      title={saved.name}
      name={`plan-${id}`}
      saved={saved}
      save={({ version, ...value }) => {
        // Lines may be empty while they are being typed.
        const features = value.features.filter((line) => line.trim());
        return api(draftPlan, { params: { id }, query: { version }, body: { ...value, features } });
      }}
    >
      {({ value, change, errorOf }) => (
        <>
          <Field label="Name" name="name" error={errorOf("name")}>
            <Input value={value.name} maxLength={60} onChange={({ target }) => change({ name: target.value })} />
          </Field>
          <div className="grid items-end gap-5 sm:grid-cols-2">
            <Field
              label="Price in US dollars"
              hint="What renews already keeps the price it was bought at."
              name="price"
              error={errorOf("price")}
            >
              <NumberInput min={1} step={0.01} value={value.price} onChange={(price) => change({ price })} />
            </Field>
            <Field
              label="Original price in US dollars"
              hint="Struck out. Empty: the price times the offer's factor."
              name="originalPrice"
              error={errorOf("originalPrice")}
            >
              <NumberInput
                min={1}
                step={0.01}
                value={value.originalPrice ?? Number.NaN}
                onChange={(price) => change({ originalPrice: Number.isFinite(price) ? price : null })}
              />
            </Field>
          </div>
          <Field label="Description" name="description" error={errorOf("description")}>
            <Textarea
              rows={2}
              value={value.description}
              maxLength={500}
              onChange={({ target }) => change({ description: target.value })}
            />
          </Field>
          <Field label="Features" hint="One on each line, at most 12." name="features" error={errorOf("features")}>
            <Textarea
              rows={6}
              value={value.features.join("\n")}
              onChange={({ target }) => change({ features: target.value.split("\n") })}
            />
          </Field>
          <fieldset className="grid gap-3">
            <legend className="mb-2 font-bold text-sm">1-on-1 coaching</legend>
            <p className="text-fine text-ink-soft">
              Pages, receipts and the students’ allowance follow it. Who bought before keeps what was promised then.
            </p>
            <div className="grid items-end gap-5 sm:grid-cols-3">
              {(
                [
                  ["sessions", "Sessions (0: none)", 0, 31],
                  ["everyDays", "Every so many days", 1, 365],
                  ["minutes", "Minutes each", 10, 240],
                ] as const
              ).map(([part, label, min, max]) => (
                <Field key={part} label={label} error={part === "sessions" ? errorOf("coaching") : null}>
                  <NumberInput
                    min={min}
                    max={max}
                    step={1}
                    value={value.coaching[part]}
                    onChange={(number) => change({ coaching: { ...value.coaching, [part]: number } })}
                  />
                </Field>
              ))}
            </div>
            {value.coaching.sessions > 0 && <Ahead />}
          </fieldset>
          <Field label="Words on the button" name="buttonLabel" error={errorOf("buttonLabel")}>
            <Input
              value={value.buttonLabel}
              maxLength={40}
              onChange={({ target }) => change({ buttonLabel: target.value })}
            />
          </Field>
          <Checkbox
            label="Marked as the most popular"
            checked={value.popular}
            onChange={({ target }) => change({ popular: target.checked })}
          />
        </>
      )}
    </Editor>
  );
}
