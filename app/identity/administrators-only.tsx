import type { ReactNode } from "react";
import { href } from "#contract/addresses.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { useCurrentUser } from "./current-user.ts";
import { FreshSignIn } from "./fresh-sign-in.tsx";
import { useSignInFirst } from "./sign-in-first.ts";

/**
 * Shows its content to administrators, sends visitors to sign in and tells everybody else. It only hides: the server
 * decides on each call by itself.
 */
export function AdministratorsOnly({ children }: { children: (user: CurrentUser) => ReactNode }) {
  const { user, isPending } = useCurrentUser();
  useSignInFirst(user === null);
  if (user) return user.isAdmin ? <FreshSignIn>{children(user)}</FreshSignIn> : <AccessDenied />;
  if (isPending || user === null) return <Verifying />;
  return (
    <LoadFailed title="Your account could not be verified">
      The academy did not answer. Try again in a moment.
    </LoadFailed>
  );
}

function Verifying() {
  return (
    <StateCard level={1} tone="loading" title="One moment">
      <p>Verifying your account.</p>
    </StateCard>
  );
}

function AccessDenied() {
  return (
    <StateCard
      level={1}
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
