import type { ReactNode } from "react";
import { href } from "#contract/addresses.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";

interface SignedOutProps {
  title?: string;
  /** Where one comes back to. */
  returnTo: string;
  /** Beside the way to sign in; without it, the way home. */
  action?: ReactNode;
  /** What is here for somebody who is signed in. */
  children: ReactNode;
}

/** In the place of a page that is somebody's own. */
export function SignedOut({ title = "Please Sign In", returnTo, action = <GoHome />, children }: SignedOutProps) {
  return (
    <StateCard
      level={1}
      title={title}
      actions={
        <>
          <a href={loginUrl(returnTo)} className={buttonStyle()}>
            Sign In
          </a>
          {action}
        </>
      }
    >
      <p>{children}</p>
    </StateCard>
  );
}

function GoHome() {
  return (
    <a href={href.home()} className={buttonStyle({ variant: "outline" })}>
      Go to Home
    </a>
  );
}
