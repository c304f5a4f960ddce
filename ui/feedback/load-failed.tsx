import type { ReactNode } from "react";
import { useRecovery } from "./recovery.ts";
import { Retry } from "./retry.tsx";
import { StateCard } from "./state-card.tsx";

interface LoadFailedProps {
  title: string;
  /** What the reader should know of it, a sentence or two. */
  children?: ReactNode;
  /** 1 when it is all that the page has to say. */
  level?: 1 | 2;
  /** Asks again; without it, the page is loaded anew. */
  retry?: () => unknown;
  isRetrying?: boolean;
}

/** Says that what the page is about did not load, with a way to try again. */
export function LoadFailed({ title, children, level = 1, retry, isRetrying = false }: LoadFailedProps) {
  const recovery = useRecovery();
  return (
    <StateCard
      level={level}
      tone="failed"
      title={title}
      actions={<Retry retry={retry ?? (() => window.location.reload())} isRetrying={isRetrying} />}
    >
      <p>{recovery?.sentence ?? children ?? "The academy did not answer. Check your connection and try again."}</p>
    </StateCard>
  );
}
