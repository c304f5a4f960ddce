import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiError, api } from "#app/api/api.ts";
import { useCurrentUser } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import type { CourseAccess } from "#contract/access.ts";
import type { Lesson, Module } from "#contract/catalogue.ts";
import type { Records } from "#contract/lesson-start.ts";
import { type LessonProgress, maxNotes, saveProgress, sendWatchNotes } from "#contract/progress.ts";
import { progressQuery } from "../course-queries.ts";
import { browserStore, keepNotes } from "./kept-notes.ts";
import { type ProgressNote, toWatchNote, withCompletion, withNote, withRecord } from "./notes.ts";
import { isCounted } from "./numbers.ts";
import { createProgressSaver, type ProgressSaver } from "./saver.ts";

/** A student's progress, and functions that change it. */
export interface CourseProgress {
  records: Records;
  /** Records a note. Saves it in the background, and at once when it is due. */
  note: (lesson: Lesson, note: ProgressNote, isDue: boolean) => void;
  setCompleted: (lesson: Lesson, isCompleted: boolean) => void;
  /** Whether something could not be saved yet and will be retried. */
  hasUnsaved: boolean;
  /** False in a preview, whose progress is lost with the page. */
  isSaved: boolean;
}

/**
 * The progress of the course's pages. Of what only a role in the team opens it is not saved, because reports would count
 * it.
 */
export function useProgressOf(
  access: CourseAccess,
  modules: readonly Module[],
  list: readonly LessonProgress[],
): CourseProgress {
  const { user } = useCurrentUser();
  const saved = useSavedProgress(modules, list);
  const preview = usePreviewProgress(modules);
  const records = useMemo(() => new Map([...saved.records, ...preview.records]), [saved.records, preview.records]);
  const ownTier = user?.purchasedTier ?? null;
  const progressOf = (lesson: Lesson) =>
    isCounted(access, ownTier, lesson, moduleOf(modules, lesson.id)) ? saved : preview;
  return {
    records,
    note: (lesson, ...note) => progressOf(lesson).note(lesson, ...note),
    setCompleted: (lesson, isCompleted) => progressOf(lesson).setCompleted(lesson, isCompleted),
    hasUnsaved: saved.hasUnsaved,
    isSaved: access.source !== "team" || ownTier !== null,
  };
}

/** The signed-in student's progress, starting with the server's `list`. Changes go to the cache and to the server. */
function useSavedProgress(modules: readonly Module[], list: readonly LessonProgress[]): CourseProgress {
  const queryClient = useQueryClient();
  const { user } = useCurrentUser();
  const [hasUnsaved, setHasUnsaved] = useState(false);
  const { saver, marking } = useSaver(user?.id ?? "", queryClient, setHasUnsaved);

  const completion = useMutation({
    // In sequence, so that the last click wins even if an earlier request is slow.
    scope: { id: "completion" },
    mutationFn: ({ lesson, isCompleted }: { lesson: Lesson; isCompleted: boolean }) =>
      api(saveProgress, { params: { lessonId: lesson.id }, body: { isCompleted }, keepalive: true }),
    onMutate: ({ lesson, isCompleted }) => {
      marking.set(lesson.id, isCompleted);
      change(queryClient, (list) => withCompletion(list, notedLesson(modules, lesson), isCompleted));
    },
    onSuccess: (record, { isCompleted }) => {
      // The student has clicked again since.
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

/** The progress of a preview, which lasts as long as the page. */
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
 * Saves a student's notes while the page is open and when it closes. `marking` has the lessons whose completion is
 * being saved: older replies about them must not be shown.
 */
function useSaver(userId: string, queryClient: QueryClient, onUnsaved: (isUnsaved: boolean) => void) {
  const marking = useRef(new Map<string, boolean>()).current;
  // The server's clock minus ours, in milliseconds, because notes are ordered by the server's clock.
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

/**
 * Sends the notes of earlier pages at once, waiting notes when the connection returns, and all others when the page is
 * hidden or closed.
 */
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
  return { lessonId: id, moduleId: moduleOf(modules, id)?.id ?? "", duration };
}

function moduleOf(modules: readonly Module[], lessonId: string): Module | undefined {
  return modules.find(({ lessons }) => lessons.some(({ id }) => id === lessonId));
}

function change(queryClient: QueryClient, how: (list: readonly LessonProgress[]) => LessonProgress[]): void {
  queryClient.setQueryData(progressQuery.queryKey, (list) => how(list ?? []));
}
