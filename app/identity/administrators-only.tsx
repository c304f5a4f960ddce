import type { ReactNode } from "react";
import type { CurrentUser } from "#contract/identity.ts";
import { PageLink } from "../navigation.tsx";
import { href } from "../routes.ts";
import { Button, buttonStyle } from "../ui/button.tsx";
import { StateCard } from "../ui/state-card.tsx";
import { useCurrentUser } from "./current-user.ts";
import { useSignInFirst } from "./sign-in-first.ts";

/**
 * Shows its content to administrators, sends visitors to sign in and tells everybody else. It only hides: the server
 * decides on each call by itself.
 */
export function AdministratorsOnly({ children }: { children: (user: CurrentUser) => ReactNode }) {
  const { user, isPending } = useCurrentUser();
  useSignInFirst(user === null);
  if (user) return user.isAdmin ? children(user) : <AccessDenied />;
  return isPending || user === null ? <Verifying /> : <CouldNotVerify />;
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
        <PageLink to={href.home()} className={buttonStyle({ variant: "outline" })}>
          Back to Home
        </PageLink>
      }
    >
      <p>You don't have administrator privileges to access this page.</p>
    </StateCard>
  );
}

function CouldNotVerify() {
  return (
    <StateCard
      level={1}
      tone="failed"
      title="Your account could not be verified"
      actions={<Button onClick={() => window.location.reload()}>Retry</Button>}
    >
      <p>The academy did not answer. Try again in a moment.</p>
    </StateCard>
  );
}
