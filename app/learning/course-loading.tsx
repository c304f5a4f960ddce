import { Skeleton } from "../ui/skeleton.tsx";
import { Spinner } from "../ui/spinner.tsx";

/** The dashboard's outline, so that nothing moves when it arrives. */
export function CourseLoading() {
  return (
    <div className="grid gap-6 sm:gap-8">
      <h1 className="sr-only">Dashboard</h1>
      <p role="status" className="printed flex min-h-11 items-center gap-3 text-ink-soft">
        <Spinner className="text-base" /> Loading your course
      </p>
      <Skeleton className="h-40" />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
        <Skeleton className="aspect-video" />
        <div className="grid gap-4">
          <Skeleton className="h-36" />
          <Skeleton className="h-24" />
          <Skeleton className="h-24" />
        </div>
      </div>
    </div>
  );
}
