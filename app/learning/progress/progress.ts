import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { ApiError, api } from "#app/api/api.ts";
import { currentUserQuery, useCurrentUser, useIsSeen } from "#app/identity/current-user.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import type { CourseAccess } from "#contract/access.ts";
import type { Lesson, Module } from "#contract/catalogue.ts";
import type { Records } from "#contract/lesson-start.ts";
import { type LessonProgress, maxNotes, sendWatchNotes } from "#contract/progress.ts";
import { toast } from "#ui/toast/toast.ts";
import { progressQuery } from "../course-queries.ts";
import { browserStore, type KeptNotes, keepNotes } from "./kept-notes.ts";
import { type ProgressNote, toWatchNote, withCompletion, withNote, withRecord } from "./notes.ts";
import { isCounted } from "./numbers.ts";
import { createProgressSaver, type LessonNote, type ProgressSaver } from "./saver.ts";

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
 * it, and neither is what an administrator watches as a student.
 */
export function useProgressOf(
  access: CourseAccess,
  modules: readonly Module[],
  list: readonly LessonProgress[],
): CourseProgress {
  const { user } = useCurrentUser();
  const isSeen = useIsSeen();
  const saved = useSavedProgress(modules, list);
  const preview = usePreviewProgress(modules);
  const records = useMemo(() => new Map([...saved.records, ...preview.records]), [saved.records, preview.records]);
  const ownTier = user?.purchasedTier ?? null;
  const progressOf = (lesson: Lesson) =>
    !isSeen && isCounted(access, ownTier, lesson, moduleOf(modules, lesson.id)) ? saved : preview;
  return {
    records,
    note: (lesson, ...note) => progressOf(lesson).note(lesson, ...note),
    setCompleted: (lesson, isCompleted) => progressOf(lesson).setCompleted(lesson, isCompleted),
    hasUnsaved: saved.hasUnsaved,
    isSaved: !isSeen && (access.source !== "team" || ownTier !== null),
  };
}

/**
 * The signed-in student's progress: the server's `list`, and the marks that it has not confirmed yet. What was watched
 * is added to the cached list.
 */
function useSavedProgress(modules: readonly Module[], list: readonly LessonProgress[]): CourseProgress {
  const queryClient = useQueryClient();
  const { user } = useCurrentUser();
  const [kept] = useState(() => keepNotes(user?.id ?? "", browserStore()));
  const [marks, setMarks] = useState(() => marksIn(kept));
  const [hasUnsaved, setHasUnsaved] = useState(false);
  const saver = useSaver(kept, queryClient, (isUnsaved) => {
    setHasUnsaved(isUnsaved);
    setMarks(marksIn(kept));
  });
  const records = useMemo(() => {
    const mark = (before: readonly LessonProgress[], [id, isCompleted]: Mark) =>
      withCompletion(before, { lessonId: id, moduleId: moduleOf(modules, id)?.id ?? "" }, isCompleted);
    return recordsOf(marks.reduce(mark, list));
  }, [list, marks, modules]);

  return {
    records,
    note: (lesson, note, isDue) => {
      change(queryClient, (list) => withNote(list, notedLesson(modules, lesson), note));
      saver.note(lesson.id, note, isDue);
    },
    setCompleted: (lesson, isCompleted) => {
      saver.note(lesson.id, { watched: [], isCompleted, at: Date.now() }, true);
      setMarks(marksIn(kept));
    },
    hasUnsaved,
    isSaved: true,
  };
}

type Mark = readonly [lessonId: string, isCompleted: boolean];

/** The unconfirmed marks. */
function marksIn(kept: KeptNotes): readonly Mark[] {
  return kept.all().flatMap(([id, { isCompleted }]): Mark[] => (isCompleted === undefined ? [] : [[id, isCompleted]]));
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

/** Saves a student's notes while the page is open and when it closes. Shows why the server refused a mark. */
function useSaver(kept: KeptNotes, queryClient: QueryClient, onUnsaved: (isUnsaved: boolean) => void) {
  // The server's clock minus ours, in milliseconds, because notes are ordered by the server's clock.
  const ahead = useRef(0);
  const [saver] = useState(() =>
    createProgressSaver({
      kept,
      most: maxNotes,
      send: async (notes, { leaving }) => {
        const { now, records, replaced, refused } = await api(sendWatchNotes, {
          body: { notes: notes.map(([lessonId, note]) => toWatchNote(lessonId, note, ahead.current)) },
          keepalive: leaving,
        }).catch((error: unknown) => {
          // The bar then offers to sign in.
          if (error instanceof ApiError && error.status === 401) void queryClient.invalidateQueries(currentUserQuery);
          throw error;
        });
        ahead.current = Date.parse(now) - Date.now();
        for (const record of records) change(queryClient, (list) => withRecord(list, record));
        if (replaced.length > 0) {
          toast({ title: "This lesson has a new video", description: "Reload the page to watch it." });
        }
        const refusal = refused.find(({ lessonId }) => hasMark(notes.filter(([id]) => id === lessonId)));
        if (refusal) toast({ title: notSaved, description: refusal.message, destructive: true });
      },
      mayRetry: (error) =>
        !(error instanceof ApiError) || [0, 401, 408, 429].includes(error.status) || error.status >= 500,
      onRefused: (notes, error) => {
        if (hasMark(notes)) toastFailure(notSaved, error, "We couldn’t mark the lesson. Please try again.");
      },
      later: (callback, milliseconds) => {
        const timer = setTimeout(callback, milliseconds);
        return () => clearTimeout(timer);
      },
      onUnsaved,
    }),
  );
  useEffect(() => whileOpen(saver), [saver]);
  return saver;
}

const notSaved = "Not saved";

function hasMark(notes: readonly LessonNote[]): boolean {
  return notes.some(([, { isCompleted }]) => isCompleted !== undefined);
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
