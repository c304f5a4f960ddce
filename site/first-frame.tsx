import { QueryClientProvider } from "@tanstack/react-query";
import { StaticRouter } from "react-router";
import { createQueryClient } from "#app/api/query.ts";
import { StudentBar } from "#app/identity/student-page.tsx";
import { AccessLoading, CourseLoading } from "#app/learning/course-loading.tsx";
import { PlayCover, videoFrame } from "#app/learning/lesson/lesson-cover.tsx";
import { href } from "#contract/addresses.ts";
import { PageFooter } from "#ui/frame/footer.tsx";

const outlines = {
  [href.dashboard()]: <CourseLoading cover={<Cover />} />,
  [href.courseAccess()]: <AccessLoading />,
};

/** Whether the first HTML of the page at `path` has its frame. */
export function hasFirstFrame(path: string): boolean {
  return path in outlines;
}

/** The bar and the outline of a page of the course, which the scripts replace by the page. */
export function FirstFrame({ path }: { path: string }) {
  return (
    <QueryClientProvider client={createQueryClient()}>
      <StaticRouter location={path}>
        <div className="flex min-h-dvh flex-col">
          <StudentBar user={undefined} name="" tier={null} />
          <main className="page-width grow pt-3 pb-12 sm:pt-8">{outlines[path]}</main>
          <PageFooter />
        </div>
      </StaticRouter>
    </QueryClientProvider>
  );
}

/** The lesson to continue. Inert, until the server that knows the student fills in the marks (`server/first-page.ts`). */
function Cover() {
  return (
    <template id="first-cover">
      <PlayCover title="{title}" label="{label}" className={`${videoFrame} block focus-visible:-outline-offset-4`}>
        <img src="{poster}" alt="" fetchPriority="high" className="size-full object-cover" />
      </PlayCover>
    </template>
  );
}
