import { faultOf, pathOf, type Written } from "#app/editing/written.ts";
import { planDays, type Tier } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { Field, Input, Select } from "#ui/controls/field.tsx";
import { toLocalDay } from "#ui/format/local-time.ts";

interface DurationFieldsProps {
  /** Without `endsAt`, access lasts as long as the plan. Null means for good, and "" that the day is missing. */
  form: Written<{ endsAt?: string | null | undefined }>;
  tier: Tier;
}

/** How long given access lasts. */
export function DurationFields({ form, tier }: DurationFieldsProps) {
  const { endsAt } = form.value;
  const days = planDays[tier];
  return (
    <>
      <Field label="For how long">
        <Select
          value={endsAt === undefined ? "plan" : endsAt === null ? "ever" : "day"}
          onChange={({ target }) => form.change({ endsAt: ends[target.value as keyof typeof ends] })}
        >
          <option value="plan">{`${days === null ? "For good" : `${days} days`}, like ${planName(tier)}`}</option>
          <option value="day">Until a day</option>
          {days !== null && <option value="ever">For good</option>}
        </Select>
      </Field>
      {typeof endsAt === "string" && (
        <Field label="Last day" name={pathOf(form, "endsAt")} error={faultOf(form, "endsAt")}>
          <Input
            type="date"
            min={toLocalDay(new Date(Date.now() + 86_400_000))}
            value={endsAt && toLocalDay(new Date(endsAt))}
            onChange={({ target }) => form.change({ endsAt: target.value && endOf(target.value) })}
          />
        </Field>
      )}
    </>
  );
}

const ends = { plan: undefined, day: "", ever: null };

/** The end of a day in the administrator's time zone. */
function endOf(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}
