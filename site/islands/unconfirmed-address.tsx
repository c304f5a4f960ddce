import { lazy, Suspense } from "react";
import { useHydrated } from "#ui/browser-state.ts";
import { Island } from "./island.tsx";

const Bar = lazy(() => import("#app/identity/unconfirmed-address.tsx"));

/** Says so to anybody who has not confirmed their address. For documents of somebody who may be signed in. */
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
