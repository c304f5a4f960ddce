import { createContext, type ReactNode, useContext, useState } from "react";
import { freshSignInMinutes } from "#contract/endpoint.ts";
import { loginAgainUrl } from "#contract/identity/identity.ts";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";
import { keepForReturn } from "./resumable.ts";

const AskForSignIn = createContext<() => void>(() => {});

/** Returns a function that asks the administrator to sign in again, after the server required a recent sign-in. */
export function useAskForSignIn(): () => void {
  return useContext(AskForSignIn);
}

/** Wraps the administration, and shows the dialog of `useAskForSignIn`. */
export function FreshSignIn({ children }: { children: ReactNode }) {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <AskForSignIn value={() => setIsAsked(true)}>
      {children}
      <Dialog
        open={isAsked}
        onOpenChange={setIsAsked}
        title="Confirm that it is you"
        description={`This needs a sign-in of the last ${freshSignInMinutes} minutes. Sign in once more: you come back to this page, and what you have typed is kept.`}
      >
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="outline" onClick={() => setIsAsked(false)}>
            Not now
          </Button>
          <a href={loginAgainUrl(here())} className={buttonStyle()} onClick={keepForReturn}>
            Sign in again
          </a>
        </div>
      </Dialog>
    </AskForSignIn>
  );
}

function here(): string {
  if (typeof window === "undefined") return "/";
  const { pathname, search, hash } = window.location;
  return pathname + search + hash;
}
