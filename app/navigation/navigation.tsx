import { type ComponentProps, type MouseEvent, useEffect, useRef } from "react";
import { navigate, useLocation } from "./router.tsx";

/**
 * Whether this document may show videos from other sites: it keeps, for life, the content security policy of the page
 * that it was loaded as, and only pages with lessons let such videos in.
 */
export function mayShowVideosOfOthers(): boolean {
  return document.documentElement.hasAttribute("data-lessons");
}

/** A link to a page of the academy, to another query of the same page, or to an address of its server (`/api/login`). */
export function PageLink({ to, ...rest }: { to: string } & Omit<ComponentProps<"a">, "href" | "onClick">) {
  const { pathname, needsDocument } = useLocation();
  function follow(event: MouseEvent): void {
    // New tabs and windows are the browser's own.
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!isPlain || needsDocument(pathname, to)) return;
    event.preventDefault();
    navigate(to, { replace: new URL(to, window.location.href).href === window.location.href });
  }
  return <a href={to} onClick={follow} {...rest} />;
}

/** Gives `goTo(address)`, the same as following a `PageLink`. */
export function useGoTo(): (address: string) => void {
  const { pathname, needsDocument } = useLocation();
  return (address) => {
    if (needsDocument(pathname, address)) window.location.assign(address);
    else navigate(address);
  };
}

/**
 * Brings the reader to what the address names once its page is on screen: the section in the hash, else the top.
 * Rendered before the page, which may then go elsewhere by itself, and new with it: both are on screen when the effect
 * runs for the first time.
 */
export function ArrivedAtAddress() {
  const { hash, key, isFollowed } = useLocation();
  const hasArrived = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` is new when the same address is followed again
  useEffect(() => {
    const isNewPage = !hasArrived.current;
    hasArrived.current = true;
    // Going back, and the first page: the browser restores the position itself.
    if (!isFollowed) return;
    const section = hash ? document.getElementById(hash.slice(1)) : null;
    if (section) section.scrollIntoView();
    else if (isNewPage) window.scrollTo({ top: 0, behavior: "instant" });
    if (isNewPage && !section) document.getElementById("main")?.focus({ preventScroll: true });
  }, [hash, key, isFollowed]);
  return null;
}
