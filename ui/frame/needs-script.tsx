import { href } from "#contract/addresses.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { named } from "#ui/academy.ts";
import { Wordmark } from "#ui/brand/wordmark.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";

/** Shown without scripts on pages that need them, with links to what works without. */
export function NeedsScript({ isCheckout }: { isCheckout: boolean }) {
  return (
    <main className="grid gap-12 px-(--margin) py-6">
      <a href={href.home()} aria-label={named("{academy}, home")} className="flex w-fit">
        <Wordmark />
      </a>
      <StateCard
        level={1}
        title={isCheckout ? "Paying by card needs JavaScript." : "This page needs JavaScript."}
        actions={
          <>
            <a href={loginUrl()} className={buttonStyle({ variant: "tag", size: "large" })}>
              Sign in
            </a>
            <a href={href.home()} className={buttonStyle({ variant: "outline", size: "large" })}>
              Home
            </a>
            <a href={href.contact()} className={buttonStyle({ variant: "outline", size: "large" })}>
              Contact
            </a>
          </>
        }
      >
        {isCheckout ? (
          <>
            <p>
              A script takes your card's number from your browser straight to the card gateway, so that our server never
              sees it. Nothing has been charged.
            </p>
            <p>Allow scripts for this site and load this page again, or write to us.</p>
          </>
        ) : (
          <p>Your lessons and your plan run in the browser. Allow scripts for this site and load this page again.</p>
        )}
      </StateCard>
    </main>
  );
}
