import { useEffect } from "react";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { signedInChannel } from "./fresh-sign-in.tsx";
import { SitePage } from "./site-page.tsx";

/** Where the small window of a sign-in ends. It tells the window that opened it, and closes. */
export default function SignedIn() {
  useEffect(() => {
    const channel = new BroadcastChannel(signedInChannel);
    channel.postMessage(window.location.hash);
    channel.close();
    window.close();
  }, []);
  return (
    <SitePage title="Signed in" description="You've signed in again." className="grid min-h-dvh place-items-center p-4">
      <StateCard level={1} title="You're signed in">
        <p>You can close this window and continue where you left off.</p>
      </StateCard>
    </SitePage>
  );
}
