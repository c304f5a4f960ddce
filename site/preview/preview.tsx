import { useMemo } from "react";
import { CourseTabs } from "#app/learning/dashboard/course-tabs.tsx";
import LockedModules from "#app/learning/dashboard/locked-modules.tsx";
import { usePreviewProgress } from "#app/learning/progress/progress.ts";
import type { Module } from "#contract/catalogue.ts";
import { asPreview } from "./as-preview.ts";

/** A preview of the course: free lessons play, others are locked, and nothing is saved. */
export function Preview({ modules }: { modules: readonly Module[] }) {
  const preview = useMemo(() => asPreview(modules), [modules]);
  const progress = usePreviewProgress(preview);
  return (
    <CourseTabs
      title="Look around the course"
      modules={preview}
      progress={progress}
      tier={null}
      until={null}
      LockedModules={LockedModules}
    />
  );
}
