import { useRecovery } from "./recovery.ts";
import { Retry } from "./retry.tsx";
import { Skeleton } from "./skeleton.tsx";

interface PartLoadingProps {
  /** As in "Loading your plan". */
  what: string;
  /** The size of what is to come; without it, rows of a list. */
  className?: string;
}

/** Stands for a part of a page while it loads. */
export function PartLoading({ what, className }: PartLoadingProps) {
  return (
    <div className="grid gap-2">
      <p role="status" className="sr-only">
        Loading {what}
      </p>
      {className ? (
        <Skeleton className={className} />
      ) : (
        [0, 1, 2, 3, 4, 5].map((row) => <Skeleton key={row} className="h-12" />)
      )}
    </div>
  );
}

interface PartFailedProps {
  /** As in "The list did not load." */
  what: string;
  retry: () => unknown;
  isRetrying?: boolean;
}

/** Stands for a part of a page that did not load. */
export function PartFailed({ what, retry, isRetrying = false }: PartFailedProps) {
  const recovery = useRecovery();
  return (
    <div role="alert" className="flex flex-wrap items-center gap-4 border-danger border-y py-6">
      <p>
        {what.replace(/^./, (first) => first.toUpperCase())} did not load. {recovery?.sentence}
      </p>
      <Retry size="small" variant="outline" retry={retry} isRetrying={isRetrying} />
    </div>
  );
}
