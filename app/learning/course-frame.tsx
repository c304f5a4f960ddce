import type { ComponentProps, ReactNode } from "react";
import { DeclinedBanner } from "#app/access/declined-banner.tsx";
import { StudentPage } from "#app/identity/student-page.tsx";

/** A page of the course, which warns while a declined renewal is in its grace period. */
export function CourseFrame({ children, ...page }: Omit<ComponentProps<typeof StudentPage>, "className">) {
  return (
    <StudentPage {...page} className="page-width pt-3 pb-12 sm:pt-8">
      <DeclinedBanner />
      {children}
    </StudentPage>
  );
}

/** Replaces the course. On phones the course begins closer to the bar than other pages, for the sake of the video. */
export function InsteadOfCourse({ children }: { children: ReactNode }) {
  return <div className="max-sm:pt-5">{children}</div>;
}
