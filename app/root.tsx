import { lazy, Suspense, useEffect, useRef } from "react";
import { Outlet, ScrollRestoration, useLocation, useNavigation, useNavigationType } from "react-router";
import { ToastOutlet } from "#ui/toast/toast-outlet.tsx";
import { pageView, pixelId } from "./analytics/analytics.ts";
import { mayBeSignedIn } from "./identity/current-user.ts";
import { scrollStorageKey } from "./scroll-position.ts";

const Measuring = lazy(() => import("./analytics/measuring.tsx"));
const UnconfirmedAddress = lazy(() => import("./identity/unconfirmed-address.tsx"));

/** The frame around every page of the application. */
export function Root({ isCheckout }: { isCheckout: boolean }) {
  const { pathname } = useLocation();
  const { state } = useNavigation();
  useFocusOnNewPage();
  useEffect(() => {
    document.documentElement.dataset.live = "";
  }, []);
  // A checkout announces itself in the steps of buying, and nothing else.
  useEffect(() => {
    if (!isCheckout) pageView(pathname);
  }, [isCheckout, pathname]);
  return (
    <>
      <Outlet />
      <ScrollRestoration storageKey={scrollStorageKey} />
      {state !== "idle" && <i className="turning" />}
      <Suspense>{mayBeSignedIn() && <UnconfirmedAddress />}</Suspense>
      <Suspense>{pixelId() !== undefined && <Measuring />}</Suspense>
      <ToastOutlet />
    </>
  );
}

/** The keyboard begins at the main part of a page that was followed to; going back leaves it to the browser. */
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
