import type { ReactNode } from "react";
import { href } from "#contract/addresses.ts";
import { paymentBeingConfirmed } from "#contract/purchases/sentences.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { useTopOfPage } from "./top-of-page.ts";

interface ConfirmingProps {
  /** Whether the page asks for the outcome. */
  isWatched: boolean;
  /** What happens once the outcome is known. */
  children: ReactNode;
}

/** Replaces the form while the payment's outcome is unknown. */
export function Confirming({ isWatched, children }: ConfirmingProps) {
  const element = useTopOfPage<HTMLDivElement>();
  return (
    <div ref={element} tabIndex={-1} className="outline-none">
      <StateCard
        level={1}
        tone="loading"
        title="One moment"
        actions={
          <a href={href.dashboard()} className={buttonStyle({ variant: "outline", size: "large" })}>
            Go to your dashboard
          </a>
        }
      >
        <p>{paymentBeingConfirmed}</p>
        <p>
          {isWatched && "This page checks every few seconds. "}You can leave this page: {children}
        </p>
      </StateCard>
    </div>
  );
}
