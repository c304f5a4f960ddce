import { useQuery } from "@tanstack/react-query";
import { isBlocked } from "#app/access/is-blocked.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { href } from "#contract/addresses.ts";
import type { Module } from "#contract/catalogue.ts";
import type { Resource } from "#contract/resources.ts";
import { buttonStyle } from "#ui/controls/button.tsx";
import { Retry } from "#ui/feedback/retry.tsx";
import { Skeleton } from "#ui/feedback/skeleton.tsx";
import ResourceList from "./resource-list.tsx";
import { resourcesQuery } from "./resource-queries.ts";

/** The course's downloads by module: first the module's own, then those of its lessons. */
export default function ResourcesTab({ modules }: { modules: readonly Module[] }) {
  const { user } = useCurrentUser();
  return (
    <div className="grid gap-8">
      <div>
        <h2 className="wide text-title">Resources</h2>
        <p className="mt-3 max-w-[62ch] text-ink-soft">Downloads for each module and its lessons.</p>
      </div>
      {user && !isBlocked(user) ? <Resources modules={modules} /> : <ForStudents />}
    </div>
  );
}

/** Shown to visitors of the preview, and to accounts to which the course is closed. */
function ForStudents() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-4 rounded-md bg-kraft-soft p-5 sm:p-7">
      <p className="max-w-[52ch]">Every plan includes sheets, checklists and logs to download.</p>
      <a href={href.pricing()} className={buttonStyle({ variant: "tag" })}>
        See the plans
      </a>
    </div>
  );
}

function Resources({ modules }: { modules: readonly Module[] }) {
  const { data, isPending, refetch } = useQuery(resourcesQuery);
  if (isPending) {
    return (
      <div role="status" aria-label="Loading resources" className="grid gap-4">
        {[1, 2, 3].map((line) => (
          <Skeleton key={line} className="h-20" />
        ))}
      </div>
    );
  }
  if (!data) return <FetchFailed retry={refetch} />;
  if (modules.length === 0) return <p>No resources available</p>;
  return (
    <ul className="grid gap-5">
      {modules.map((module) => (
        <li key={module.id}>
          <ModuleResources module={module} resources={data.filter(({ moduleId }) => moduleId === module.id)} />
        </li>
      ))}
    </ul>
  );
}

function FetchFailed({ retry }: { retry: () => unknown }) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-4 border-danger border-y-2 py-5">
      <p className="font-bold text-danger">Failed to fetch resources</p>
      <Retry size="small" variant="outline" retry={retry} />
    </div>
  );
}

function ModuleResources({ module, resources }: { module: Module; resources: readonly Resource[] }) {
  const general = resources.filter(({ lessonId }) => lessonId === null);
  const headingId = `resources-of-${module.id}`;
  return (
    <section aria-labelledby={headingId} className="rounded-md border-[1.5px] border-line-strong bg-surface p-5 sm:p-6">
      <h2 id={headingId} className="wide flex items-baseline gap-3 text-heading">
        <span aria-hidden="true" className="narrow text-title leading-none">
          {module.position}
        </span>
        {module.title}
      </h2>
      {resources.length === 0 && <p className="mt-3 text-ink-soft">No resources available</p>}
      {general.length > 0 && (
        <div className="mt-5 grid gap-3">
          <h3 className="font-bold text-sm">General resources</h3>
          <ResourceList label={`General resources of ${module.title}`} resources={general} />
        </div>
      )}
      {module.lessons.map((lesson) => (
        <LessonPart
          key={lesson.id}
          title={lesson.title}
          resources={resources.filter(({ lessonId }) => lessonId === lesson.id)}
        />
      ))}
    </section>
  );
}

function LessonPart({ title, resources }: { title: string; resources: readonly Resource[] }) {
  if (resources.length === 0) return null;
  return (
    <div className="mt-6 grid gap-3">
      <h3 className="font-bold text-sm">{title}</h3>
      <ResourceList label={`Resources of ${title}`} resources={resources} />
    </div>
  );
}
