import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { invitationQuery } from "#app/access/invitation-query.ts";
import { api } from "#app/api/api.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { SignedOut } from "#app/identity/signed-out.tsx";
import { StudentPage } from "#app/identity/student-page.tsx";
import { href } from "#contract/addresses.ts";
import { type CurrentUser, loginUrl } from "#contract/identity/identity.ts";
import { acceptInvitation, type OwnInvitation } from "#contract/invitations.ts";
import { roleLabels, type StaffRole } from "#contract/roles.ts";
import type { Tier } from "#contract/tiers.ts";
import { academy, planName } from "#ui/academy.ts";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { Loading } from "#ui/feedback/loading.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { formatDay } from "#ui/format/dates.ts";

/** Where an invitation's link leads. The account with the invited address accepts it here. */
export default function InvitationPage() {
  const { user, isPending } = useCurrentUser();
  return (
    <StudentPage
      title="Invitation"
      description="Accept an invitation to the academy."
      className="px-(--margin) pt-8 pb-20 sm:pt-12"
    >
      {user ? (
        <Own user={user} />
      ) : isPending ? (
        <Loading>Loading your invitation</Loading>
      ) : user === null ? (
        <SignedOut title="You're Invited" returnTo="/invitation">
          Sign in or create an account with the email address that received the invitation.
        </SignedOut>
      ) : (
        <LoadFailed title="Your invitation didn't load" />
      )}
    </StudentPage>
  );
}

function Own({ user }: { user: CurrentUser }) {
  const queryClient = useQueryClient();
  const { data, isPending } = useQuery(invitationQuery(user));
  const accept = useMutation({
    mutationFn: () => api(acceptInvitation, { body: {} }),
    // Access has changed in many replies, so refetches all. A role ends the session, so then nothing can be fetched.
    onSuccess: ({ role }) =>
      role ? undefined : queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "invitation" }),
    onError: (error) => toastFailure("Not Accepted", error, "Try again."),
  });
  if (accept.data?.role) return <Joined role={accept.data.role} />;
  if (accept.isSuccess) return <Accepted tier={accept.data.tier} />;
  if (isPending) return <Loading>Loading your invitation</Loading>;
  if (!data) return <LoadFailed title="Your invitation didn't load" />;
  if (!data.invitation) return <None user={user} />;
  const { expiresAt } = data.invitation;
  return (
    <StateCard
      level={1}
      title="You're Invited"
      actions={
        <Button pending={accept.isPending} onClick={() => accept.mutate()}>
          Accept
        </Button>
      }
    >
      <p>
        {offerOf(data.invitation)} You can accept until {formatDay(expiresAt)}.
      </p>
    </StateCard>
  );
}

function offerOf({ tier, role }: NonNullable<OwnInvitation["invitation"]>): string {
  const { name } = academy();
  if (role) return `${name} invites you to join its team as ${roleLabels[role]}. You'll sign in again to start.`;
  if (tier) return `${name} is giving you ${planName(tier)}. You won’t be charged, and it doesn’t renew.`;
  return `${name} would like you to join.`;
}

function None({ user }: { user: CurrentUser }) {
  return (
    <StateCard
      level={1}
      title={user.emailVerified ? "No Invitation" : "Confirm Your Address"}
      actions={
        <Link to={href.dashboard()} className={buttonStyle({ variant: "outline" })}>
          Go to Dashboard
        </Link>
      }
    >
      <p>
        {user.emailVerified
          ? `There's no open invitation for ${user.email}. It was accepted, has expired, or was sent to another address.`
          : `Confirm your email address first. Open the link in our email to ${user.email}, then come back here.`}
      </p>
    </StateCard>
  );
}

function Accepted({ tier }: { tier: Tier | null }) {
  return (
    <StateCard
      level={1}
      title="Welcome"
      actions={
        <Link to={href.dashboard()} className={buttonStyle()}>
          Go to Dashboard
        </Link>
      }
    >
      <p>{tier ? `You now have ${planName(tier)}.` : "Start with the free lessons."}</p>
    </StateCard>
  );
}

function Joined({ role }: { role: StaffRole }) {
  return (
    <StateCard
      level={1}
      title="Welcome to the Team"
      actions={
        <a href={loginUrl(href.admin())} className={buttonStyle()}>
          Sign in again
        </a>
      }
    >
      <p>Your role is {roleLabels[role]}. Sign in again to start. We've signed you out on all devices.</p>
    </StateCard>
  );
}
