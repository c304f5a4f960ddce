import { useMutation } from "@tanstack/react-query";
import { type CurrentUser, sendConfirmationMail } from "#contract/identity/identity.ts";
import { api } from "../api.ts";
import { Button, buttonStyle } from "../ui/controls/button.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useCurrentUser } from "./current-user.ts";
import { toastFailure } from "./failure-toast.ts";

/**
 * Tells whoever has not confirmed their address so, on every page. It lies over the page's end, with as much room below
 * the page: what is being read does not move when it comes.
 */
export default function UnconfirmedAddress() {
  const { user } = useCurrentUser();
  // Another provider confirms addresses itself: nothing could be done about it here.
  if (!user || user.emailVerified || !user.accountUrl) return null;
  return (
    <>
      <div aria-hidden="true" className="h-44 sm:h-20" />
      <section
        aria-label="Address to confirm"
        className="fixed inset-x-0 bottom-0 z-45 border-ink border-t-2 bg-surface px-(--margin) py-3 text-ink"
      >
        <div className="mx-auto flex max-w-(--measure) flex-wrap items-center justify-between gap-x-8 gap-y-3">
          <p className="min-w-0 flex-1 basis-80 text-sm [overflow-wrap:anywhere]">
            <strong>Please confirm your address.</strong> {wordsFor(user)}
          </p>
          <div className="flex flex-wrap gap-3">
            {!isLost(user) && <SendAgain />}
            <a href={user.accountUrl} className={buttonStyle({ variant: "outline", size: "small" })}>
              Correct the address
            </a>
          </div>
        </div>
      </section>
    </>
  );
}

function SendAgain() {
  const send = useMutation({
    mutationFn: () => api(sendConfirmationMail),
    onSuccess: ({ sentTo }) => toast({ title: "A new link is on its way", description: `It goes to ${sentTo}.` }),
    onError: (error) => toastFailure("The link was not sent", error, "Try again in a minute."),
  });
  return (
    <Button size="small" variant="outline" pending={send.isPending} onClick={() => send.mutate()}>
      Send the link again
    </Button>
  );
}

/** Somebody else has confirmed the address that this person had given. */
function isLost({ email }: CurrentUser): boolean {
  return email.endsWith(".invalid");
}

function wordsFor(user: CurrentUser): string {
  if (isLost(user)) return "Your account has none that reaches you.";
  return `We sent a link to ${user.email}. After you opened it, sign in once more.`;
}
