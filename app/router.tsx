import { createBrowserRouter, matchRoutes, type RouteObject, redirectDocument } from "react-router";
import { PageFailed } from "#ui/feedback/page-failed.tsx";
import { PageLoading } from "#ui/frame/page-loading.tsx";
import { Root } from "./root.tsx";
import { type Page, pages } from "./routes.ts";

/**
 * The pages of this document: those of the checkout, whose content security policy a document keeps for life, or all the
 * others. Any other address is one for the server.
 */
export function createRouter() {
  const [here] = matchRoutes([...pages], window.location.pathname) ?? [];
  const isCheckout = here?.route.checkout ?? false;
  return createBrowserRouter([
    {
      element: <Root isCheckout={isCheckout} />,
      errorElement: <PageFailed />,
      hydrateFallbackElement: <PageLoading />,
      children: [
        {
          // Around the pages: a route whose own code did not arrive shows nothing.
          errorElement: <PageFailed />,
          children: pages.filter(({ checkout = false }) => checkout === isCheckout).map(routeOf),
        },
        { path: "*", loader: ({ request }) => redirectDocument(request.url) },
      ],
    },
  ]);
}

function routeOf({ path, load }: Page): RouteObject {
  return { path, lazy: async () => ({ Component: (await load()).default }) };
}
