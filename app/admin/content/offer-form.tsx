import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import type { Versioned } from "#app/editing/use-form-of.ts";
import { type Written, within } from "#app/editing/written.ts";
import { draftOffer } from "#contract/admin/content.ts";
import { Offer } from "#contract/offer.ts";
import { tiers } from "#contract/tiers.ts";
import { Field, Select } from "#ui/controls/field.tsx";
import { Editor } from "./editor.tsx";
import { offerLabels } from "./labels.ts";

type Countdown = Offer["countdown"];

const { labels: countdownLabels } = offerLabels.countdown;

const countdowns: Readonly<Record<Countdown["kind"], () => Countdown>> = {
  daily: () => ({ kind: "daily", startSeconds: 23 * 3600 + 59 * 60 + 47 }),
  until: () => ({ kind: "until", endsAt: new Date(Date.now() + 7 * 86_400_000).toISOString() }),
};

export function OfferForm({ saved }: { saved: Versioned<Offer> }) {
  return (
    <Editor
      title="Offer and countdown"
      schema={Offer}
      name="offer"
      labels={offerLabels}
      saved={saved}
      save={(body, version) => api(draftOffer, { query: { version }, body })}
    >
      {(form) => (
        <>
          <FormField form={form} name="enabled" label={offerLabels.enabled} />
          <div className="grid items-end gap-5 sm:grid-cols-2">
            <Field label={countdownLabels.kind.label}>
              <Select
                value={form.value.countdown.kind}
                onChange={({ target }) => form.change({ countdown: countdowns[target.value as Countdown["kind"]]() })}
              >
                {countdownLabels.kind.options.map(([kind, words]) => (
                  <option key={kind} value={kind}>
                    {words}
                  </option>
                ))}
              </Select>
            </Field>
            {form.value.countdown.kind === "daily" ? (
              <FormField
                form={within(form, "countdown") as Written<Extract<Countdown, { kind: "daily" }>>}
                name="startSeconds"
                label={countdownLabels.startSeconds}
              />
            ) : (
              <FormField
                form={within(form, "countdown") as Written<Extract<Countdown, { kind: "until" }>>}
                name="endsAt"
                label={countdownLabels.endsAt}
                hint="Then the plans cost their original prices."
              />
            )}
          </div>
          <FormField
            form={form}
            name="originalPriceFactor"
            label={offerLabels.originalPriceFactor}
            hint="Each plan’s original price is its price times this. Plans must have been sold at it. See Claims."
            step={0.1}
          />
          <FormField form={form} name="headline" label={offerLabels.headline} />
          <FormField form={form} name="discountClaim" label={offerLabels.discountClaim} />
          <FormField form={form} name="countdownLabel" label={offerLabels.countdownLabel} />
          <fieldset className="grid gap-5 sm:grid-cols-3">
            <legend className="mb-2 font-bold text-sm">Badges</legend>
            {tiers.map((tier) => (
              <FormField key={tier} form={within(form, "badges")} name={tier} label={offerLabels.badges.labels[tier]} />
            ))}
          </fieldset>
        </>
      )}
    </Editor>
  );
}
