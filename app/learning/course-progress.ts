import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { Lesson, Module } from "#contract/catalogue.ts";
import { type LessonProgress, saveProgress } from "#contract/progress.ts";
import { ApiError, api, messageOf } from "../api.ts";
import { toast } from "../ui/toast.tsx";
import { progressQuery } from "./course-queries.ts";
import { type ProgressNote, withNote } from "./progress-notes.ts";
import type { Records } from "./progress-numbers.ts";
import { createProgressSaver } from "./progress-saver.ts";

/** What a student has done, and the ways to say more. */
export interface CourseProgress {
  records: Records;
  /** Something was watched; saved in the background. */
  note: (lesson: Lesson, note: ProgressNote) => void;
  setCompleted: (lesson: Lesson, isCompleted: boolean) => void;
  /** Something could not be saved yet and is tried again. */
  hasUnsaved: boolean;
}

/** The signed-in student's progress, from `list` as the server gave it, kept in the cache and on the server. */
export function useSavedProgress(modules: readonly Module[], list: readonly LessonProgress[]): CourseProgress {
  const queryClient = useQueryClient();
  const [unsaved, setUnsaved] = useState(0);
  const [saver] = useState(() =>
    createProgressSaver({
      send: async (lessonId, note, { leaving }) => {
        const { watchTime, ...reply } = await api(saveProgress, {
          params: { lessonId },
          body: note,
          keepalive: leaving,
        });
        // Another tab may have watched more.
        addNote(queryClient, reply, { watchTime });
      },
      mayRetry: (error) =>
        !(error instanceof ApiError) || [0, 401, 408, 429].includes(error.status) || error.status >= 500,
      onUnsaved: setUnsaved,
    }),
  );

  const completion = useMutation({
    mutationFn: ({ lesson, isCompleted }: { lesson: Lesson; isCompleted: boolean }) =>
      api(saveProgress, { params: { lessonId: lesson.id }, body: { isCompleted } }),
    onMutate: ({ lesson, isCompleted }) => {
      addNote(queryClient, placeOf(modules, lesson), { isCompleted });
    },
    onError: (error, { lesson, isCompleted }) => {
      addNote(queryClient, placeOf(modules, lesson), { isCompleted: !isCompleted });
      toast({
        title: "Not saved",
        description: messageOf(error, "The lesson could not be marked. Please try again."),
        destructive: true,
      });
    },
  });

  useEffect(() => {
    const leave = () => saver.leave();
    const leaveWhenHidden = () => document.visibilityState === "hidden" && saver.leave();
    window.addEventListener("pagehide", leave);
    document.addEventListener("visibilitychange", leaveWhenHidden);
    window.addEventListener("online", saver.retry);
    return () => {
      window.removeEventListener("pagehide", leave);
      document.removeEventListener("visibilitychange", leaveWhenHidden);
      window.removeEventListener("online", saver.retry);
    };
  }, [saver]);

  return {
    records: useMemo(() => recordsOf(list), [list]),
    note: (lesson, note) => {
      addNote(queryClient, placeOf(modules, lesson), note);
      saver.note(lesson.id, note);
    },
    setCompleted: (lesson, isCompleted) => completion.mutate({ lesson, isCompleted }),
    hasUnsaved: unsaved > 0,
  };
}

/** The same for somebody who is only looking: it lasts as long as the page. */
export function usePreviewProgress(modules: readonly Module[]): CourseProgress {
  const [list, setList] = useState<LessonProgress[]>([]);
  const note = (lesson: Lesson, said: ProgressNote) =>
    setList((before) => withNote(before, placeOf(modules, lesson), said, new Date()));
  return {
    records: useMemo(() => recordsOf(list), [list]),
    note,
    setCompleted: (lesson, isCompleted) => note(lesson, { isCompleted }),
    hasUnsaved: false,
  };
}

function recordsOf(list: readonly LessonProgress[]): Records {
  return new Map(list.map((record) => [record.lessonId, record]));
}

function placeOf(modules: readonly Module[], lesson: Lesson): { lessonId: string; moduleId: string } {
  const module = modules.find(({ lessons }) => lessons.some(({ id }) => id === lesson.id));
  return { lessonId: lesson.id, moduleId: module?.id ?? "" };
}

function addNote(queryClient: QueryClient, place: { lessonId: string; moduleId: string }, note: ProgressNote): void {
  queryClient.setQueryData(progressQuery.queryKey, (list) => withNote(list ?? [], place, note, new Date()));
}
