import { useQuery } from "@tanstack/react-query";
import { cx } from "class-variance-authority";
import { useMemo } from "react";
import type { Module } from "#contract/catalogue.ts";
import { loginUrl } from "#contract/identity/identity.ts";
import { href } from "../../addresses.ts";
import { useCurrentUser } from "../../identity/current-user.ts";
import { PageLink } from "../../navigation/navigation.tsx";
import { AsPrerendered } from "../../navigation/router.tsx";
import { buttonStyle } from "../../ui/controls/button.tsx";
import { LoadFailed } from "../../ui/feedback/load-failed.tsx";
import { CourseFrame } from "../course-frame.tsx";
import { CourseLoading } from "../course-loading.tsx";
import { catalogueQuery } from "../course-queries.ts";
import { usePreviewProgress } from "../progress/progress.ts";
import { CourseTabs } from "./course-tabs.tsx";
import { asPreview } from "./preview.ts";

/**
 * The prerendered page carries the course of the seed with it; what an administrator has changed since then is asked for
 * once the page is read.
 */
const currentCatalogueQuery = { ...catalogueQuery, staleTime: 0 };

/** The dashboard to try out: free lessons play, the rest is locked, nothing is saved. Open to everyone. */
export default function DemoDashboard() {
  const modules = useQuery(currentCatalogueQuery);
  return (
    <CourseFrame
      title="Free preview"
      description="Try the student dashboard: the free lessons play at once, without an account."
      actions={<PreviewActions />}
    >
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4 rounded-md bg-kraft-soft px-5 py-4">
        <p>
          <strong>This is a free preview.</strong> The free lessons play; nothing you do here is saved.
        </p>
        <PageLink to={href.pricing()} className={buttonStyle({ variant: "tag" })}>
          See the plans
        </PageLink>
      </div>
      {modules.isPending ? (
        <CourseLoading />
      ) : modules.data ? (
        <AsPrerendered>
          <Preview modules={modules.data} />
        </AsPrerendered>
      ) : (
        <LoadFailed title="The preview did not load" />
      )}
    </CourseFrame>
  );
}

/** By itself: the visitor is known before all parts of the course are hydrated. */
function PreviewActions() {
  const { user, isPending } = useCurrentUser();
  return (
    <nav
      aria-label="Account"
      className={cx("flex min-w-0 items-center justify-end gap-2", isPending && "unless-session")}
    >
      {user ? (
        <PageLink to={href.dashboard()} className={buttonStyle({ variant: "outline", size: "small" })}>
          Dashboard
        </PageLink>
      ) : (
        <>
          <a href={loginUrl()} className={buttonStyle({ variant: "quiet", size: "small" })}>
            Login
          </a>
          <PageLink to={href.signup()} className={buttonStyle({ variant: "outline", size: "small" })}>
            Sign Up
          </PageLink>
        </>
      )}
    </nav>
  );
}

function Preview({ modules }: { modules: readonly Module[] }) {
  const preview = useMemo(() => asPreview(modules), [modules]);
  const progress = usePreviewProgress(preview);
  return <CourseTabs title="Look around the course" modules={preview} progress={progress} tier={null} until={null} />;
}
