import { Loading } from "#ui/feedback/loading.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";

/** A skeleton of the dashboard, which prevents layout shifts. */
export function CourseLoading() {
  return (
    <div className="grid gap-6 sm:gap-8">
      <h1 className="sr-only">Dashboard</h1>
      <Loading>Loading your course</Loading>
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

/** A skeleton of the course overview. */
export function AccessLoading() {
  return (
    <div className="grid gap-8">
      <h1 className="sr-only">Course Access</h1>
      <Loading>Loading your course</Loading>
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
      </div>
      <div className="grid gap-4">
        <Skeleton className="h-12" />
        <Skeleton className="h-28" />
        <Skeleton className="h-28" />
        <Skeleton className="h-28" />
      </div>
    </div>
  );
}
