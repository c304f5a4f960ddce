import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, Suspense, useEffect } from "react";
import { pageView } from "./analytics/analytics.ts";
import { ArrivedAtAddress } from "./navigation.tsx";
import { usePlace } from "./router.tsx";
import { findPage, notFoundPage, type Page } from "./routes.ts";
import { ErrorBoundary } from "./ui/error-boundary.tsx";
import { PageLoading } from "./ui/page-frame.tsx";
import { ToastOutlet } from "./ui/toast.tsx";

/** The frame around every page, in the browser and in the prerenderer; each gives it a router of its own. */
export function Root({ queryClient }: { queryClient: QueryClient }) {
  const { pathname } = usePlace();
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
          </ErrorBoundary>
        </Suspense>
        <ToastOutlet />
      </QueryClientProvider>
    </StrictMode>
  );
}

/** Announces each page that is opened; a checkout announces itself in the steps of buying, and nothing else. */
function usePageView({ checkout }: Page, pathname: string): void {
  useEffect(() => {
    if (!checkout) pageView(pathname);
  }, [checkout, pathname]);
}
