import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { catalogueQuery } from "#app/access/catalogue-query.ts";
import { courseAccessQuery } from "#app/access/course-access-query.ts";
import { isBlocked } from "#app/access/is-blocked.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import type { CourseAccess as Access } from "#contract/access.ts";
import { href } from "#contract/addresses.ts";
import { type CurrentUser, loginUrl } from "#contract/identity/identity.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { late } from "#ui/feedback/late.tsx";
import { LoadFailed } from "#ui/feedback/load-failed.tsx";
import { StateCard } from "#ui/feedback/state-card.tsx";
import { toast } from "#ui/toast/toast.ts";
// Loaded with the page, because the toast below is only visible for a second before a redirect.
import "#ui/toast/toaster.tsx";
import { CourseFrame, InsteadOfCourse } from "../course-frame.tsx";
import { AccessLoading } from "../course-loading.tsx";
import { progressQuery } from "../course-queries.ts";
import { useProgressOf } from "../progress/progress.ts";
import { communitiesQuery } from "./communities-query.ts";
import { CourseAccessTabs } from "./course-access-tabs.tsx";

const [AccountBlocked] = late("your account", () => import("#app/access/account-blocked.tsx"));
const checkFailed = "Failed to check course access";

/** The course overview: progress, all modules, downloads and the community. */
export default function CourseAccess() {
  const { user, isPending, error } = useCurrentUser();
  const { data: access } = useQuery({ ...courseAccessQuery, enabled: Boolean(user) });
  useLoginRequired(user === null);
  return (
    <CourseFrame
      title="Course Access"
      description="Your modules, your progress, the resources and the community of the course."
      nameOf={({ firstName, email }) => firstName || email}
      tier={access?.tier}
    >
      {user ? <Checked user={user} /> : error && !isPending ? <LoadFailed title={checkFailed} /> : <AccessLoading />}
    </CourseFrame>
  );
}

CourseAccess.queries = () => [courseAccessQuery, catalogueQuery, progressQuery, communitiesQuery];

const redirectAfterMilliseconds = 1000;

/** Tells visitors to sign in, then redirects them. The sign-in returns them to this URL. */
function useLoginRequired(isVisitor: boolean): void {
  const { pathname, search } = useLocation();
  const returnTo = pathname + search;
  useEffect(() => {
    if (!isVisitor) return;
    toast({
      title: "Login Required",
      description: "Please log in to access your course dashboard.",
      destructive: true,
    });
    const timer = setTimeout(() => window.location.replace(loginUrl(returnTo)), redirectAfterMilliseconds);
    return () => clearTimeout(timer);
  }, [isVisitor, returnTo]);
}

/** Welcomes a student after the purchase, once: removes the parameter from the URL. */
function useWelcome(): void {
  const { search } = useLocation();
  const navigate = useNavigate();
  const isWelcome = new URLSearchParams(search).get("welcome") === "true";
  useEffect(() => {
    if (!isWelcome) return;
    toast({
      title: "Payment Successful!",
      description: "Welcome to the course. Your lessons are ready.",
      duration: 5000,
    });
    navigate(href.courseAccess(), { replace: true, preventScrollReset: true });
  }, [isWelcome, navigate]);
}

/** Renders the course, or why it is closed. */
function Checked({ user }: { user: CurrentUser }) {
  const access = useQuery(courseAccessQuery);
  if (access.isPending) return <AccessLoading />;
  if (!access.data) return <LoadFailed title={checkFailed} isRetrying={access.isFetching} retry={access.refetch} />;
  if (isBlocked(access.data)) {
    return (
      <Suspense fallback={<AccessLoading />}>
        <InsteadOfCourse>
          <AccountBlocked access={access.data} />
        </InsteadOfCourse>
      </Suspense>
    );
  }
  if (!access.data.hasAccess) return <NoAccess />;
  return <Course user={user} access={access.data} />;
}

function Course({ user, access }: { user: CurrentUser; access: Access }) {
  const modules = useQuery(catalogueQuery);
  const list = useQuery(progressQuery);
  const progress = useProgressOf(access, modules.data ?? [], list.data ?? []);
  useWelcome();
  if (modules.isPending || list.isPending) return <AccessLoading />;
  if (!modules.data || !list.data) {
    const retry = () => Promise.all([modules, list].filter(({ data }) => !data).map(({ refetch }) => refetch()));
    return <LoadFailed title={checkFailed} isRetrying={modules.isFetching || list.isFetching} retry={retry} />;
  }
  return <CourseAccessTabs user={user} access={access} modules={modules.data} progress={progress} />;
}

function NoAccess() {
  return (
    <InsteadOfCourse>
      <StateCard
        level={1}
        title="No Course Access"
        actions={
          <a href={href.pricing()} className={buttonStyle({ variant: "tag", size: "large" })}>
            View Plans
          </a>
        }
      >
        <p>You don’t have a plan yet. Choose one, and your course will open as soon as your payment goes through.</p>
      </StateCard>
    </InsteadOfCourse>
  );
}
