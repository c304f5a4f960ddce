import { createRoot } from "react-dom/client";
import { watchConnection } from "#ui/feedback/connection.ts";
import { createQueryClient } from "./api/query.ts";
import { Router } from "./navigation/router.tsx";
import { onPageKey, onPageOf } from "./plans/on-page.ts";
import { Root } from "./root.tsx";
import { needsDocument } from "./routes.ts";

watchConnection();
const queryClient = createQueryClient();
queryClient.setQueryData(onPageKey, onPageOf(document));

const element = document.getElementById("root");
if (!element) throw new Error("The page has no #root");
createRoot(element).render(
  <Router needsDocument={needsDocument}>
    <Root queryClient={queryClient} />
  </Router>,
);
