import { api } from "#app/api/api.ts";
import { useResumable } from "#app/identity/resumable.ts";
import { type AdminUser, updateUserTier } from "#contract/admin/users.ts";
import { planDays, type Tier, tierLabels, tiers } from "#contract/tiers.ts";
import { Field, Input, Select } from "#ui/controls/field.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { nameOf } from "../words.tsx";

const titles = { upgrade: "Upgrade", downgrade: "Downgrade", give: "Give access to" } as const;

interface TierDialogProps {
  user: AdminUser;
  move: keyof typeof titles;
  /** Null: to be chosen. */
  tier: Tier | null;
  onClose: () => void;
}

/** Moves a user to another tier, for as long as its plan lasts, until a day or for good, with a reason. */
export function TierDialog({ user, move, tier, onClose }: TierDialogProps) {
  const [chosen, setChosen] = useResumable<Tier>("tier", tier ?? "basic");
  const [length, setLength] = useResumable<"plan" | "day" | "ever">("length", "plan");
  const [lastDay, setLastDay] = useResumable("last-day", "");
  const days = planDays[chosen];
  const label = tierLabels[chosen];
  return (
    <ReasonDialog
      title={`${titles[move]} ${nameOf(user)}`}
      description={
        move === "give"
          ? "The course opens at once, and nothing is charged."
          : `From ${user.purchasedTier ? tierLabels[user.purchasedTier] : "no plan"} to ${label}. Nothing is charged or paid back; a subscription of another tier renews no more.`
      }
      confirm={move === "give" ? "Give access" : `${titles[move]} to ${label}`}
      act={(reason) =>
        api(updateUserTier, {
          body: {
            userId: user.id,
            newTier: chosen,
            ...(length !== "plan" && { endsAt: length === "day" ? endOf(lastDay) : null }),
            reason,
          },
        })
      }
      words={{ done: "User tier updated successfully", failed: "Failed to update user tier" }}
      isIncomplete={length === "day" && !lastDay}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {tier === null && (
            <Field label="Plan">
              <Select
                value={chosen}
                onChange={(event) => {
                  setChosen(event.target.value as Tier);
                  setLength("plan");
                }}
              >
                {tiers.map((one) => (
                  <option key={one} value={one}>
                    {tierLabels[one]}
                  </option>
                ))}
              </Select>
            </Field>
          )}
          <Field label="For how long">
            <Select value={length} onChange={(event) => setLength(event.target.value as typeof length)}>
              <option value="plan">{`As long as ${label}: ${days === null ? "for good" : `${days} days`}`}</option>
              <option value="day">Until a day</option>
              {days !== null && <option value="ever">For good</option>}
            </Select>
          </Field>
          {length === "day" && (
            <Field label="Last day" name="endsAt" error={faults.endsAt}>
              <Input
                type="date"
                min={tomorrow()}
                value={lastDay}
                onChange={(event) => setLastDay(event.target.value)}
              />
            </Field>
          )}
        </>
      )}
    </ReasonDialog>
  );
}

/** The end of a day where the administrator is. */
function endOf(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

function tomorrow(): string {
  return new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
}
