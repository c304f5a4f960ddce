import { api } from "#app/api/api.ts";
import { FormField } from "#app/editing/form-field.tsx";
import { type AdminUser, TierChange, updateUserTier } from "#contract/admin/users.ts";
import type { Tier } from "#contract/tiers.ts";
import { academy, planName } from "#ui/academy.ts";
import { useActForm } from "../act-form.ts";
import { DurationFields } from "../duration-fields.tsx";
import { FormDialog } from "../form-dialog.tsx";
import { nameOf } from "../words.tsx";

const titles = { upgrade: "Upgrade", downgrade: "Downgrade", give: "Give access to" } as const;

interface TierDialogProps {
  user: AdminUser;
  move: keyof typeof titles;
  /** Null if the administrator chooses it. */
  tier: Tier | null;
  onClose: () => void;
}

/** The user comes from the page. */
const Typed = TierChange.omit({ userId: true });

/** Moves a user to another tier, with a reason: for the plan's duration, until a day or for good. */
export function TierDialog({ user, move, tier, onClose }: TierDialogProps) {
  const form = useActForm(Typed, {
    about: `${move} ${user.id}`,
    saved: { newTier: tier ?? "basic", endsAt: undefined, reason: undefined },
    send: (body) => api(updateUserTier, { body: { ...body, userId: user.id } }),
    words: { done: "User tier updated successfully", failed: "Failed to update user tier" },
    onDone: onClose,
  });
  const { newTier, endsAt } = form.value;
  const label = planName(newTier);
  return (
    <FormDialog
      form={form}
      title={`${titles[move]} ${nameOf(user)}`}
      description={
        move === "give"
          ? "The course opens right away, and we don’t charge anything."
          : `From ${user.purchasedTier ? planName(user.purchasedTier) : "no plan"} to ${label}. We don’t charge or refund anything. A subscription to another plan stops renewing.`
      }
      confirm={move === "give" ? "Give access" : `${titles[move]} to ${label}`}
      isIncomplete={endsAt === ""}
      onClose={onClose}
    >
      {tier === null && (
        <FormField
          form={{ ...form, change: (changes) => form.change({ ...changes, endsAt: undefined }) }}
          name="newTier"
          label="Plan"
          options={Object.entries(academy().planNames)}
        />
      )}
      <DurationFields form={form} tier={newTier} />
    </FormDialog>
  );
}
