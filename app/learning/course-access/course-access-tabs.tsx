import { Suspense } from "react";
import { useClaims } from "#app/plans/claims.ts";
import type { CourseAccess } from "#contract/access.ts";
import type { Module } from "#contract/catalogue.ts";
import type { CurrentUser } from "#contract/identity/identity.ts";
import { Badge } from "#ui/badge.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#ui/controls/tabs.tsx";
import { late } from "#ui/feedback/late.tsx";
import { PartLoading } from "#ui/feedback/part.tsx";
import { formatWatchHours } from "#ui/format/durations.ts";
import { StatCard } from "#ui/stat-card.tsx";
import { CourseHeading } from "../course-heading.tsx";
import { FinishWhenDone } from "../finish/finish-when-done.tsx";
import { progressOf } from "../progress/numbers.ts";
import type { CourseProgress } from "../progress/progress.ts";
import { CourseSearch } from "../search/search.tsx";
import { useTabInAddress } from "../tab-in-address.ts";
import { CommunityInvite } from "./community-invite.tsx";
import { CourseModules } from "./course-modules.tsx";

const [ResourcesTab, fetchResourcesTab] = late("the resources", () => import("#app/resources/resources-tab.tsx"));

interface CourseAccessTabsProps {
  user: CurrentUser;
  access: CourseAccess;
  modules: readonly Module[];
  progress: CourseProgress;
}

/** The course's totals above its three tabs. */
export function CourseAccessTabs({ user, access, modules, progress }: CourseAccessTabsProps) {
  const [open, choose] = useTabInAddress(["modules", "resources", "community"]);
  const total = progressOf(modules, progress.records);
  const community = useClaims()?.community ?? null;
  return (
    <div className="grid grid-cols-1 gap-5 sm:gap-8">
      <CourseHeading title={`Welcome back, ${user.firstName || user.email}`}>
        <AccountStatus status={access.accountStatus} />
        <CourseSearch modules={modules} />
      </CourseHeading>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-4">
        <StatCard
          label="Progress"
          value={`${total.percent}%`}
          note={`${total.lessonsDone} of ${total.lessonsTotal} lessons`}
        />
        <StatCard label="Completed" value={completedModules(modules, progress)} note={`of ${modules.length} modules`} />
        <StatCard label="Watch Time" value={formatWatchHours(total.secondsWatched)} note="Repeats aren’t counted" />
        {community && <StatCard label="Community" value={community.count} note="members in the student chat" />}
      </div>
      <FinishWhenDone modules={modules} numbers={total} tier={access.tier} />
      <Tabs value={open} onValueChange={choose}>
        <TabList label="Course">
          <Tab value="modules" className="max-sm:px-3">
            Course Modules
          </Tab>
          <Tab value="resources" className="max-sm:px-3" onPointerEnter={fetchResourcesTab}>
            Resources
          </Tab>
          <Tab value="community" className="max-sm:px-3">
            Community
          </Tab>
        </TabList>
        <TabPanel value="modules">
          <CourseModules modules={modules} progress={progress} />
        </TabPanel>
        <TabPanel value="resources">
          <Suspense fallback={<PartLoading what="the resources" />}>
            <ResourcesTab modules={modules} />
          </Suspense>
        </TabPanel>
        <TabPanel value="community">
          <CommunityInvite />
        </TabPanel>
      </Tabs>
    </div>
  );
}

/** Unknown states are shown as they are. */
function AccountStatus({ status }: { status: string }) {
  return status === "active" ? null : <Badge className="mr-auto">{status}</Badge>;
}

function completedModules(modules: readonly Module[], { records }: CourseProgress): number {
  return modules.filter((module) => progressOf([module], records).percent === 100).length;
}
