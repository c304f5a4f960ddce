import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { createQueryClient } from "#app/api/query.ts";
import { type OnPage, OnPageContext, onPageOf } from "#app/plans/on-page.ts";
import { ToastOutlet } from "#ui/toast/toast-outlet.tsx";
import { followTranslations } from "#ui/translated-pages.ts";

/** Shared by all islands of a document. On the server each render has its own. */
const shared = import.meta.env.SSR ? null : { queryClient: createQueryClient(), onPage: onPageOf(document) };
if (!import.meta.env.SSR) followTranslations();
let hasToasts = false;

interface IslandProps {
  /** The plans on sale, for islands rendered on the server. */
  onPage?: OnPage;
  children: ReactNode;
}

/** Wraps every island: provides the document's server data, and renders its only toasts. */
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
  // A static import would run React's renderer in one long task with the island's code. It is already loaded with the
  // island.
  const { createRoot } = await import("react-dom/client");
  createRoot(document.body.appendChild(document.createElement("div"))).render(<ToastOutlet />);
}
