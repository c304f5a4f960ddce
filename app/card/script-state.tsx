import { Button } from "#ui/controls/button.tsx";
import { type CardScript, configurationFailure, loadFailure } from "./use-card-script.ts";

/** Explains why the submit button is disabled. */
export function ScriptState({ script }: { script: CardScript }) {
  if (script.state === "ready") return null;
  if (script.state === "loading") {
    return (
      <p role="status" className="text-fine text-ink-soft">
        Loading the payment form…
      </p>
    );
  }
  if (script.state === "unconfigured") return <p className={failureStyle}>{configurationFailure}</p>;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className={failureStyle}>{loadFailure}</p>
      <Button variant="outline" size="small" onClick={script.retry}>
        Try again
      </Button>
    </div>
  );
}

const failureStyle = "font-semibold text-danger text-sm";

/** Shows the test card's number in the gateway's test environment. */
export function TestCardHint({ script }: { script: CardScript }) {
  if (script.state !== "ready" || script.config.environment === "production") return null;
  return (
    <p className="rounded-sm bg-kraft-soft px-4 py-3 text-sm">
      You won't be charged here. Test card:{" "}
      <span className="printed whitespace-nowrap text-sm">4111 1111 1111 1111</span>, any future date, any CVV, any ZIP.
    </p>
  );
}
