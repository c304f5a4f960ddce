import { useEffect } from "react";
import { titled } from "#ui/academy.ts";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { PageFrame } from "#ui/frame/page-frame.tsx";
import { signedInChannel } from "./fresh-sign-in.tsx";

/** Where the small window of a sign-in ends. It tells the window that opened it, and closes. */
export default function SignedIn() {
  useEffect(() => {
    const channel = new BroadcastChannel(signedInChannel);
    channel.postMessage(window.location.hash);
    channel.close();
    window.close();
  }, []);
  return (
    <PageFrame
      title={titled("Signed in")}
      description="You've signed in again."
      className="grid place-items-center p-4"
    >
      <StateCard level={1} title="You're signed in">
        <p>You can close this window and continue where you left off.</p>
      </StateCard>
    </PageFrame>
  );
}
