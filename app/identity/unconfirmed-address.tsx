import { hashKey, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from "react";
import { api } from "#app/api/api.ts";
import { type CurrentUser, sendConfirmationMail } from "#contract/identity/identity.ts";
import { Button, buttonStyle } from "#ui/controls/button.tsx";
import { optional } from "#ui/feedback/optional.ts";
import { toast } from "#ui/toast/toast.ts";
import { hasLostAddress } from "./confirmation-note.ts";
import { currentUserQuery } from "./current-user.ts";
import { toastFailure } from "./failure-toast.ts";

const OnlyStudent = optional(() => import("./only-student.tsx"));
const SeenBar = optional(() => import("./seen-bar.tsx"));

/**
 * Asks users on every page but the checkout to confirm their email address, or tells administrators whom they see the
 * academy as. It sticks to the bottom of the window, so that its appearance shifts no content.
 */
export default function UnconfirmedAddress({ isCheckout = false }: { isCheckout?: boolean }) {
  const { data: user, dataUpdatedAt } = useQuery(currentUserQuery);
  useNewsFromElsewhere(user?.emailVerified === false && user.seenForSeconds === null);
  if (user && user.seenForSeconds !== null) {
    return (
      <>
        <Suspense>{isCheckout && <OnlyStudent />}</Suspense>
        <FootBar label="Seeing as a student" className="bg-kraft-soft!">
          <Suspense>
            <SeenBar student={user} endsAt={dataUpdatedAt + user.seenForSeconds * 1000} />
          </Suspense>
        </FootBar>
      </>
    );
  }
  // Without an account page, an external provider confirms addresses, so the user can do nothing here.
  if (!user || user.emailVerified || !user.accountUrl) return null;
  return <Bar user={user} accountUrl={user.accountUrl} />;
}

/** The link opens in another tab or window, so the user is refetched on return to this one, and with each reply. */
function useNewsFromElsewhere(isUnconfirmed: boolean): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    if (!isUnconfirmed) return;
    const refetch = () => void queryClient.refetchQueries(currentUserQuery, { cancelRefetch: false });
    const listening = new AbortController();
    window.addEventListener("focus", refetch, { signal: listening.signal });
    document.addEventListener("visibilitychange", () => document.hidden || refetch(), { signal: listening.signal });
    const ownHash = hashKey(currentUserQuery.queryKey);
    const stop = queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== "updated" || event.query.queryHash === ownHash) return;
      if (event.action.type === "success" && !event.action.manual) refetch();
    });
    return () => {
      listening.abort();
      stop();
    };
  }, [isUnconfirmed, queryClient]);
}

function Bar({ user, accountUrl }: { user: CurrentUser; accountUrl: string }) {
  return (
    <FootBar label="Address to confirm">
      <div className="mx-auto flex max-w-(--measure) flex-wrap items-center justify-between gap-x-3 gap-y-2 sm:gap-x-8">
        <p className="min-w-0 flex-1 basis-28 text-sm leading-snug [overflow-wrap:anywhere] sm:basis-80">
          <strong>Please confirm your address.</strong>{" "}
          {/* Hidden on phones, which lack the space. The email says it too. */}
          <span className={hasLostAddress(user) ? undefined : "max-sm:sr-only"}>{wordsFor(user)}</span>
        </p>
        <div className="flex flex-wrap gap-2">
          {!hasLostAddress(user) && <SendAgain />}
          <a href={accountUrl} className={buttonStyle({ variant: "outline", size: "small" })}>
            Correct it
          </a>
        </div>
      </div>
    </FootBar>
  );
}

/** Sets a CSS variable to its height, so that floating and focused elements stay above it. */
function FootBar({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = bar.current;
    if (!element) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty("--foot-bar-height", `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty("--foot-bar-height");
    };
  }, []);
  return (
    <section ref={bar} aria-label={label} className={cx("foot-bar print:hidden", className)}>
      {children}
    </section>
  );
}

function SendAgain() {
  const send = useMutation({
    mutationFn: () => api(sendConfirmationMail),
    onSuccess: ({ sentTo }) => toast({ title: "We sent you a new link", description: `Check the inbox of ${sentTo}.` }),
    onError: (error) => toastFailure("We couldn't send the link", error, "Try again in a minute."),
  });
  return (
    <Button size="small" variant="outline" pending={send.isPending} onClick={() => send.mutate()}>
      Send again
    </Button>
  );
}

function wordsFor(user: CurrentUser): string {
  if (hasLostAddress(user)) return "Another account has confirmed the one that you signed up with.";
  return `Open the link that we sent to ${user.email}.`;
}
