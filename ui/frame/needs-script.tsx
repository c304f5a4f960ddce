import type { ReactNode } from "react";
import { href } from "#contract/addresses.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { named } from "#ui/academy.ts";
import { Wordmark } from "#ui/brand/wordmark.tsx";
import { buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";

/** Shown without scripts on pages that need them, with links to what works without, and what can be read of the page. */
export function NeedsScript({ isCheckout, children }: { isCheckout: boolean; children?: ReactNode }) {
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
              Your browser sends your card number straight to the card processor, so it never reaches our server. You
              haven't been charged.
            </p>
            <p>Turn on JavaScript for this site and reload the page, or contact us.</p>
          </>
        ) : (
          <p>Turn on JavaScript for this site and reload the page.</p>
        )}
      </StateCard>
      {children}
    </main>
  );
}
