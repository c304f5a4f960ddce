import { useResumable } from "#app/identity/resumable.ts";
import { planDays, type Tier, tierLabels, tiers } from "#contract/tiers.ts";
import { Field, Input, Select } from "#ui/controls/field.tsx";
import { toLocalDay } from "#ui/format/local-time.ts";

/** The choice of a tier and its duration. */
export function useGift(initial: Tier) {
  const [tier, setTier] = useResumable<Tier>("tier", initial);
  const [length, setLength] = useResumable<"plan" | "day" | "ever">("length", "plan");
  const [lastDay, setLastDay] = useResumable("last-day", "");
  const isIncomplete = length === "day" && !lastDay;
  return {
    tier,
    length,
    lastDay,
    isIncomplete,
    /** For the request. Without `endsAt`, access lasts as long as the plan; null means for good. */
    end: length === "plan" || isIncomplete ? {} : { endsAt: length === "day" ? endOf(lastDay) : null },
    choose(chosen: Tier) {
      setTier(chosen);
      setLength("plan");
    },
    setLength,
    setLastDay,
  };
}

interface GiftFieldsProps {
  gift: ReturnType<typeof useGift>;
  isTierOpen: boolean;
  error: string | undefined;
}

export function GiftFields({ gift, isTierOpen, error }: GiftFieldsProps) {
  const days = planDays[gift.tier];
  return (
    <>
      {isTierOpen && (
        <Field label="Plan">
          <Select value={gift.tier} onChange={({ target }) => gift.choose(target.value as Tier)}>
            {tiers.map((one) => (
              <option key={one} value={one}>
                {tierLabels[one]}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label="For how long">
        <Select value={gift.length} onChange={({ target }) => gift.setLength(target.value as typeof gift.length)}>
          <option value="plan">{`As long as ${tierLabels[gift.tier]}: ${days === null ? "for good" : `${days} days`}`}</option>
          <option value="day">Until a day</option>
          {days !== null && <option value="ever">For good</option>}
        </Select>
      </Field>
      {gift.length === "day" && (
        <Field label="Last day" name="endsAt" error={error}>
          <Input
            type="date"
            min={tomorrow()}
            value={gift.lastDay}
            onChange={({ target }) => gift.setLastDay(target.value)}
          />
        </Field>
      )}
    </>
  );
}

/** The end of a day in the administrator's time zone. */
function endOf(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

function tomorrow(): string {
  return toLocalDay(new Date(Date.now() + 86_400_000));
}
