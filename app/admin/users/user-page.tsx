import { useQuery } from "@tanstack/react-query";
import { Link, type Params, useLocation, useNavigate, useParams } from "react-router";
import { ApiError } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { May } from "#app/identity/may.tsx";
import { getUserDetail, type UserDetail } from "#contract/admin/users.ts";
import { dollarsOf, formatDollars } from "#contract/money.ts";
import { roleLabels } from "#contract/roles.ts";
import { Avatar } from "#ui/avatar.tsx";
import { Badge } from "#ui/badge.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { formatShortDay } from "#ui/format/dates.ts";
import { AdminPage } from "../admin-page.tsx";
import { type Figure, Figures } from "../figures.tsx";
import { AccountBadge, nameOf, TierBadge } from "../words.tsx";
import { AccessPanel } from "./access-panel.tsx";
import { AuditPanel } from "./audit-panel.tsx";
import { listBefore } from "./came-from.ts";
import { CertificatePanel } from "./certificate-panel.tsx";
import { CoachingPanel } from "./coaching-panel.tsx";
import { CorrespondencePanel } from "./correspondence-panel.tsx";
import { LearningPanel } from "./learning-panel.tsx";
import { MoneyPanel } from "./money-panel.tsx";
import { EmailsPanel, ProfilePanel } from "./person-panels.tsx";
import { UserActions } from "./user-actions.tsx";

export default function UserPage() {
  const { id: userId = "" } = useParams();
  // Reads only the cache. `Person` fetches, once the user is known to be on the team.
  const { data } = useQuery({ ...queryOf(getUserDetail, { params: { userId } }), enabled: false });
  return (
    <AdminPage
      title={data ? nameOf(data.user) : "User"}
      description="One user's profile, access, purchases and progress, for administrators."
      actions={
        <Link {...listBefore(useLocation().state)} className={buttonStyle({ variant: "outline" })}>
          All users
        </Link>
      }
    >
      <Person key={userId} userId={userId} />
    </AdminPage>
  );
}

UserPage.queries = ({ id = "" }: Params) => [queryOf(getUserDetail, { params: { userId: id } })];

function Person({ userId }: { userId: string }) {
  const { data, isPending, error, refetch } = useQuery(queryOf(getUserDetail, { params: { userId } }));
  if (data) return <Detail detail={data} />;
  if (isPending) return <PartLoading what="user" />;
  // The server refuses ids that no user could have with 400.
  const isNobody = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return isNobody ? <NoSuchUser /> : <PartFailed what="the user" retry={refetch} />;
}

function NoSuchUser() {
  return (
    <StateCard title="We couldn't find this user">
      <p>The account may have been deleted.</p>
    </StateCard>
  );
}

function Detail({ detail }: { detail: UserDetail }) {
  const list = listBefore(useLocation().state);
  const navigate = useNavigate();
  const { user } = detail;
  const name = nameOf(user);
  return (
    <div className="grid gap-5">
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
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <ProfilePanel detail={detail} />
        <AccessPanel detail={detail} />
      </div>
      <MoneyPanel detail={detail} />
      <CoachingPanel user={user} />
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <LearningPanel detail={detail} />
        <div className="grid gap-5">
          <CertificatePanel detail={detail} />
          <EmailsPanel detail={detail} />
        </div>
      </div>
      <CorrespondencePanel user={user} />
      <May permission="audit:read">
        <AuditPanel userId={user.id} />
      </May>
    </div>
  );
}

function glanceOf({ user, paid, card, lastSeenAt }: UserDetail): readonly Figure[] {
  const { chargedCents, refundedCents } = paid;
  return [
    {
      label: "Total paid",
      value: formatDollars(dollarsOf(chargedCents - refundedCents)),
      note: refundedCents > 0 && `${formatDollars(dollarsOf(refundedCents))} refunded`,
    },
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
