import { academy } from "./academy.ts";
import { useHydrated } from "./browser-state.ts";

/** Undefined means the reader's own. The server doesn't know it and takes the academy's. */
export function useTimeZone(): string | undefined {
  return useHydrated() ? undefined : (academy().timeZone ?? "UTC");
}
