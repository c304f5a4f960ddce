import { useSyncExternalStore } from "react";

const never = () => () => {};

/**
 * What only the browser knows; `before` in markup that came as HTML and while it is hydrated. Where the two are equal,
 * nothing is rendered a second time.
 */
export function useInBrowser<Value extends string | boolean>(known: Value, before: Value): Value {
  return useSyncExternalStore(
    never,
    () => known,
    () => before,
  );
}

/** False in markup that came as HTML and while it is hydrated, true afterwards. */
export function useHydrated(): boolean {
  return useInBrowser<boolean>(true, false);
}
