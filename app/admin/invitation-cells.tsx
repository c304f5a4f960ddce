import type { ReactNode } from "react";
import { Badge } from "#ui/badge.tsx";
import { Button } from "#ui/controls/button.tsx";
import { useAct } from "./act.ts";

/** Who is invited, and by whom. */
export function Invited({ email, children }: { email: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="font-bold wrap-anywhere">{email}</p>
      <p className="text-fine text-ink-soft wrap-anywhere">by {children}</p>
    </div>
  );
}

export function InvitationState({ sentAt }: { sentAt: string | null }) {
  return <Badge tone="plain">{sentAt ? "Invited" : "On its way"}</Badge>;
}

interface TakeBackProps<Reply> {
  email: string;
  revoke: () => Promise<Reply>;
  onDone?: (reply: Reply) => void;
}

export function TakeBack<Reply>({ email, revoke, onDone }: TakeBackProps<Reply>) {
  const words = { done: "Invitation cancelled", failed: "Failed to cancel the invitation" };
  const { isPending, mutate } = useAct(revoke, words, onDone);
  return (
    <Button variant="quiet" size="small" pending={isPending} onClick={() => mutate()}>
      Cancel<span className="sr-only"> the invitation of {email}</span>
    </Button>
  );
}
