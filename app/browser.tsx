import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router/dom";
import "#ui/loaded-as.ts";
import { watchConnection } from "#ui/feedback/connection.ts";
import { followTranslations } from "#ui/translated-pages.ts";
import { createQueryClient } from "./api/query.ts";
import { OnPageContext, onPageOf } from "./plans/on-page.ts";
import { prefetchOnIntent } from "./prefetch.ts";
import { createRouter } from "./router.tsx";
import { restoreScrollPosition } from "./scroll-position.ts";
import { plantSeeds } from "./seeds.ts";

followTranslations();
watchConnection();
restoreScrollPosition();
const queryClient = createQueryClient();

plantSeeds(queryClient);
const router = createRouter();

const element = document.getElementById("root");
if (!element) throw new Error("The page has no #root");
const app = (
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <OnPageContext value={onPageOf(document)}>
        <RouterProvider router={router} />
      </OnPageContext>
    </QueryClientProvider>
  </StrictMode>
);
let isShown = false;
// The first HTML stays until the page's code is there.
const show = ({ initialized }: { initialized: boolean }) => {
  if (!initialized || isShown) return;
  isShown = true;
  // A transition renders in short steps, between which a phone can react.
  startTransition(() => createRoot(element).render(app));
};
router.subscribe(show);
show(router.state);
prefetchOnIntent(queryClient);
// Loaded last: nothing on the first screen needs these.
import("./kept-focus.ts").then(
  ({ keepFocus }) => keepFocus(),
  () => {},
);
import("./identity/ended-sign-in.ts").then(
  ({ watchForEndedSignIn }) => watchForEndedSignIn(queryClient),
  () => {},
);
