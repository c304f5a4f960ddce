import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { waitForSignInBy } from "#app/api/api.ts";
import { forgetLeft, keepForReturn } from "#app/editing/resumable.ts";
import { href } from "#contract/addresses.ts";
import { loginAgainUrl } from "#contract/identity/identity.ts";
import { Button } from "#ui/controls/button.tsx";
import { Dialog } from "#ui/controls/dialog.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { randomId } from "#ui/random-id.ts";
import { toast } from "#ui/toast/toast.ts";
import { toastFailure } from "./failure-toast.ts";
import { hasInterrupted, type Interrupted, keepInterrupted, sendInterrupted, takeInterrupted } from "./interrupted.ts";

/** The channel on which a window that has signed in says which dialog opened it. */
export const signedInChannel = "signed-in";

interface Asked {
  readonly interrupted: Interrupted;
  /** The server's sentence. */
  readonly message: string;
  readonly answer: (hasSignedIn: boolean) => void;
}

/**
 * While it is shown, requests that need a recent sign-in wait until the user has signed in, in a small window. Where
 * the browser blocks the window, the user leaves this page to sign in, and the request is sent after the return if it
 * `canResume`.
 */
export function FreshSignIn({ canResume = true, children }: { canResume?: boolean; children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const isResuming = useInterrupted();
  useEffect(() => {
    let pending: Promise<boolean> | null = null;
    waitForSignInBy(async ({ address, method = "GET", body }, { problem }) => {
      if (problem?.code !== "sign-in-again") return false;
      const interrupted = { address, method, body: typeof body === "string" ? body : null };
      pending ??= new Promise<boolean>((answer) => {
        setAsked({ interrupted, message: problem.message, answer });
      }).finally(() => {
        pending = null;
        setAsked(null);
      });
      return pending;
    });
    return () => waitForSignInBy(async () => false);
  }, []);
  return (
    <>
      {isResuming ? <StateCard level={1} tone="loading" title="Finishing what you started" /> : children}
      {asked && <SignInDialog {...asked} canResume={canResume} />}
    </>
  );
}

function SignInDialog({ interrupted, message, answer, canResume }: Asked & { canResume: boolean }) {
  const [isWaiting, setIsWaiting] = useState(false);
  // Another tab's sign-in must not finish an action that was left here.
  const [hash] = useState(() => `#${randomId()}`);
  useEffect(() => {
    const channel = new BroadcastChannel(signedInChannel);
    channel.onmessage = ({ data }) => data === hash && answer(true);
    return () => channel.close();
  }, [answer, hash]);

  function openWindow(): void {
    const opened = window.open(loginAgainUrl(href.signedIn() + hash), "sign-in", "popup,width=520,height=760");
    if (opened) setIsWaiting(true);
    else leave();
  }

  function leave(): void {
    const { pathname, search, hash: own } = window.location;
    keepForReturn();
    const returnHash = canResume ? keepInterrupted(interrupted) : own;
    window.location.assign(loginAgainUrl(pathname + search + returnHash));
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || answer(false)}
      title="Confirm it's you"
      description={
        <>
          {message}{" "}
          {isWaiting
            ? "We've opened a small window for that. When you've signed in, we'll finish here."
            : "We'll open a small window for that and finish here afterward."}
        </>
      }
    >
      <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
        <Button variant="outline" onClick={() => answer(false)}>
          Not now
        </Button>
        {isWaiting && (
          <Button variant="outline" onClick={leave}>
            Use this tab instead
          </Button>
        )}
        <Button onClick={openWindow}>{isWaiting ? "Open the window again" : "Sign in again"}</Button>
      </div>
    </Dialog>
  );
}

/** Sends the request that this user left unfinished to sign in. True while it is on its way. */
function useInterrupted(): boolean {
  const queryClient = useQueryClient();
  const [isSending, setIsSending] = useState(hasInterrupted);
  useEffect(() => {
    const interrupted = takeInterrupted();
    if (!interrupted) return;
    sendInterrupted(interrupted)
      .then(
        (message) => {
          toast({ title: message ?? "Done" });
          queryClient.invalidateQueries({ queryKey: ["admin"] });
          forgetLeft();
        },
        (error) => toastFailure("We couldn't finish what you started", error, "Try again in a moment."),
      )
      .finally(() => setIsSending(false));
  }, [queryClient]);
  return isSending;
}
