import { useLocation, useNavigate } from "react-router";
import type { UserDetail } from "#contract/admin/users.ts";
import { formatCents } from "#contract/money.ts";
import { roleLabels } from "#contract/roles.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Badge } from "#ui/badge.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import type { Figure } from "../figures.tsx";
import { Figures } from "../figures.tsx";
import { AccountBadge, nameOf, TierBadge } from "../words.tsx";
import { listBefore } from "./came-from.ts";
import { UserActions } from "./user-actions.tsx";

/** Who the user is and what can be done, then the numbers that are asked for most. */
export function UserHead({ detail }: { detail: UserDetail }) {
  const list = listBefore(useLocation().state);
  const navigate = useNavigate();
  const { user } = detail;
  const name = nameOf(user);
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-5 sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:gap-x-5">
      <Avatar name={name} imageUrl={user.profileImageUrl} className="size-14 text-heading" />
      <div className="min-w-0">
        <p className="wrap-anywhere">
          {user.email}
          {!user.emailVerified && " (not confirmed)"}
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          <TierBadge tier={user.purchasedTier} />
          <AccountBadge status={user.accountStatus} />
          {user.role && <Badge tone="tag">{roleLabels[user.role]}</Badge>}
        </div>
      </div>
      {/* On a phone, what the user is comes before what can be done. */}
      <div className="max-sm:order-1 max-sm:col-span-full">
        <UserActions user={user} isOpen onDeleted={() => navigate(list.to, { state: list.state })} />
      </div>
      <div className="col-span-full">
        <Figures label="At a glance" figures={glanceOf(detail)} />
      </div>
    </div>
  );
}

function totalOf({ chargedCents, refundedCents }: NonNullable<UserDetail["paid"]>): Figure {
  return {
    label: "Total paid",
    value: formatCents(chargedCents - refundedCents),
    note: refundedCents > 0 && `${formatCents(refundedCents)} refunded`,
  };
}

function glanceOf({ user, paid, card, lastSeenAt }: UserDetail): readonly Figure[] {
  return [
    ...(paid ? [totalOf(paid)] : []),
    {
      label: "Card",
      value: card ? (
        <span className="text-xl">
          {card.brand ?? "Card"} ending in {card.last4}
        </span>
      ) : (
        "None"
      ),
      note: card && cardStates[card.state],
    },
    {
      label: "Last seen",
      value: lastSeenAt ? formatShortDay(lastSeenAt) : "Never",
      note: `Joined ${formatShortDay(user.createdAt)}`,
    },
  ];
}

const cardStates = {
  renews: "Used for renewals",
  declined: "The last charge was declined",
  replace: "Can’t be charged again",
  "not-kept": "Not used for renewals",
} as const satisfies Record<NonNullable<UserDetail["card"]>["state"], string>;
