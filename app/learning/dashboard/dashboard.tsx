import { useQuery } from "@tanstack/react-query";
import { catalogueQuery } from "#app/access/catalogue-query.ts";
import { courseAccessQuery } from "#app/access/course-access-query.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { useSignInFirst } from "#app/identity/sign-in-first.ts";
import type { CourseAccess } from "#contract/access.ts";
import type { Module } from "#contract/catalogue.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import type { LessonProgress } from "#contract/progress.ts";
import { late } from "#ui/feedback/late.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { CourseFrame } from "../course-frame.tsx";
import { CourseLoading } from "../course-loading.tsx";
import { progressQuery } from "../course-queries.ts";
import { useProgressOf } from "../progress/progress.ts";
import { CourseTabs } from "./course-tabs.tsx";
import { Paywall } from "./paywall.tsx";

const [LockedModules] = late("what your plan does not hold", () => import("./locked-modules.tsx"));

/** The course of a signed-in student who has paid. */
export default function Dashboard() {
  const { user, isPending } = useCurrentUser();
  useSignInFirst(user === null);
  return (
    <CourseFrame title="Dashboard" description="Your lessons, your progress and your downloads.">
      {user ? (
        <Paywall>{(access) => <Course user={user} access={access} />}</Paywall>
      ) : isPending || user === null ? (
        <CourseLoading />
      ) : (
        <LoadFailed title="Your course didn’t load" />
      )}
    </CourseFrame>
  );
}

Dashboard.queries = () => [courseAccessQuery, catalogueQuery, progressQuery];

function Course({ user, access }: { user: CurrentUser; access: CourseAccess }) {
  const modules = useQuery(catalogueQuery);
  const progress = useQuery(progressQuery);
  if (modules.isPending || progress.isPending) return <CourseLoading />;
  if (!modules.data || !progress.data) return <LoadFailed title="Your course didn’t load" />;
  return <LoadedCourse user={user} access={access} modules={modules.data} list={progress.data} />;
}

interface LoadedCourseProps {
  user: CurrentUser;
  access: CourseAccess;
  modules: readonly Module[];
  list: readonly LessonProgress[];
}

function LoadedCourse({ user, access, modules, list }: LoadedCourseProps) {
  const progress = useProgressOf(access, modules, list);
  return (
    <CourseTabs
      title={user.firstName ? `Welcome, ${user.firstName}` : "Welcome to your course"}
      modules={modules}
      progress={progress}
      tier={access.tier}
      until={access.until}
      LockedModules={LockedModules}
    />
  );
}
