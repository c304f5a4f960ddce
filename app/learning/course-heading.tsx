import type { ReactNode } from "react";

/** The heading of a page of the course, with the search beside it. On phones the opened search covers it. */
export function CourseHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="relative flex min-h-12 items-center justify-between gap-4 sm:min-h-15">
      <h1 className="wide wrap-anywhere min-w-0 text-[min(1.25rem,7vw)] leading-tight sm:text-title sm:leading-none">
        {title}
      </h1>
      {children}
    </div>
  );
}
