import { createRoot } from "react-dom/client";
import { Router } from "./navigation/router.tsx";
import { onPageKey, onPageOf } from "./purchases/plans/on-page.ts";
import { createQueryClient } from "./query.ts";
import { Root } from "./root.tsx";
import { needsDocument } from "./routes.ts";

const queryClient = createQueryClient();
queryClient.setQueryData(onPageKey, onPageOf(document));

const element = document.getElementById("root");
if (!element) throw new Error("The page has no #root");
createRoot(element).render(
  <Router needsDocument={needsDocument}>
    <Root queryClient={queryClient} />
  </Router>,
);
