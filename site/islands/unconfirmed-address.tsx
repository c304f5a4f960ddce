import { Suspense } from "react";
import { useHydrated } from "#ui/browser-state.ts";
import { optional } from "#ui/feedback/optional.ts";
import { Island } from "./island.tsx";

const Bar = optional(() => import("#app/identity/unconfirmed-address.tsx"));

/** Asks users to confirm their email address. Used in documents of users who may be signed in. */
export function UnconfirmedAddress() {
  const isHydrated = useHydrated();
  return (
    <Island>
      {isHydrated && (
        <Suspense>
          <Bar />
        </Suspense>
      )}
    </Island>
  );
}
