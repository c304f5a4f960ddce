import { api } from "#app/api/api.ts";
import type { Versioned } from "#app/editing/editing.ts";
import { draftOffer } from "#contract/admin/content.ts";
import type { Offer } from "#contract/offer.ts";
import { tierLabels, tiers } from "#contract/tiers.ts";
import { Checkbox, Field, Input, Select } from "#ui/controls/field.tsx";
import { toLocal } from "#ui/format/local-time.ts";
import { Editor, NumberInput } from "./editor.tsx";

type Countdown = Offer["countdown"];

const countdowns: Readonly<Record<Countdown["kind"], () => Countdown>> = {
  daily: () => ({ kind: "daily", startSeconds: 23 * 3600 + 59 * 60 + 47 }),
  until: () => ({ kind: "until", endsAt: new Date(Date.now() + 7 * 86_400_000).toISOString() }),
};

export function OfferForm({ saved }: { saved: Versioned<Offer> }) {
  return (
    <Editor
      title="Offer and countdown"
      name="offer"
      saved={saved}
      save={({ version, ...body }) => api(draftOffer, { query: { version }, body })}
    >
      {({ value, change, errorOf }) => (
        <>
          <Checkbox
            label="Shown: off, the countdown, the struck-out prices and the badges are gone from the pages"
            checked={value.enabled}
            onChange={({ target }) => change({ enabled: target.checked })}
          />
          <div className="grid items-end gap-5 sm:grid-cols-2">
            <Field label="Countdown">
              <Select
                value={value.countdown.kind}
                onChange={({ target }) => change({ countdown: countdowns[target.value as Countdown["kind"]]() })}
              >
                <option value="daily">Begins again every day</option>
                <option value="until">Ends once</option>
              </Select>
            </Field>
            {value.countdown.kind === "daily" ? (
              <Field label="Seconds it begins with" name="countdown" error={errorOf("countdown")}>
                <NumberInput
                  min={60}
                  max={86_399}
                  value={value.countdown.startSeconds}
                  onChange={(startSeconds) => change({ countdown: { kind: "daily", startSeconds } })}
                />
              </Field>
            ) : (
              <Field
                label="Ends"
                hint="From then on the struck-out prices are charged."
                name="countdown"
                error={errorOf("countdown")}
              >
                <Input
                  type="datetime-local"
                  value={toLocal(value.countdown.endsAt)}
                  onChange={({ target }) =>
                    target.value &&
                    change({ countdown: { kind: "until", endsAt: new Date(target.value).toISOString() } })
                  }
                />
              </Field>
            )}
          </div>
          <Field
            label="Original price is the price times"
            hint="It must have been sold at that price: see Claims."
            name="originalPriceFactor"
            error={errorOf("originalPriceFactor")}
          >
            <NumberInput
              min={1}
              max={10}
              step={0.1}
              value={value.originalPriceFactor}
              onChange={(originalPriceFactor) => change({ originalPriceFactor })}
            />
          </Field>
          <Field label="Headline" name="headline" error={errorOf("headline")}>
            <Input
              value={value.headline}
              maxLength={80}
              onChange={({ target }) => change({ headline: target.value })}
            />
          </Field>
          <Field label="Claim" name="discountClaim" error={errorOf("discountClaim")}>
            <Input
              value={value.discountClaim}
              maxLength={40}
              onChange={({ target }) => change({ discountClaim: target.value })}
            />
          </Field>
          <Field label="Before the countdown" name="countdownLabel" error={errorOf("countdownLabel")}>
            <Input
              value={value.countdownLabel}
              maxLength={80}
              onChange={({ target }) => change({ countdownLabel: target.value })}
            />
          </Field>
          <fieldset className="grid gap-5 sm:grid-cols-3">
            <legend className="mb-2 font-bold text-sm">Badges</legend>
            {tiers.map((tier) => (
              <Field key={tier} label={tierLabels[tier]}>
                <Input
                  value={value.badges[tier] ?? ""}
                  maxLength={30}
                  onChange={({ target }) => change({ badges: { ...value.badges, [tier]: target.value || undefined } })}
                />
              </Field>
            ))}
          </fieldset>
        </>
      )}
    </Editor>
  );
}
