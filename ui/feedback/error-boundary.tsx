import { Component, type ReactNode } from "react";
import { Button } from "#ui/controls/button.tsx";
import { StateCard } from "./state-card.tsx";

/**
 * Shows a card with a way to try again where the part of the page below it would be. Trying again reloads: the usual
 * cause is a new release, whose pages this document does not know.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className="grid min-h-96 place-items-center p-5">
        <StateCard
          level={1}
          tone="failed"
          title="This page did not open"
          actions={<Button onClick={() => window.location.reload()}>Try again</Button>}
        >
          <p>
            {navigator.onLine ? "Something went wrong while showing it." : "You are offline."} Nothing you saved is
            lost.
          </p>
        </StateCard>
      </div>
    );
  }
}
