import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * A value that only the browser knows. Returns `before` in the server's HTML and during hydration. Equal values cause
 * no second render.
 */
export function useInBrowser<Value extends string | boolean>(known: Value, before: Value): Value {
  return useSyncExternalStore(
    never,
    () => known,
    () => before,
  );
}

/** False in the server's HTML and during hydration, true afterwards. */
export function useHydrated(): boolean {
  return useInBrowser<boolean>(true, false);
}
