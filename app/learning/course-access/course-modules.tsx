import { useEffect, useRef } from "react";
import type { Module } from "#contract/catalogue.ts";
import { useNamedLesson } from "../current-lesson.ts";
import { LessonPanel } from "../lesson/lesson-panel.tsx";
import { ModuleCard } from "../module-cards.tsx";
import type { CourseProgress } from "../progress/progress.ts";

/** Every module as an expandable card with its lessons, or with the lesson that the URL names. */
export function CourseModules({ modules, progress }: { modules: readonly Module[]; progress: CourseProgress }) {
  const named = useNamedLesson(modules);
  const cards = useFocusOnWayBack(named?.module.id);
  if (modules.length === 0) return <p className="text-ink-soft">There are no modules yet.</p>;
  return (
    <div ref={cards} className="grid gap-4">
      <h2 className="sr-only">Modules</h2>
      {modules.map((module) => (
        <ModuleCard
          key={module.id}
          module={module}
          records={progress.records}
          currentLessonId={named?.module === module ? named.lesson.id : undefined}
        >
          {named?.module === module && <LessonPanel current={named} modules={modules} progress={progress} isInCard />}
        </ModuleCard>
      ))}
    </div>
  );
}

/** After going back from a lesson to the list, focuses the lesson's module. */
function useFocusOnWayBack(moduleId: string | undefined) {
  const cards = useRef<HTMLDivElement>(null);
  const shown = useRef(moduleId);
  useEffect(() => {
    const left = shown.current;
    shown.current = moduleId;
    if (!left || moduleId) return;
    cards.current?.querySelector<HTMLElement>(`[data-module="${CSS.escape(left)}"] > summary`)?.focus();
  }, [moduleId]);
  return cards;
}
