import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, StrictMode, Suspense, useEffect } from "react";
import { ErrorBoundary } from "#ui/feedback/error-boundary.tsx";
import { ToastOutlet } from "#ui/feedback/toast.tsx";
import { PageLoading } from "#ui/frame/page-frame.tsx";
import { pageView, pixelId } from "./analytics/analytics.ts";
import { mayBeSignedIn } from "./identity/current-user.ts";
import { ArrivedAtAddress } from "./navigation/navigation.tsx";
import { useLocation } from "./navigation/router.tsx";
import { findPage, type Page } from "./routes.ts";

const Measuring = lazy(() => import("./analytics/measuring.tsx"));
const UnconfirmedAddress = lazy(() => import("./identity/unconfirmed-address.tsx"));

/** The frame around every page of the application. */
export function Root({ queryClient }: { queryClient: QueryClient }) {
  const { pathname } = useLocation();
  const page = findPage(pathname);
  if (!page) throw new Error(`The application has no page ${pathname}`);
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
            <Live />
          </ErrorBoundary>
        </Suspense>
        <Suspense>{mayBeSignedIn() && <UnconfirmedAddress />}</Suspense>
        <Suspense>{pixelId() !== undefined && <Measuring />}</Suspense>
        <ToastOutlet />
      </QueryClientProvider>
    </StrictMode>
  );
}

/** Says that the page answers now. */
function Live() {
  useEffect(() => {
    document.documentElement.dataset.live = "";
  }, []);
  return null;
}

/** Announces each page that is opened; a checkout announces itself in the steps of buying, and nothing else. */
function usePageView({ checkout }: Page, pathname: string): void {
  useEffect(() => {
    if (!checkout) pageView(pathname);
  }, [checkout, pathname]);
}
