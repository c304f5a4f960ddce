import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, StrictMode, Suspense, useEffect } from "react";
import { pageView, pixelId } from "./analytics/analytics.ts";
import { mayBeSignedIn } from "./identity/current-user.ts";
import { ArrivedAtAddress } from "./navigation/navigation.tsx";
import { useLocation } from "./navigation/router.tsx";
import { findPage, notFoundPage, type Page } from "./routes.ts";
import { useHydrated } from "./ui/browser-state.ts";
import { ErrorBoundary } from "./ui/feedback/error-boundary.tsx";
import { ToastOutlet } from "./ui/feedback/toast.tsx";
import { PageLoading } from "./ui/page-frame.tsx";

const Measuring = lazy(() => import("./analytics/measuring.tsx"));
const UnconfirmedAddress = lazy(() => import("./identity/unconfirmed-address.tsx"));

/** The frame around every page, in the browser and in the prerenderer; each gives it a router of its own. */
export function Root({ queryClient }: { queryClient: QueryClient }) {
  const { pathname } = useLocation();
  const page = findPage(pathname) ?? notFoundPage;
  const Content = page.component;
  usePageView(page, pathname);
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        {/* Around what changes with the page, so that the page at hand stays while the next one's code is on its way. */}
        <Suspense fallback={<PageLoading />}>
          <ErrorBoundary key={pathname}>
            <ArrivedAtAddress />
            <Content />
            <TakenOver />
          </ErrorBoundary>
        </Suspense>
        <UnconfirmedAddressOutlet />
        <MeasuringOutlet />
        <ToastOutlet />
      </QueryClientProvider>
    </StrictMode>
  );
}

/** By itself: an update of the frame before the page is hydrated would have React throw the page's HTML away. */
function MeasuringOutlet() {
  const isHydrated = useHydrated();
  if (!isHydrated || pixelId() === undefined) return null;
  return (
    <Suspense>
      <Measuring />
    </Suspense>
  );
}

/** By itself for the same reason; visitors, who have no address with us, do not fetch it. */
function UnconfirmedAddressOutlet() {
  const isHydrated = useHydrated();
  if (!isHydrated || !mayBeSignedIn()) return null;
  return (
    <Suspense>
      <UnconfirmedAddress />
    </Suspense>
  );
}

/**
 * Says that the page answers now, and knows what only the browser knows: the first script has kept what was pressed until
 * then.
 */
function TakenOver() {
  const isHydrated = useHydrated();
  useEffect(() => {
    if (!isHydrated) return;
    document.documentElement.dataset.live = "";
    document.dispatchEvent(new Event("academy:taken-over"));
  }, [isHydrated]);
  return null;
}

/** Announces each page that is opened; a checkout announces itself in the steps of buying, and nothing else. */
function usePageView({ checkout }: Page, pathname: string): void {
  useEffect(() => {
    if (!checkout) pageView(pathname);
  }, [checkout, pathname]);
}
