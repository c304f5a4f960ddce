import type { ReactNode } from "react";
import { tabListStyle, tabStyle } from "#ui/controls/tabs.tsx";
import { Loading } from "#ui/feedback/loading.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";

/**
 * A skeleton of the dashboard, which prevents layout shifts.
 * @param cover lies over the video's place, in the first HTML
 */
export function CourseLoading({ cover }: { cover?: ReactNode }) {
  return (
    <>
      <LoadingHeading title="Dashboard" />
      <div aria-hidden className={`mt-2 sm:mt-4 ${tabListStyle}`}>
        {["Course Content", "Progress", "Resources", "Notes"].map((label, at) => (
          <span
            key={label}
            data-state={at === 0 ? "active" : undefined}
            className={`grid place-items-center text-center ${tabStyle}`}
          >
            {label}
          </span>
        ))}
      </div>
      <div className="grid gap-3 pt-4 sm:gap-6 sm:pt-6">
        <Skeleton className="h-8 sm:h-18" />
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] xl:grid-cols-[minmax(0,1fr)_26rem]">
          <div className="relative overflow-hidden rounded-md border-2 border-edge bg-surface">
            <Skeleton className="aspect-video" />
            <div className="absolute inset-x-0 top-0">{cover}</div>
            <div className="h-72" />
          </div>
          <div className="grid gap-4">
            <Skeleton className="h-36" />
            <Skeleton className="h-24" />
            <Skeleton className="h-24" />
          </div>
        </div>
      </div>
    </>
  );
}

function LoadingHeading({ title }: { title: string }) {
  return (
    <div className="flex min-h-12 items-center sm:min-h-15">
      <h1 className="sr-only">{title}</h1>
      <Loading className="sr-only">Loading your course</Loading>
      <Skeleton className="h-7 w-60 max-w-full" />
    </div>
  );
}

/** A skeleton of the course overview. */
export function AccessLoading() {
  return (
    <div className="grid gap-5 sm:gap-8">
      <LoadingHeading title="Course Access" />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-4">
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
