import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import { watchConnection } from "#ui/feedback/connection.ts";
import { createQueryClient } from "./api/query.ts";
import { onPageKey, onPageOf } from "./plans/on-page.ts";
import { prefetchOnIntent } from "./prefetch.ts";
import { createRouter } from "./router.tsx";

watchConnection();
const queryClient = createQueryClient();
queryClient.setQueryData(onPageKey, onPageOf(document));

const element = document.getElementById("root");
if (!element) throw new Error("The page has no #root");
createRoot(element).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createRouter()} />
    </QueryClientProvider>
  </StrictMode>,
);
prefetchOnIntent(queryClient);
