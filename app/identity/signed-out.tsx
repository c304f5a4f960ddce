import type { ReactNode } from "react";
import { href } from "#contract/addresses.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";

interface SignedOutProps {
  title?: string;
  /** The path to return to after the sign-in. */
  returnTo: string;
  /** Shown beside the sign-in link. Defaults to a link to the home page. */
  action?: ReactNode;
  /** What a signed-in user finds here. */
  children: ReactNode;
}

/** Replaces a personal page for visitors. */
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
