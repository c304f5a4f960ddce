import { type ComponentType, useState } from "react";
import { useHydrated } from "./browser-state.ts";

/** One object for good: React would set markup that comes in another one, and this is empty. */
const asItCame = { __html: "" };

/**
 * A part of a page that no script operates. Where it came as HTML it stays as it came, and its code is never fetched;
 * where the page was reached by a link the code is fetched with the page's.
 */
export function Still({ part: Part, className }: { part: ComponentType; className?: string }) {
  const isHydrated = useHydrated();
  const [cameAsHtml] = useState(!isHydrated && !import.meta.env.SSR);
  return cameAsHtml ? (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: it sets nothing, and keeps React from what is there
    <div className={className} dangerouslySetInnerHTML={asItCame} suppressHydrationWarning />
  ) : (
    <div className={className}>
      <Part />
    </div>
  );
}
