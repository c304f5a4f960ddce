import { Suspense } from "react";
import { Tab, TabList, TabPanel, Tabs } from "#ui/controls/tabs.tsx";
import { late } from "#ui/feedback/late.tsx";
import { PartLoading } from "#ui/feedback/part.tsx";
import { CourseHeading } from "../course-heading.tsx";
import { CourseSearch } from "../search/search.tsx";
import { useTabInAddress } from "../tab-in-address.ts";
import { CourseContent, type CourseContentProps } from "./course-content.tsx";

const [ProgressTab, fetchProgressTab] = late("your progress", () => import("./progress-tab.tsx"));
const [NotesTab, fetchNotesTab] = late("your notes", () => import("../notes/notes-tab.tsx"));
const [ResourcesTab, fetchResourcesTab] = late("the resources", () => import("#app/resources/resources-tab.tsx"));

interface CourseTabsProps extends CourseContentProps {
  /** The page's heading. */
  title: string;
  /** The end of the tier. Null when it never ends. */
  until: string | null;
}

/** The course in tabs. The URL names the open one. */
export function CourseTabs({ title, until, ...content }: CourseTabsProps) {
  const { modules, progress, tier } = content;
  const [open, choose] = useTabInAddress(["content", "progress", "resources", "notes"]);
  return (
    <Tabs value={open} onValueChange={choose}>
      <CourseHeading title={title}>
        <CourseSearch modules={modules} />
      </CourseHeading>
      <TabList label="Course" className="mt-2 sm:mt-4">
        <Tab value="content">Course Content</Tab>
        <Tab value="progress" onPointerEnter={fetchProgressTab}>
          Progress
        </Tab>
        <Tab value="resources" onPointerEnter={fetchResourcesTab}>
          Resources
        </Tab>
        {progress.isSaved && (
          <Tab value="notes" onPointerEnter={fetchNotesTab}>
            Notes
          </Tab>
        )}
      </TabList>
      <TabPanel value="content">
        <CourseContent {...content} />
      </TabPanel>
      <TabPanel value="progress">
        <Suspense fallback={<PartLoading what="your progress" />}>
          <ProgressTab
            modules={modules}
            records={progress.records}
            tier={tier}
            until={until}
            isSaved={progress.isSaved}
          />
        </Suspense>
      </TabPanel>
      <TabPanel value="resources">
        <Suspense fallback={<PartLoading what="the resources" />}>
          <ResourcesTab modules={modules} />
        </Suspense>
      </TabPanel>
      {progress.isSaved && (
        <TabPanel value="notes">
          <Suspense fallback={<PartLoading what="your notes" />}>
            <NotesTab modules={modules} />
          </Suspense>
        </TabPanel>
      )}
    </Tabs>
  );
}
