import type { ReactNode } from "react";
import { useRecovery } from "./recovery.ts";
import { Retry } from "./retry.tsx";
import { StateCard } from "./state-card.tsx";

interface LoadFailedProps {
  title: string;
  /** An explanation in one or two sentences. */
  children?: ReactNode;
  /** 1 when the page has no other content. */
  level?: 1 | 2;
  /** Retries. Without it, the page is reloaded. */
  retry?: () => unknown;
  isRetrying?: boolean;
}

/** Shows that the page's main content failed to load, with a retry button. */
export function LoadFailed({ title, children, level = 1, retry, isRetrying = false }: LoadFailedProps) {
  const recovery = useRecovery();
  return (
    <StateCard
      level={level}
      tone="failed"
      title={title}
      actions={<Retry retry={retry ?? (() => window.location.reload())} isRetrying={isRetrying} />}
    >
      <p>{recovery?.sentence ?? children ?? "We couldn't reach the academy. Check your connection and try again."}</p>
    </StateCard>
  );
}
