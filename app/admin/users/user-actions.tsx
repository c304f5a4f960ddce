import { cx } from "class-variance-authority";
import { useMay } from "#app/identity/may.tsx";
import { useResumable } from "#app/identity/resumable.ts";
import type { AdminUser } from "#contract/admin/users.ts";
import { type Tier, tierLabels } from "#contract/tiers.ts";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { HoldDialog, ReactivateDialog } from "../account-dialogs.tsx";
import { nameOf } from "../words.tsx";
import { TierDialog } from "./tier-dialog.tsx";
import { CancelUserSubscriptionDialog, DeleteDialog, EndSessionsDialog, SuspendDialog } from "./user-dialogs.tsx";

type Asked =
  | { what: "upgrade" | "downgrade" | "give"; tier: Tier | null }
  | { what: "hold"; subscriptionId: string }
  | { what: "cancel" | "suspend" | "reactivate" | "end-sessions" | "delete" };

/** The actions that the server allows for a user now. Each asks for confirmation. */
export function UserActions({ user, onDeleted }: { user: AdminUser; onDeleted?: () => void }) {
  const [asked, setAsked] = useResumable<Asked | null>(`user ${user.id}`, null);
  const { may } = user;
  const mayGive = useMay("access:give") && !user.purchasedTier;
  const subscriptionId = may.hold;
  const name = nameOf(user);
  return (
    <div className="flex flex-wrap items-center gap-1 @max-4xl:-ml-1.5 @max-4xl:gap-x-0 @4xl:w-72 @4xl:justify-end @5xl:w-auto @5xl:flex-nowrap">
      {may.upgradeTo && (
        <Small
          label="Upgrade"
          for={name}
          hint={tierLabels[may.upgradeTo]}
          onPress={() => setAsked({ what: "upgrade", tier: may.upgradeTo })}
        />
      )}
      {may.downgradeTo && (
        <Small
          label="Downgrade"
          for={name}
          hint={tierLabels[may.downgradeTo]}
          onPress={() => setAsked({ what: "downgrade", tier: may.downgradeTo })}
        />
      )}
      {may.cancelSubscription && (
        <Small label="Cancel Subscription" for={`of ${name}`} onPress={() => setAsked({ what: "cancel" })} />
      )}
      {may.delete && <Small label="Delete" for={name} isDangerous onPress={() => setAsked({ what: "delete" })} />}
      {(mayGive || subscriptionId || may.reactivate || may.suspend || may.endSessions) && (
        <Menu label={`More actions for ${name}`}>
          {mayGive && <MenuItem onSelect={() => setAsked({ what: "give", tier: null })}>Give access</MenuItem>}
          {subscriptionId && (
            <MenuItem onSelect={() => setAsked({ what: "hold", subscriptionId })}>Hold Account</MenuItem>
          )}
          {may.reactivate && <MenuItem onSelect={() => setAsked({ what: "reactivate" })}>Reactivate</MenuItem>}
          {may.suspend && <MenuItem onSelect={() => setAsked({ what: "suspend" })}>Suspend</MenuItem>}
          {may.endSessions && (
            <MenuItem onSelect={() => setAsked({ what: "end-sessions" })}>Sign out everywhere</MenuItem>
          )}
        </Menu>
      )}
      {asked && <AskedDialog asked={asked} user={user} onDeleted={onDeleted} onClose={() => setAsked(null)} />}
    </div>
  );
}

interface AskedDialogProps {
  asked: Asked;
  user: AdminUser;
  onDeleted: (() => void) | undefined;
  onClose: () => void;
}

function AskedDialog({ asked, user, onDeleted, onClose }: AskedDialogProps) {
  switch (asked.what) {
    case "cancel":
      return <CancelUserSubscriptionDialog user={user} onClose={onClose} />;
    case "suspend":
      return <SuspendDialog user={user} onClose={onClose} />;
    case "hold":
      return (
        <HoldDialog userId={user.id} name={nameOf(user)} subscriptionId={asked.subscriptionId} onClose={onClose} />
      );
    case "reactivate":
      return <ReactivateDialog userId={user.id} name={nameOf(user)} onClose={onClose} />;
    case "end-sessions":
      return <EndSessionsDialog user={user} onClose={onClose} />;
    case "delete":
      return <DeleteDialog user={user} onDeleted={onDeleted} onClose={onClose} />;
    default:
      return <TierDialog user={user} move={asked.what} tier={asked.tier} onClose={onClose} />;
  }
}

interface SmallProps {
  label: string;
  /** The user's name, for screen readers, which read one button among fifty. */
  for: string;
  hint?: string;
  isDangerous?: boolean;
  onPress: () => void;
}

function Small({ label, for: whom, hint, isDangerous, onPress }: SmallProps) {
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={`${label} ${whom}`}
      title={hint && `to ${hint}`}
      className={cx("px-1.5! @4xl:px-2!", isDangerous && "text-danger!")}
      onClick={onPress}
    >
      {label}
    </Button>
  );
}
