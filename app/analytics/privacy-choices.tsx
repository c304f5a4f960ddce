import { useHydrated } from "../ui/browser-state.ts";
import { pixelId } from "./analytics.ts";

/** On the window: the question about measuring is asked once more. */
export const reconsidered = "academy:reconsidered";

/** Lets a visitor change the answer about measuring; nothing where nothing is measured. */
export function PrivacyChoices({ className }: { className: string }) {
  const isHydrated = useHydrated();
  if (!isHydrated || !pixelId()) return null;
  return (
    <button type="button" onClick={() => window.dispatchEvent(new Event(reconsidered))} className={className}>
      Privacy choices
    </button>
  );
}
