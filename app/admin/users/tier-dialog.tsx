import { api } from "#app/api/api.ts";
import { useResumable } from "#app/identity/resumable.ts";
import { type AdminUser, updateUserTier } from "#contract/admin/users.ts";
import { type Tier, tierLabels, tiers } from "#contract/tiers.ts";
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

/** Moves a user to another tier, for good or until a day, with a reason. */
export function TierDialog({ user, move, tier, onClose }: TierDialogProps) {
  const [chosen, setChosen] = useResumable<Tier>("tier", tier ?? "basic");
  const [lastDay, setLastDay] = useResumable("last-day", "");
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
        api(updateUserTier, { body: { userId: user.id, newTier: chosen, endsAt: endOf(lastDay), reason } })
      }
      words={{ done: "User tier updated successfully", failed: "Failed to update user tier" }}
      onClose={onClose}
    >
      {tier === null && (
        <Field label="Plan">
          <Select value={chosen} onChange={(event) => setChosen(event.target.value as Tier)}>
            {tiers.map((one) => (
              <option key={one} value={one}>
                {tierLabels[one]}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <Field label="Last day (optional)" hint="Without one, it never ends.">
        <Input type="date" min={tomorrow()} value={lastDay} onChange={(event) => setLastDay(event.target.value)} />
      </Field>
    </ReasonDialog>
  );
}

/** The end of a day where the administrator is; undefined for no day. */
function endOf(day: string): string | undefined {
  return day ? new Date(`${day}T23:59:59`).toISOString() : undefined;
}

function tomorrow(): string {
  return new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
}
