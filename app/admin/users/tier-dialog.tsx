import { api } from "#app/api/api.ts";
import { type AdminUser, updateUserTier } from "#contract/admin/users.ts";
import { type Tier, tierLabels } from "#contract/tiers.ts";
import { GiftFields, useGift } from "../gift-fields.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { nameOf } from "../words.tsx";

const titles = { upgrade: "Upgrade", downgrade: "Downgrade", give: "Give access to" } as const;

interface TierDialogProps {
  user: AdminUser;
  move: keyof typeof titles;
  /** Null if the administrator chooses it. */
  tier: Tier | null;
  onClose: () => void;
}

/** Moves a user to another tier, with a reason: for the plan's duration, until a day or for good. */
export function TierDialog({ user, move, tier, onClose }: TierDialogProps) {
  const gift = useGift(tier ?? "basic");
  const label = tierLabels[gift.tier];
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
            newTier: gift.tier,
            ...gift.end,
            reason,
          },
        })
      }
      words={{ done: "User tier updated successfully", failed: "Failed to update user tier" }}
      isIncomplete={gift.isIncomplete}
      onClose={onClose}
    >
      {(faults) => <GiftFields gift={gift} isTierOpen={tier === null} error={faults.endsAt} />}
    </ReasonDialog>
  );
}
