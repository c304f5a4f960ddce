import { Suspense, useEffect, useRef } from "react";
import { Outlet, ScrollRestoration, useLocation, useNavigation, useNavigationType } from "react-router";
import { optional } from "#ui/feedback/optional.ts";
import { ToastOutlet } from "#ui/toast/toast-outlet.tsx";
import { pageView, pixelId } from "./analytics/analytics.ts";
import { mayBeSignedIn, useCurrentUser, useIsSeen } from "./identity/current-user.ts";
import { useFirstZone } from "./identity/first-zone.ts";
import { scrollStorageKey } from "./scroll-position.ts";

const Measuring = optional(() => import("./analytics/measuring.tsx"));
const UnconfirmedAddress = optional(() => import("./identity/unconfirmed-address.tsx"));

/** The frame of all pages of the app. */
export function Root({ isCheckout }: { isCheckout: boolean }) {
  const { pathname } = useLocation();
  const { state } = useNavigation();
  const { isPending } = useCurrentUser();
  const isSeen = useIsSeen();
  useFirstZone();
  useFocusOnNewPage();
  useEffect(() => {
    document.documentElement.dataset.live = "";
  }, []);
  // The checkout reports its own events instead of a page view.
  useEffect(() => {
    if (!isCheckout) pageView(pathname);
  }, [isCheckout, pathname]);
  return (
    <>
      {isSeen && isCheckout ? null : <Outlet />}
      <ScrollRestoration storageKey={scrollStorageKey} />
      {state !== "idle" && <i className="turning" />}
      {/* It would cover the button that pays. The checkout mentions the address under its field. */}
      <Suspense>
        {(!isCheckout || isSeen) && mayBeSignedIn() && <UnconfirmedAddress isCheckout={isCheckout} />}
      </Suspense>
      <Suspense>{pixelId() !== undefined && !isPending && !isSeen && <Measuring />}</Suspense>
      <ToastOutlet />
    </>
  );
}

/** Focuses the main content after following a link. After going back, the browser restores the focus. */
function useFocusOnNewPage(): void {
  const { pathname, hash } = useLocation();
  const isFollowed = useNavigationType() !== "POP";
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (isFollowed && !hash) document.getElementById("main")?.focus({ preventScroll: true });
  }, [pathname, hash, isFollowed]);
}
