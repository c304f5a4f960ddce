import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { useResumable } from "#app/editing/resumable.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { type Bookmark, maxNoteLength } from "#contract/notes.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Input } from "#ui/controls/field.tsx";
import { lessonQuery } from "../current-lesson.ts";
import type { Bookmarks } from "./notes.ts";

interface BookmarkListProps {
  /** The list's accessible name. */
  label: string;
  lessonId: string;
  bookmarks: Bookmarks;
  /** Whether the student may watch the lesson. If not, bookmarks are not links. */
  isOpen: boolean;
  /** The id of a new bookmark, whose note is opened for editing. */
  fresh?: string | null;
}

/** The bookmarks of a lesson, with editing, deleting and undo. */
export function BookmarkList({ label, lessonId, bookmarks, isOpen, fresh = null }: BookmarkListProps) {
  const { list, deleted, add, remove } = bookmarks;
  const [focused, setFocused] = useState<number | null>(null);
  const gone = new Set(deleted);
  const shown = [...(list.data ?? []), ...deleted]
    .filter((bookmark) => bookmark.lessonId === lessonId)
    .toSorted((a, b) => a.at - b.at);
  return (
    <ul aria-label={label} className="border-line border-t">
      {shown.map((bookmark) => (
        <li key={bookmark.id} className="border-line border-b py-1.5">
          {gone.has(bookmark) ? (
            <Deleted
              bookmark={bookmark}
              isPending={add.isPending}
              onUndo={() => add.mutate(bookmark, { onSuccess: ({ at }) => setFocused(at) })}
            />
          ) : (
            <Kept
              key={String(bookmark.id === fresh)}
              bookmark={bookmark}
              bookmarks={bookmarks}
              isOpen={isOpen}
              isFresh={bookmark.id === fresh}
              isFocused={bookmark.at === focused}
              onDelete={() => remove.mutate(bookmark)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

interface KeptProps extends Pick<BookmarkListProps, "bookmarks" | "isOpen"> {
  bookmark: Bookmark;
  isFresh: boolean;
  isFocused: boolean;
  onDelete: () => void;
}

function Kept({ bookmark, bookmarks: { edit, remove }, isOpen, isFresh, isFocused, onDelete }: KeptProps) {
  const { id, lessonId, at, note } = bookmark;
  // Null while the note is not being edited.
  const [typed, setTyped] = useResumable<string | null>(`note of bookmark ${id}`, isFresh ? (note ?? "") : null);
  const [wasEdited, setWasEdited] = useState(false);
  const time = formatSecond(at);

  function close(): void {
    setTyped(null);
    setWasEdited(true);
  }

  function save(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    edit.mutate({ id, note: typed?.trim() || null }, { onSuccess: close });
  }

  if (typed !== null) {
    return (
      <form onSubmit={save} aria-label={`Note at ${time}`} className="grid gap-2 py-1">
        <Field label={`Note at ${time}`} name="note">
          <Input
            ref={focusOnce}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            maxLength={maxNoteLength}
            placeholder="Optional"
          />
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" size="small" pending={edit.isPending}>
            Save
          </Button>
          <Button variant="quiet" size="small" onClick={close}>
            Cancel
          </Button>
        </div>
      </form>
    );
  }
  const timeStyle = "narrow inline-flex min-h-9 min-w-13 items-center text-lg";
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      {isOpen ? (
        <Link
          ref={isFocused ? focusOnce : null}
          to={lessonQuery(lessonId, at)}
          preventScrollReset
          aria-label={`Go to ${time}${note ? `: ${note}` : ""}`}
          className={`${timeStyle} underline decoration-2 underline-offset-4`}
        >
          {time}
        </Link>
      ) : (
        <span className={timeStyle}>{time}</span>
      )}
      <p className="min-w-0 flex-[1_1_12rem] wrap-anywhere">{note ?? <span className="text-ink-soft">No note</span>}</p>
      <span className="ml-auto flex">
        <Button
          ref={wasEdited ? focusOnce : null}
          variant="quiet"
          size="small"
          aria-label={`Edit the note at ${time}`}
          onClick={() => setTyped(note ?? "")}
        >
          Edit
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label={`Delete the bookmark at ${time}`}
          pending={remove.isPending && remove.variables.id === id}
          onClick={onDelete}
        >
          Delete
        </Button>
      </span>
    </div>
  );
}

function Deleted({ bookmark, isPending, onUndo }: { bookmark: Bookmark; isPending: boolean; onUndo: () => void }) {
  const undo = useRef<HTMLButtonElement>(null);
  // The delete button, which had the focus, is gone.
  useEffect(() => undo.current?.focus(), []);
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <p id={`deleted-${bookmark.id}`} className="flex-1 py-1.5 text-ink-soft">
        Bookmark at {formatSecond(bookmark.at)} deleted.
      </p>
      <Button
        ref={undo}
        variant="outline"
        size="small"
        aria-describedby={`deleted-${bookmark.id}`}
        pending={isPending}
        onClick={onUndo}
      >
        Undo
      </Button>
    </div>
  );
}

function focusOnce(element: HTMLElement | null): void {
  element?.focus();
}
