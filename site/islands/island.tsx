import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "#app/api/query.ts";
import { type OnPage, onPageKey, onPageOf } from "#app/plans/on-page.ts";
import { ToastOutlet } from "#ui/toast/toast-outlet.tsx";

/** All islands of a document share one. */
let shared: ReturnType<typeof createQueryClient> | undefined;
let hasToasts = false;

interface IslandProps {
  /** What is on sale, for an island that is rendered on the server. */
  onPage?: OnPage;
  children: ReactNode;
}

/** What every island stands in: the server data of its document, and its only toasts. */
export function Island({ onPage, children }: IslandProps) {
  const [queryClient] = useState(() => clientFor(onPage));
  useEffect(showToasts, []);
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

function clientFor(onPage: OnPage | undefined) {
  const queryClient = (!import.meta.env.SSR && shared) || createQueryClient();
  if (!import.meta.env.SSR) shared = queryClient;
  queryClient.setQueryData(onPageKey, onPage ?? (import.meta.env.SSR ? undefined : onPageOf(document)));
  return queryClient;
}

function showToasts(): void {
  if (hasToasts) return;
  hasToasts = true;
  createRoot(document.body.appendChild(document.createElement("div"))).render(<ToastOutlet />);
}
