import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { toastFailure } from "#app/identity/failure-toast.ts";
import { addBookmark, type Bookmark, editBookmark, listBookmarks, removeBookmark } from "#contract/notes.ts";

const bookmarksQuery = queryOf(listBookmarks);

export type Place = Pick<Bookmark, "lessonId" | "at" | "note">;

/** The student's bookmarks in course order, the just deleted ones, and functions that change them. */
export function useBookmarks() {
  const queryClient = useQueryClient();
  const list = useQuery(bookmarksQuery);
  const [deleted, setDeleted] = useState<readonly Bookmark[]>([]);

  function put(bookmark: Bookmark): void {
    queryClient.setQueryData(bookmarksQuery.queryKey, (before = []) =>
      before.some(({ id }) => id === bookmark.id)
        ? before.map((one) => (one.id === bookmark.id ? bookmark : one))
        : [...before, bookmark],
    );
    // Only the server knows the order across lessons.
    void queryClient.invalidateQueries(bookmarksQuery);
  }

  const add = useMutation({
    mutationFn: ({ lessonId, at, note }: Place) => api(addBookmark, { body: { lessonId, at, note } }),
    onSuccess: (bookmark) => {
      setDeleted((before) => before.filter((one) => !isSamePlace(one, bookmark)));
      put(bookmark);
    },
    onError: (error) => toastFailure("Not saved", error, "We couldn't save the bookmark. Please try again."),
  });
  const edit = useMutation({
    mutationFn: ({ id, note }: Pick<Bookmark, "id" | "note">) => api(editBookmark, { params: { id }, body: { note } }),
    onSuccess: put,
    onError: (error) => toastFailure("Not saved", error, "We couldn't save the note. Please try again."),
  });
  const remove = useMutation({
    mutationFn: ({ id }: Bookmark) => api(removeBookmark, { params: { id } }),
    onSuccess: (_, bookmark) => {
      queryClient.setQueryData(bookmarksQuery.queryKey, (before = []) => before.filter(({ id }) => id !== bookmark.id));
      setDeleted((before) => [...before, bookmark]);
    },
    onError: (error) => toastFailure("Not deleted", error, "We couldn't delete the bookmark. Please try again."),
  });
  return { list, deleted, add, edit, remove };
}

export type Bookmarks = ReturnType<typeof useBookmarks>;

function isSamePlace(one: Place, other: Place): boolean {
  return one.lessonId === other.lessonId && one.at === other.at;
}
