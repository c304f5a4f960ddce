import { createBrowserRouter, matchRoutes, type RouteObject, redirectDocument } from "react-router";
import { outlast } from "#ui/feedback/outlast.ts";
import { PageFailed } from "#ui/feedback/page-failed.tsx";
import { Root } from "./root.tsx";
import { type Page, pages } from "./routes.ts";

/**
 * Routes for this document: either the checkout's pages or all others, because a document keeps its content security
 * policy for life. Other URLs are loaded from the server.
 */
export function createRouter() {
  const [here] = matchRoutes([...pages], window.location.pathname) ?? [];
  const isCheckout = here?.route.checkout ?? false;
  return createBrowserRouter([
    {
      element: <Root isCheckout={isCheckout} />,
      errorElement: <PageFailed />,
      children: [
        {
          // Around the pages, because a route whose code fails to load renders nothing.
          errorElement: <PageFailed />,
          children: pages.filter(({ checkout = false }) => checkout === isCheckout).map(routeOf),
        },
        { path: "*", loader: ({ request }) => redirectDocument(request.url) },
      ],
    },
  ]);
}

function routeOf({ path, load }: Page): RouteObject {
  const lazy = async () => {
    const page = await load().catch(async (error) => {
      await outlast();
      throw error;
    });
    return { Component: page.default };
  };
  return { path, lazy };
}
