import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiError, api } from "#app/api/api.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import type { Lesson, Module } from "#contract/catalogue.ts";
import { type LessonProgress, maxNotes, saveProgress, sendWatchNotes } from "#contract/progress.ts";
import { progressQuery } from "../course-queries.ts";
import { browserStore, keepNotes } from "./kept-notes.ts";
import { type ProgressNote, toWatchNote, withCompletion, withNote, withRecord } from "./notes.ts";
import type { Records } from "./numbers.ts";
import { createProgressSaver, type ProgressSaver } from "./saver.ts";

/** What a student has done, and the ways to say more. */
export interface CourseProgress {
  records: Records;
  /** Something was watched; saved in the background, at once when it is due. */
  note: (lesson: Lesson, note: ProgressNote, isDue: boolean) => void;
  setCompleted: (lesson: Lesson, isCompleted: boolean) => void;
  /** Something could not be saved yet and is tried again. */
  hasUnsaved: boolean;
  /** False for somebody who only looks: all of it ends with the page. */
  isSaved: boolean;
}

/** The signed-in student's progress, from `list` as the server gave it, kept in the cache and on the server. */
export function useSavedProgress(modules: readonly Module[], list: readonly LessonProgress[]): CourseProgress {
  const queryClient = useQueryClient();
  const { user } = useCurrentUser();
  const [hasUnsaved, setHasUnsaved] = useState(false);
  const { saver, marking } = useSaver(user?.id ?? "", queryClient, setHasUnsaved);

  const completion = useMutation({
    // One after the other: the last press counts, however long the one before is on its way.
    scope: { id: "completion" },
    mutationFn: ({ lesson, isCompleted }: { lesson: Lesson; isCompleted: boolean }) =>
      api(saveProgress, { params: { lessonId: lesson.id }, body: { isCompleted }, keepalive: true }),
    onMutate: ({ lesson, isCompleted }) => {
      marking.set(lesson.id, isCompleted);
      change(queryClient, (list) => withCompletion(list, notedLesson(modules, lesson), isCompleted));
    },
    onSuccess: (record, { isCompleted }) => {
      // Something else was pressed since.
      if (marking.get(record.lessonId) !== isCompleted) return;
      marking.delete(record.lessonId);
      change(queryClient, (list) => withRecord(list, record));
    },
    onError: (error, { lesson, isCompleted }) => {
      if (marking.get(lesson.id) === isCompleted) {
        marking.delete(lesson.id);
        change(queryClient, (list) => withCompletion(list, notedLesson(modules, lesson), !isCompleted));
      }
      toastFailure("Not saved", error, "The lesson could not be marked. Please try again.");
    },
  });

  return {
    records: useMemo(() => recordsOf(list), [list]),
    note: (lesson, note, isDue) => {
      change(queryClient, (list) => withNote(list, notedLesson(modules, lesson), note));
      saver.note(lesson.id, note, isDue);
    },
    setCompleted: (lesson, isCompleted) => completion.mutate({ lesson, isCompleted }),
    hasUnsaved,
    isSaved: true,
  };
}

/** The same for somebody who is only looking: it lasts as long as the page. */
export function usePreviewProgress(modules: readonly Module[]): CourseProgress {
  const [list, setList] = useState<LessonProgress[]>([]);
  return {
    records: useMemo(() => recordsOf(list), [list]),
    note: (lesson, note) => setList((before) => withNote(before, notedLesson(modules, lesson), note)),
    setCompleted: (lesson, isCompleted) =>
      setList((before) => withCompletion(before, notedLesson(modules, lesson), isCompleted)),
    hasUnsaved: false,
    isSaved: false,
  };
}

/**
 * What saves the notes of one student while the page is open and as it goes. `marking` are the lessons whose completion
 * is on its way to the server: answers about them that were given before it must not show.
 */
function useSaver(userId: string, queryClient: QueryClient, onUnsaved: (isUnsaved: boolean) => void) {
  const marking = useRef(new Map<string, boolean>()).current;
  // The server's clock less ours, in milliseconds: notes are put in order by the server's.
  const ahead = useRef(0);
  const [saver] = useState(() =>
    createProgressSaver({
      kept: keepNotes(userId, browserStore()),
      most: maxNotes,
      send: async (notes, { leaving }) => {
        const { now, records } = await api(sendWatchNotes, {
          body: { notes: notes.map(([lessonId, note]) => toWatchNote(lessonId, note, ahead.current)) },
          keepalive: leaving,
        });
        ahead.current = Date.parse(now) - Date.now();
        for (const record of records) {
          const isCompleted = marking.get(record.lessonId) ?? record.isCompleted;
          change(queryClient, (list) => withRecord(list, { ...record, isCompleted }));
        }
      },
      mayRetry: (error) =>
        !(error instanceof ApiError) || [0, 401, 408, 429].includes(error.status) || error.status >= 500,
      later: (callback, milliseconds) => {
        const timer = setTimeout(callback, milliseconds);
        return () => clearTimeout(timer);
      },
      onUnsaved,
    }),
  );
  useEffect(() => whileOpen(saver), [saver]);
  return { saver, marking };
}

/** Sends what earlier pages left, what waited for a connection, and what there is when the page is hidden or closed. */
function whileOpen(saver: ProgressSaver): () => void {
  const leaveWhenHidden = () => document.visibilityState === "hidden" && saver.leave();
  saver.retry();
  window.addEventListener("pagehide", saver.leave);
  document.addEventListener("visibilitychange", leaveWhenHidden);
  window.addEventListener("online", saver.retry);
  return () => {
    window.removeEventListener("pagehide", saver.leave);
    document.removeEventListener("visibilitychange", leaveWhenHidden);
    window.removeEventListener("online", saver.retry);
    saver.close();
  };
}

function recordsOf(list: readonly LessonProgress[]): Records {
  return new Map(list.map((record) => [record.lessonId, record]));
}

function notedLesson(modules: readonly Module[], { id, duration }: Lesson) {
  const module = modules.find(({ lessons }) => lessons.some((lesson) => lesson.id === id));
  return { lessonId: id, moduleId: module?.id ?? "", duration };
}

function change(queryClient: QueryClient, how: (list: readonly LessonProgress[]) => LessonProgress[]): void {
  queryClient.setQueryData(progressQuery.queryKey, (list) => how(list ?? []));
}
