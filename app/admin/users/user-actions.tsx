import { useResumable } from "#app/editing/resumable.ts";
import { useMay } from "#app/identity/may.tsx";
import { href } from "#contract/addresses.ts";
import type { AdminUser } from "#contract/admin/users.ts";
import type { Tier } from "#contract/tiers.ts";
import { planName } from "#ui/academy.ts";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { ReasonDialog } from "../reason-dialog.tsx";
import { RowAction } from "../row-action.tsx";
import { nameOf } from "../words.tsx";
import { TierDialog } from "./tier-dialog.tsx";
import { type UserAction, userDialogs } from "./user-dialogs.ts";

type Asked = { what: "upgrade" | "downgrade" | "give"; tier: Tier | null } | { what: UserAction };

/** The actions that the server allows for a user now. Each asks for confirmation. */
export function UserActions({ user, onDeleted }: { user: AdminUser; onDeleted?: () => void }) {
  const [asked, setAsked] = useResumable<Asked | null>(`user ${user.id}`, null);
  const { may } = user;
  const mayGive = useMay("access:give") && !user.purchasedTier;
  const maySee = useMay("people:see-as") && !user.role && user.accountStatus !== "suspended";
  const name = nameOf(user);
  const action = (what: Asked, label: string, of: string) => (
    <RowAction
      label={label}
      of={of}
      {...("tier" in what && what.tier && { hint: `to ${planName(what.tier)}` })}
      isDangerous={what.what === "delete"}
      className="px-1.5! @4xl:px-2!"
      onPress={() => setAsked(what)}
    />
  );
  return (
    <div className="flex flex-wrap items-center gap-1 @max-4xl:-ml-1.5 @max-4xl:gap-x-0 @4xl:w-72 @4xl:justify-end @5xl:w-auto @5xl:flex-nowrap">
      {may.upgradeTo && action({ what: "upgrade", tier: may.upgradeTo }, "Upgrade", name)}
      {may.downgradeTo && action({ what: "downgrade", tier: may.downgradeTo }, "Downgrade", name)}
      {may.cancelSubscription && action({ what: "cancel" }, "Cancel Subscription", `of ${name}`)}
      {may.delete && action({ what: "delete" }, "Delete", name)}
      {(mayGive || maySee || may.hold || may.reactivate || may.suspend || may.endSessions) && (
        <Menu label={`More actions for ${name}`}>
          {mayGive && <MenuItem onSelect={() => setAsked({ what: "give", tier: null })}>Give access</MenuItem>}
          {maySee && <MenuItem onSelect={() => setAsked({ what: "see" })}>See as this student</MenuItem>}
          {may.hold && <MenuItem onSelect={() => setAsked({ what: "hold" })}>Hold Account</MenuItem>}
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
  if ("tier" in asked) return <TierDialog user={user} move={asked.what} tier={asked.tier} onClose={onClose} />;
  const done = () => {
    onClose();
    if (asked.what === "delete") onDeleted?.();
    if (asked.what === "see") window.location.assign(href.dashboard());
  };
  return <ReasonDialog {...userDialogs(user)[asked.what]} onClose={onClose} onDone={done} />;
}
