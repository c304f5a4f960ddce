import type { QueryKey } from "@tanstack/react-query";
import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { Router } from "./navigation/router.tsx";
import { createQueryClient } from "./query.ts";
import { Root } from "./root.tsx";

const queryClient = createQueryClient();
const data = document.getElementById("query-data")?.textContent;
if (data) {
  for (const [key, value] of JSON.parse(data) as [QueryKey, unknown][]) queryClient.setQueryData(key, value);
}

const element = document.getElementById("root");
if (!element) throw new Error("The page has no #root");
const tree = (
  <Router>
    <Root queryClient={queryClient} />
  </Router>
);
// A prerendered page has its markup already; the shell of any other page is empty. It can be read while it is hydrated,
// so that is done in slices, and whatever the reader does goes first.
if (element.firstElementChild) startTransition(() => void hydrateRoot(element, tree));
else createRoot(element).render(tree);
