import { Button } from "#ui/controls/button.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";

interface UnloadedProps {
  /** As in "Loading your plan". */
  what: string;
  isPending: boolean;
  isRetrying: boolean;
  retry: () => unknown;
  /** The height of what is to come. */
  className: string;
}

/** Stands in a card for what it shows, while that loads and when it did not. */
export function Unloaded({ what, isPending, isRetrying, retry, className }: UnloadedProps) {
  if (isPending) {
    return (
      <>
        <p role="status" className="sr-only">
          Loading {what}
        </p>
        <Skeleton className={`mt-4 ${className}`} />
      </>
    );
  }
  return (
    <div role="alert" className="mt-3 grid justify-items-start gap-4">
      <p className="text-ink-soft">{what.replace(/^./, (first) => first.toUpperCase())} did not load.</p>
      <Button size="small" variant="outline" pending={isRetrying} onClick={() => retry()}>
        Retry
      </Button>
    </div>
  );
}
