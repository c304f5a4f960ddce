import { useHydrated } from "./browser-state.ts";
import { formatOpening } from "./format/dates.ts";

/** "Opens September 25"; without a time, "Coming soon". The server doesn't know the reader's time zone and takes UTC. */
export function OpensAt({ at }: { at: string | null }) {
  const isHydrated = useHydrated();
  return at ? <time dateTime={at}>{formatOpening(at, isHydrated ? undefined : "UTC")}</time> : "Coming soon";
}
