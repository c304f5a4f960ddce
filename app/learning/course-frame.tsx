import type { ComponentProps } from "react";
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
