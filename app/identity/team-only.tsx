import type { ReactNode } from "react";
import { Link } from "react-router";
import { href } from "#contract/addresses.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { mayNotSentence, type Permission, roleMay } from "#contract/permissions.ts";
import type { StaffRole } from "#contract/roles.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { fullNameOf, useCurrentUser } from "./current-user.ts";
import { FreshSignIn } from "./fresh-sign-in.tsx";
import { SecondFactorRequired } from "./second-factor.tsx";
import { StopSeeing } from "./seen-bar.tsx";
import { useSignInFirst } from "./sign-in-first.ts";

interface TeamOnlyProps {
  permission: Permission;
  /** The class of what replaces the content. */
  className?: string;
  children: (user: CurrentUser) => ReactNode;
}

/**
 * Renders its content for roles with the permission, redirects visitors to the sign-in, and explains itself to other
 * users. Only hides: the server checks each request itself.
 */
export function TeamOnly({ permission, className, children }: TeamOnlyProps) {
  const { user, isPending } = useCurrentUser();
  useSignInFirst(user === null);
  if (user?.role && user.needsSecondFactor) {
    return (
      <div className={className}>
        <SecondFactorRequired user={user} className={besideBar} />
      </div>
    );
  }
  if (user?.role && roleMay(user.role, permission)) return <FreshSignIn>{children(user)}</FreshSignIn>;
  return (
    <div className={className}>
      {user?.role ? (
        <NotForRole role={user.role} permission={permission} />
      ) : user?.seenForSeconds ? (
        <WhileSeeing student={user} />
      ) : user ? (
        <AccessDenied />
      ) : isPending || user === null ? (
        <Verifying />
      ) : (
        <LoadFailed title="We couldn't verify your account">
          The academy didn't answer. Try again in a moment.
        </LoadFailed>
      )}
    </div>
  );
}

const besideBar = "my-10 max-sm:my-6";

function Verifying() {
  return (
    <StateCard level={1} className={besideBar} tone="loading" title="One moment">
      <p>Verifying your account.</p>
    </StateCard>
  );
}

function NotForRole({ role, permission }: { role: StaffRole; permission: Permission }) {
  return (
    <StateCard
      level={1}
      className={besideBar}
      tone="held"
      title="Not for your role"
      actions={
        <Link to={href.admin()} className={buttonStyle({ variant: "outline" })}>
          Back to the administration
        </Link>
      }
    >
      <p>{mayNotSentence(role, permission)} An owner of the academy can give you another role.</p>
    </StateCard>
  );
}

function WhileSeeing({ student }: { student: CurrentUser }) {
  return (
    <StateCard
      level={1}
      className={besideBar}
      title="You’re seeing the academy as a student"
      actions={
        <>
          <StopSeeing student={student}>Stop and go back</StopSeeing>
          <Link to={href.dashboard()} className={buttonStyle({ variant: "outline" })}>
            Student’s course
          </Link>
        </>
      }
    >
      <p>
        {fullNameOf(student)} can’t open the administration, so you can’t either until you stop. We’ll take you back to
        their page.
      </p>
    </StateCard>
  );
}

function AccessDenied() {
  return (
    <StateCard
      level={1}
      className={besideBar}
      tone="held"
      title="Access Denied"
      actions={
        <a href={href.home()} className={buttonStyle({ variant: "outline" })}>
          Back to Home
        </a>
      }
    >
      <p>You don't have administrator privileges to access this page.</p>
    </StateCard>
  );
}
