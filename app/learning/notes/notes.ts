import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { listKeptDrafts } from "#app/editing/kept-draft.ts";
import type { SentDraft } from "#app/editing/sent-draft.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { deleteNote, listNotes, type Note, saveNote } from "#contract/notes.ts";
import { randomId } from "#ui/random-id.ts";

const notesQuery = queryOf(listNotes);

/** Begins the names of drafts. The rest is the note's id. */
export const draftName = "note-";

export type NoteDraft = BodyOf<typeof saveNote>;

/** A place in a list of notes. */
export interface Entry extends Pick<Note, "id" | "lessonId" | "at"> {
  /** Null until it is saved. */
  note: Note | null;
  isDeleted?: boolean;
}

/** The student's notes, the just deleted ones, those that this browser has not saved yet, and functions that change them. */
export function useNotes() {
  const queryClient = useQueryClient();
  const list = useQuery(notesQuery);
  const [deleted, setDeleted] = useState<readonly Note[]>([]);
  const [begun, setBegun] = useState(listUnsaved);
  const { queryKey } = notesQuery;

  const saved = [
    ...(list.data ?? []).map((note): Entry => ({ ...note, note })),
    ...deleted.map((note): Entry => ({ ...note, note, isDeleted: true })),
  ];
  const isSaved = new Set(saved.map(({ id }) => id));
  const entries = [...saved, ...begun.filter(({ id }) => !isSaved.has(id))].toSorted((a, b) => a.at - b.at);

  function put(note: Note): void {
    setDeleted((before) => before.filter(({ id }) => id !== note.id));
    queryClient.setQueryData(queryKey, (before = []) => [...before.filter(({ id }) => id !== note.id), note]);
    // Only the server knows the order across lessons.
    void queryClient.invalidateQueries(notesQuery);
  }

  const restore = useMutation({
    mutationFn: ({ id, lessonId, at, text }: Note) =>
      api(saveNote, { params: { id }, body: { lessonId, at, text, replaces: null } }),
    onSuccess: put,
    onError: (error) => toastFailure("Not restored", error, "We couldn’t restore the note. Please try again."),
  });
  const remove = useMutation({
    mutationFn: ({ id }: Note) => api(deleteNote, { params: { id } }),
    onSuccess: (_, note) => {
      queryClient.setQueryData(queryKey, (before = []) => before.filter(({ id }) => id !== note.id));
      setDeleted((before) => [...before, note]);
    },
    onError: (error) => toastFailure("Not deleted", error, "We couldn’t delete the note. Please try again."),
  });

  return {
    list,
    entries,
    put,
    restore,
    remove,
    refetch: () => void queryClient.invalidateQueries(notesQuery),
    /** Begins a note, which is saved later, and returns its id. */
    begin: (lessonId: string, at: number): string => {
      const id = randomId();
      setBegun((before) => [...before, { id, lessonId, at, note: null }]);
      return id;
    },
    /** Removes a note that was never saved. */
    giveUp: (id: string) => setBegun((before) => before.filter((one) => one.id !== id)),
  };
}

export type Notes = ReturnType<typeof useNotes>;

function listUnsaved(): Entry[] {
  const drafts = listKeptDrafts<SentDraft<NoteDraft>>(draftName);
  return drafts.map(([id, { value }]) => ({ id, lessonId: value.lessonId, at: value.at, note: null }));
}
