import type { Module } from "#contract/catalogue.ts";
import { type Tier, tierLabels } from "#contract/tiers.ts";
import { navigate, usePlace } from "../router.tsx";
import { Progress } from "../ui/progress.tsx";
import { StatCard } from "../ui/stat-card.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../ui/tabs.tsx";
import { CourseContent } from "./course-content.tsx";
import type { CourseProgress } from "./course-progress.ts";
import { formatWatchTime, progressOf, type Records, tierOpensText } from "./progress-numbers.ts";

const tabs = ["content", "progress", "resources"] as const;

interface CourseTabsProps {
  /** Stands over everything else. */
  title: string;
  modules: readonly Module[];
  progress: CourseProgress;
  /** Null in the preview. */
  tier: Tier | null;
  /** When the tier ends; null when it never does. */
  until: string | null;
}

/** The course in three tabs; which one is open stands in the address. */
export function CourseTabs({ title, modules, progress, tier, until }: CourseTabsProps) {
  const { pathname, search } = usePlace();
  const query = new URLSearchParams(search);
  const open = tabs.find((tab) => tab === query.get("tab")) ?? "content";

  function choose(tab: string): void {
    if (tab === "content") query.delete("tab");
    else query.set("tab", tab);
    navigate(query.size > 0 ? `${pathname}?${query}` : pathname, { replace: true });
  }

  return (
    <Tabs value={open} onValueChange={choose}>
      <TabList label="Course">
        <Tab value="content">Course Content</Tab>
        <Tab value="progress">Progress</Tab>
        <Tab value="resources">Resources</Tab>
      </TabList>
      <TabPanel value="content">
        <CourseContent title={title} modules={modules} progress={progress} tier={tier} />
      </TabPanel>
      <TabPanel value="progress">
        <ProgressTab modules={modules} records={progress.records} tier={tier} until={until} />
      </TabPanel>
      <TabPanel value="resources">
        <ResourcesTab modules={modules} />
      </TabPanel>
    </Tabs>
  );
}

interface ProgressTabProps extends Pick<CourseTabsProps, "modules" | "tier" | "until"> {
  records: Records;
}

function ProgressTab({ modules, records, tier, until }: ProgressTabProps) {
  const total = progressOf(modules, records);
  return (
    <div className="grid gap-10">
      <h1 className="wide text-title">Your progress</h1>
      <div className="grid gap-4 sm:grid-cols-3">
        <StatCard
          label="Total Progress"
          value={`${total.percent}%`}
          note={`${total.lessonsDone} of ${total.lessonsTotal} lessons`}
        />
        <StatCard label="Watch Time" value={formatWatchTime(total.secondsWatched)} note="Every second counts once" />
        <StatCard
          label="Current Tier"
          value={<span className="text-title">{tier ? tierLabels[tier] : "Free preview"}</span>}
          note={tier ? `${tierOpensText[tier]}${until ? `, until ${formatDate(until)}` : ""}` : "Selected lessons"}
        />
      </div>
      <section aria-labelledby="by-module">
        <h2 id="by-module" className="wide text-heading">
          By module
        </h2>
        {modules.length === 0 && <p className="mt-4 text-ink-soft">There are no modules yet.</p>}
        <ul className="mt-4 border-ink border-t-2">
          {modules.map((module) => {
            const { percent, lessonsDone, lessonsTotal } = progressOf([module], records);
            return (
              <li
                key={module.id}
                className="grid items-center gap-x-6 gap-y-2 border-line border-b py-4 md:grid-cols-[1fr_9rem_14rem_8rem]"
              >
                <h3 className="font-bold leading-tight">
                  {module.position}. {module.title}
                </h3>
                <p className="printed text-ink-soft">{tierLabels[module.requiredTier]}</p>
                <Progress value={percent} label={`${module.title}: completed`} />
                <p className="printed md:text-right">
                  {lessonsTotal > 0 ? `${percent}%, ${lessonsDone} of ${lessonsTotal}` : emptyWord(module)}
                </p>
              </li>
            );
          })}
        </ul>
      </section>
    </div>
  );
}

function emptyWord(module: Module): string {
  return module.isUnlocked || module.comingSoon ? "Coming soon" : "Locked";
}

/** No lesson has downloads yet, and the page says so module by module. */
function ResourcesTab({ modules }: { modules: readonly Module[] }) {
  return (
    <div className="grid gap-8">
      <div>
        <h1 className="wide text-title">Resources</h1>
        <p className="mt-3 text-ink-soft">Downloads that belong to a module or to one of its lessons.</p>
      </div>
      {modules.length === 0 && <p>No resources available</p>}
      <ul className="grid gap-4 md:grid-cols-2">
        {modules.map((module) => (
          <li key={module.id} className="grid content-between gap-6 rounded-md border border-line bg-surface p-5">
            <h2 className="font-bold leading-tight">
              {module.position}. {module.title}
            </h2>
            <p className="printed text-ink-soft">No resources available</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

const date = new Intl.DateTimeFormat("en-US", { dateStyle: "long" });

/** In the viewer's own time zone. */
function formatDate(iso: string): string {
  return date.format(new Date(iso));
}
