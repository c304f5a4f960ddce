import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { createQueryClient } from "#app/api/query.ts";
import { type OnPage, OnPageContext, onPageOf } from "#app/plans/on-page.ts";
import { ToastOutlet } from "#ui/toast/toast-outlet.tsx";

/** All islands of a document share them; each rendering on the server has its own. */
const shared = import.meta.env.SSR ? null : { queryClient: createQueryClient(), onPage: onPageOf(document) };
let hasToasts = false;

interface IslandProps {
  /** What is on sale, for an island that is rendered on the server. */
  onPage?: OnPage;
  children: ReactNode;
}

/** What every island stands in: the server data of its document, and its only toasts. */
export function Island({ onPage = shared?.onPage, children }: IslandProps) {
  const [queryClient] = useState(() => shared?.queryClient ?? createQueryClient());
  useEffect(() => {
    void showToasts();
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      <OnPageContext value={onPage}>{children}</OnPageContext>
    </QueryClientProvider>
  );
}

async function showToasts(): Promise<void> {
  if (hasToasts) return;
  hasToasts = true;
  // Imported above, React's renderer would run in one long task with the island's own code; it has come with the island.
  const { createRoot } = await import("react-dom/client");
  createRoot(document.body.appendChild(document.createElement("div"))).render(<ToastOutlet />);
}
