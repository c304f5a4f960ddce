import { createContext, type ReactNode, useContext, useLayoutEffect, useState, useTransition } from "react";
import { useHydrated } from "../ui/browser-state.ts";

/** Where the browser is, as the pages see it. */
export interface PageLocation {
  pathname: string;
  /** With its question mark, or empty. */
  search: string;
  /** With its number sign, or empty. */
  hash: string;
  /** Another one after each navigation, also to the same address. */
  key: number;
  /** Whether a link led here; false for the first page and after going back or forward. */
  isFollowed: boolean;
}

const LocationContext = createContext<PageLocation | null>(null);

/** Gives every page below it the location, and follows the browser. In the prerenderer it is always `path`. */
export function Router({ path, children }: { path?: string; children: ReactNode }) {
  const [location, setLocation] = useState(() => (path === undefined ? locationNow(false) : locationAt(path)));
  const [isTurning, startTransition] = useTransition();
  useLayoutEffect(() => {
    // As a transition: the page at hand stays until the next one's code is there.
    const show = (isFollowed: boolean) => startTransition(() => setLocation(locationNow(isFollowed)));
    const showAnother = () => show(false);
    followers.add(show);
    window.addEventListener("popstate", showAnother);
    return () => {
      followers.delete(show);
      window.removeEventListener("popstate", showAnother);
    };
  }, []);
  return (
    <LocationContext value={location}>
      {children}
      {isTurning && <i className="turning" />}
    </LocationContext>
  );
}

/**
 * For what depends on the address beyond its path: until the page is hydrated, the location is that of the prerendered
 * HTML, which knows of no query.
 */
export function AsPrerendered({ children }: { children: ReactNode }) {
  const location = useLocation();
  const isHydrated = useHydrated();
  // Where nothing is beyond the path it stays the same object, and nothing renders anew.
  const isPlain = location.search === "" && location.hash === "";
  return (
    <LocationContext value={isHydrated || isPlain ? location : { ...location, search: "", hash: "" }}>
      {children}
    </LocationContext>
  );
}

/** Where the browser is; the component renders anew when that changes. */
export function useLocation(): PageLocation {
  const location = useContext(LocationContext);
  if (!location) throw new Error("There is no Router around this component");
  return location;
}

const followers = new Set<(isFollowed: boolean) => void>();

/** Goes to an address of this document's own pages; with `replace`, going back skips the current location. */
export function navigate(address: string, { replace = false } = {}): void {
  if (replace) window.history.replaceState(null, "", address);
  else window.history.pushState(null, "", address);
  for (const show of followers) show(true);
}

let lastKey = 0;

function locationNow(isFollowed: boolean): PageLocation {
  const { pathname, search, hash } = window.location;
  lastKey += 1;
  return { pathname, search, hash, key: lastKey, isFollowed };
}

function locationAt(pathname: string): PageLocation {
  return { pathname, search: "", hash: "", key: 0, isFollowed: false };
}
