import { QueryClientProvider } from "@tanstack/react-query";
import { StaticRouter } from "react-router";
import { createQueryClient } from "#app/api/query.ts";
import { StudentOutline } from "#app/identity/student-heading.tsx";
import { StudentBar } from "#app/identity/student-page.tsx";
import { AccessLoading, CourseLoading } from "#app/learning/course-loading.tsx";
import { PlayCover, videoFrame } from "#app/learning/lesson/lesson-cover.tsx";
import { href } from "#contract/addresses.ts";
import { PageFooter } from "#ui/frame/footer.tsx";

const ofCourse = "page-width pt-3 pb-12 sm:pt-8";
const ofPage = "pt-8 pb-20 sm:pt-12";

const frames = {
  [href.dashboard()]: { className: ofCourse, outline: <CourseLoading cover={<Cover />} /> },
  [href.courseAccess()]: { className: ofCourse, outline: <AccessLoading /> },
  [href.coaching()]: { className: ofPage, outline: <StudentOutline page="coaching" /> },
  [href.profile()]: { className: ofPage, outline: <StudentOutline page="profile" /> },
  [href.subscription()]: { className: ofPage, outline: <StudentOutline page="subscription" /> },
};

/** Whether the first HTML of the page at `path` has its frame. */
export function hasFirstFrame(path: string): boolean {
  return path in frames;
}

/** The bar and the outline of a page for students, which the scripts replace by the page. */
export function FirstFrame({ path }: { path: string }) {
  const frame = frames[path];
  return (
    <QueryClientProvider client={createQueryClient()}>
      <StaticRouter location={path}>
        <div className="flex min-h-dvh flex-col">
          <StudentBar user={undefined} name="" tier={null} />
          <main className={`grow ${frame?.className}`}>{frame?.outline}</main>
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

/** The free times of coaching, for browsers without scripts. Inert, like the cover. */
export function FreeTimes() {
  return (
    <template id="free-times">
      <section className="grid max-w-[62ch] gap-4">
        <h2 className="wide text-title">Free times for a 1-on-1 session</h2>
        <p>All times are in your time zone, {"{city}"}. To book one, allow scripts and load this page again.</p>
        <template id="free-day">
          <h3 className="font-bold">{"{day}"}</h3>
          <p>{"{times}"}</p>
        </template>
      </section>
    </template>
  );
}
