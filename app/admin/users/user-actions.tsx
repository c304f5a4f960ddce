import { useResumable } from "#app/editing/resumable.ts";
import { useMay } from "#app/identity/may.tsx";
import { href } from "#contract/addresses.ts";
import type { AdminUser } from "#contract/admin/users.ts";
import type { Tier } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { ReasonDialog } from "../reason-dialog.tsx";
import { type RowAction, RowActions } from "../row-actions.tsx";
import { nameOf } from "../words.tsx";
import { TierDialog } from "./tier-dialog.tsx";
import { type UserAction, userDialogs } from "./user-dialogs.ts";

type Asked = { what: "upgrade" | "downgrade" | "give"; tier: Tier | null } | { what: UserAction };

interface UserActionsProps {
  user: AdminUser;
  /** Whether this is the user's page. */
  isOpen?: boolean;
  onDeleted?: () => void;
}

/** The actions that the server allows for a user now. Each asks for confirmation. */
export function UserActions({ user, isOpen, onDeleted }: UserActionsProps) {
  const [asked, setAsked] = useResumable<Asked | null>(`user ${user.id}`, null);
  const { may } = user;
  const mayGive = useMay("access:give") && !user.purchasedTier;
  const maySee = useMay("people:see-as") && !user.role && user.accountStatus !== "suspended";
  const move = (what: "upgrade" | "downgrade", label: string, tier: Tier | null): RowAction | false =>
    tier !== null && { label, hint: `to ${planName(tier)}`, onPress: () => setAsked({ what, tier }) };
  const action = (isAllowed: boolean, what: UserAction, label: string): RowAction | false =>
    isAllowed && { label, isDangerous: what === "delete", onPress: () => setAsked({ what }) };
  return (
    <>
      <RowActions
        of={nameOf(user)}
        isOpen={isOpen}
        actions={[
          move("upgrade", "Upgrade", may.upgradeTo),
          move("downgrade", "Downgrade", may.downgradeTo),
          mayGive && { label: "Give access", onPress: () => setAsked({ what: "give", tier: null }) },
          maySee && { label: "See as this student", onPress: () => setAsked({ what: "see" }) },
          action(may.cancelSubscription, "cancel", "Cancel Subscription"),
          action(may.hold !== null, "hold", "Hold Account"),
          action(may.reactivate, "reactivate", "Reactivate"),
          action(may.suspend, "suspend", "Suspend"),
          action(may.endSessions, "end-sessions", "Sign out everywhere"),
          action(may.delete, "delete", "Delete"),
        ]}
      />
      {asked && <AskedDialog asked={asked} user={user} onDeleted={onDeleted} onClose={() => setAsked(null)} />}
    </>
  );
}

interface AskedDialogProps {
  asked: Asked;
  user: AdminUser;
  onDeleted: (() => void) | undefined;
  onClose: () => void;
}

function AskedDialog({ asked, user, onDeleted, onClose }: AskedDialogProps) {
  if ("tier" in asked) return <TierDialog user={user} move={asked.what} tier={asked.tier} onClose={onClose} />;
  const done = () => {
    onClose();
    if (asked.what === "delete") onDeleted?.();
    if (asked.what === "see") window.location.assign(href.dashboard());
  };
  return <ReasonDialog {...userDialogs(user)[asked.what]} onClose={onClose} onDone={done} />;
}
