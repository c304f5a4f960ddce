import { useRecovery } from "./recovery.ts";
import { Retry } from "./retry.tsx";
import { Skeleton } from "./skeleton.tsx";

interface PartLoadingProps {
  /** Completes "Loading your plan". */
  what: string;
  /** The size of the coming content. Defaults to rows of a list. */
  className?: string;
}

/** A placeholder for a loading part of a page. */
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
  /** Completes "The list didn't load." */
  what: string;
  retry: () => unknown;
  isRetrying?: boolean;
}

/** Replaces a part of a page that failed to load. */
export function PartFailed({ what, retry, isRetrying = false }: PartFailedProps) {
  const recovery = useRecovery();
  return (
    <div role="alert" className="flex flex-wrap items-center gap-4 border-danger border-y py-6">
      <p>
        {what.replace(/^./, (first) => first.toUpperCase())} didn't load. {recovery?.sentence}
      </p>
      <Retry size="small" variant="outline" retry={retry} isRetrying={isRetrying} />
    </div>
  );
}
