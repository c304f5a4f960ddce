import { useId, useState } from "react";
import { resourcesQuery } from "#app/resources/resource-queries.ts";
import type { AcademyContent } from "#contract/admin/content.ts";
import { Button } from "#ui/controls/button.tsx";
import { useLoaded } from "../loaded.tsx";
import { Nothing, Panel } from "../panel.tsx";
import { UploadForm } from "../upload/form.tsx";
import { ResourceRows } from "../upload/list.tsx";
import { moduleChoicesOf } from "../upload/modules.ts";

/** The files of a lesson. Unlike the lesson, they have no draft: students see changes right away. */
export function LessonFiles({ lessonId, content }: { lessonId: string; content: AcademyContent }) {
  const { data, instead } = useLoaded(resourcesQuery, "files");
  const [isAdding, setIsAdding] = useState(false);
  const form = useId();
  const modules = moduleChoicesOf(content);
  const module = modules.find(({ lessons }) => lessons.some(({ id }) => id === lessonId));
  const files = data?.filter((file) => file.lessonId === lessonId) ?? [];
  return (
    <Panel
      title="Files"
      aside={
        module && (
          <Button
            variant="outline"
            size="small"
            aria-expanded={isAdding}
            aria-controls={isAdding ? form : undefined}
            onClick={() => setIsAdding(!isAdding)}
          >
            Add files
          </Button>
        )
      }
    >
      <div className="grid gap-5">
        {module && isAdding && (
          <div id={form}>
            <UploadForm modules={modules} place={{ moduleId: module.id, lessonId }} />
          </div>
        )}
        {!module ? (
          <Nothing>Publish the lesson first. Then you can add files to it.</Nothing>
        ) : !data ? (
          instead
        ) : files.length === 0 ? (
          <Nothing>This lesson has no files yet.</Nothing>
        ) : (
          <>
            <p className="text-fine text-ink-soft">Students see changes to files right away, without publishing.</p>
            <ResourceRows resources={files} all={data} modules={modules} areOrdered />
          </>
        )}
      </div>
    </Panel>
  );
}
