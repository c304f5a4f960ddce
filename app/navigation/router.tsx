import { createContext, type ReactNode, useContext, useLayoutEffect, useState, useTransition } from "react";
import { useHydrated } from "../ui/browser-state.ts";

/** Where the browser is, as the pages see it. */
export interface Place {
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

const PlaceContext = createContext<Place | null>(null);

/** Gives every page below it the place, and follows the browser. In the prerenderer the place is `path` and stays it. */
export function Router({ path, children }: { path?: string; children: ReactNode }) {
  const [place, setPlace] = useState(() => (path === undefined ? placeNow(false) : placeAt(path)));
  const [isTurning, startTransition] = useTransition();
  useLayoutEffect(() => {
    // As a transition: the page at hand stays until the next one's code is there.
    const show = (isFollowed: boolean) => startTransition(() => setPlace(placeNow(isFollowed)));
    const showAnother = () => show(false);
    followers.add(show);
    window.addEventListener("popstate", showAnother);
    return () => {
      followers.delete(show);
      window.removeEventListener("popstate", showAnother);
    };
  }, []);
  return (
    <PlaceContext value={place}>
      {children}
      {isTurning && <i className="turning" />}
    </PlaceContext>
  );
}

/**
 * For what depends on the address beyond its path: until the page is taken over, the place is that of the prerendered
 * HTML, which knows of no query.
 */
export function AsPrerendered({ children }: { children: ReactNode }) {
  const place = usePlace();
  const isHydrated = useHydrated();
  // Where nothing is beyond the path it stays the same object, and nothing renders anew.
  const isPlain = place.search === "" && place.hash === "";
  return (
    <PlaceContext value={isHydrated || isPlain ? place : { ...place, search: "", hash: "" }}>{children}</PlaceContext>
  );
}

/** Where the browser is; the component renders anew when that changes. */
export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (!place) throw new Error("There is no Router around this component");
  return place;
}

const followers = new Set<(isFollowed: boolean) => void>();

/** Goes to an address of this document's own pages; with `replace`, going back skips the place at hand. */
export function navigate(address: string, { replace = false } = {}): void {
  if (replace) window.history.replaceState(null, "", address);
  else window.history.pushState(null, "", address);
  for (const show of followers) show(true);
}

let lastKey = 0;

function placeNow(isFollowed: boolean): Place {
  const { pathname, search, hash } = window.location;
  lastKey += 1;
  return { pathname, search, hash, key: lastKey, isFollowed };
}

function placeAt(pathname: string): Place {
  return { pathname, search: "", hash: "", key: 0, isFollowed: false };
}
