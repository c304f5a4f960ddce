import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False in markup that came as HTML and while it is hydrated, true afterwards: for what only the browser knows. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
