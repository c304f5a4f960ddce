import { createContext, type ReactNode, useContext, useLayoutEffect, useState, useTransition } from "react";

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

/** Whether going from one path to an address needs a new document. */
export type NeedsDocument = (fromPath: string, address: string) => boolean;

const LocationContext = createContext<(PageLocation & { needsDocument: NeedsDocument }) | null>(null);

interface RouterProps {
  /** Which addresses are not of this document; else every other path than the one at hand. */
  needsDocument?: NeedsDocument;
  /** Where what is below came as HTML, which knows of no query. */
  path?: string;
  children: ReactNode;
}

/** Gives everything below it the location, and follows the browser. */
export function Router({ needsDocument = isAnotherPath, path, children }: RouterProps) {
  const [location, setLocation] = useState(() => (path === undefined ? locationNow(false) : locationAt(path)));
  const [isTurning, startTransition] = useTransition();
  const cameAsHtml = path !== undefined;
  useLayoutEffect(() => {
    // As a transition: the page at hand stays until the next one's code is there.
    const show = (isFollowed: boolean) => startTransition(() => setLocation(locationNow(isFollowed)));
    const showAnother = () => show(false);
    if (cameAsHtml) setLocation(locationNow(false));
    followers.add(show);
    window.addEventListener("popstate", showAnother);
    return () => {
      followers.delete(show);
      window.removeEventListener("popstate", showAnother);
    };
  }, [cameAsHtml]);
  return (
    <LocationContext value={{ ...location, needsDocument }}>
      {children}
      {isTurning && <i className="turning" />}
    </LocationContext>
  );
}

/** Where the browser is; the component renders anew when that changes. */
export function useLocation(): PageLocation & { needsDocument: NeedsDocument } {
  const location = useContext(LocationContext);
  if (!location) throw new Error("There is no Router around this component");
  return location;
}

const followers = new Set<(isFollowed: boolean) => void>();

/** Goes to an address of this document's own pages; with `replace`, going back skips the location at hand. */
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

function isAnotherPath(fromPath: string, address: string): boolean {
  return new URL(address, `http://here${fromPath}`).pathname !== fromPath;
}
