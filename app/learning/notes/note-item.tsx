import { type FormEvent, useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import { api, faultsIn, messageOf } from "#app/api/api.ts";
import { Meanwhile } from "#app/editing/changed-meanwhile.tsx";
import { useSentDraft } from "#app/editing/sent-draft.ts";
import { linkFor, toastFailure } from "#app/identity/failure-toast.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { maxNoteLength, type Note, saveNote } from "#contract/notes.ts";
import { Button } from "#ui/controls/button.tsx";
import { Field, Textarea } from "#ui/controls/field.tsx";
import { lessonQuery } from "../current-lesson.ts";
import { draftName, type Entry, type NoteDraft, type Notes } from "./notes.ts";

export interface NoteItemProps {
  entry: Entry;
  notes: Notes;
  /** Whether the student may watch the lesson. If not, the time is not a link. */
  isOpen: boolean;
  /** Whether the student has just asked to write it. */
  isFresh: boolean;
  isFocused: boolean;
  /** Called when the student begins and stops writing. */
  onWriting?: ((isWriting: boolean) => void) | undefined;
  /** Called when the student has given up a new note, which disappears with the focus. */
  onDropped?: (() => void) | undefined;
}

/** A note, which can be edited and deleted. */
export function NoteItem({ entry, notes, isOpen, isFresh, isFocused, onWriting, onDropped }: NoteItemProps) {
  const { id, lessonId, at, note } = entry;
  const draft = useSentDraft<NoteDraft, Note>({
    name: `${draftName}${id}`,
    saved: { lessonId, at, text: note?.text ?? "", replaces: note?.text ?? null },
    send: (body) => api(saveNote, { params: { id }, body }),
    onSent: (saved) => {
      notes.put(saved);
      if (isEditing) close();
    },
    onRefused: (error) => {
      notes.refetch();
      setIsEditing(true);
      const failed = "We couldn’t save the note. Please try again.";
      // Offers to sign in.
      if (linkFor(error)) toastFailure("Not saved", error, failed);
      return faultsIn(error).text ?? messageOf(error, failed);
    },
    waitsForLimit: true,
  });
  const { value } = draft;
  const [isEditing, setIsEditing] = useState(isFresh || ((draft.isChanged || note === null) && !draft.isSent));
  const [wasEdited, setWasEdited] = useState(false);
  const time = formatSecond(at);
  const isOvertaken = note !== null && draft.isChanged && ![value.text, value.replaces].includes(note.text);

  function close(): void {
    setIsEditing(false);
    setWasEdited(true);
    onWriting?.(false);
  }

  function cancel(): void {
    draft.discard();
    if (note) close();
    else {
      onWriting?.(false);
      notes.giveUp(id);
      onDropped?.();
    }
  }

  function save(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isOvertaken || draft.isSending) return;
    if (note && !draft.isChanged) close();
    else draft.send({ ...value, text: value.text.trim() });
  }

  if (isEditing && !draft.isWaiting) {
    return (
      <form onSubmit={save} aria-label={`Note at ${time}`} className="grid gap-2 py-1">
        <Field label={`Note at ${time}`} name="text" error={isOvertaken ? null : draft.fault}>
          <Textarea
            ref={isFresh || wasEdited ? focusOnce : null}
            value={value.text}
            onFocus={() => onWriting?.(true)}
            onChange={({ target }) => draft.change({ ...value, text: target.value })}
            maxLength={maxNoteLength}
            rows={4}
            dir="auto"
            readOnly={draft.isSending}
          />
        </Field>
        {isOvertaken && (
          <Meanwhile
            label="Changed elsewhere"
            why="You’ve changed this note in another tab or on another device since you began. What you wrote here isn’t saved yet."
            onKeep={() => draft.change({ ...value, replaces: note.text })}
            discard="Take the other"
            onDiscard={draft.discard}
          >
            <blockquote dir="auto" className="whitespace-pre-line wrap-anywhere">
              {note.text || "No text"}
            </blockquote>
          </Meanwhile>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" size="small" pending={draft.isSending}>
            Save
          </Button>
          <Button variant="quiet" size="small" onClick={cancel}>
            Cancel
          </Button>
        </div>
      </form>
    );
  }
  const text = draft.isSent ? value.text : (note?.text ?? "");
  const [firstLine] = text.split("\n");
  const timeStyle = "narrow inline-flex min-h-9 min-w-13 items-center text-lg";
  return (
    <div className="flex flex-wrap items-start gap-x-3">
      {isOpen ? (
        <Link
          ref={isFocused ? focusOnce : null}
          to={lessonQuery(lessonId, at)}
          preventScrollReset
          aria-label={`Go to ${time}${firstLine ? `: ${firstLine}` : ""}`}
          className={`${timeStyle} underline decoration-2 underline-offset-4`}
        >
          {time}
        </Link>
      ) : (
        <span className={timeStyle}>{time}</span>
      )}
      <p
        dir="auto"
        className="min-w-0 flex-[1_1_12rem] whitespace-pre-line py-1.5 [unicode-bidi:plaintext] wrap-anywhere"
      >
        {text || <span className="text-ink-soft">No text</span>}
      </p>
      <p role="status" className="py-2 text-fine text-ink-soft empty:hidden">
        {draft.isWaiting && "Not saved yet. We’ll keep trying."}
      </p>
      {note && !draft.isSent && (
        <span className="ml-auto flex print:hidden">
          <Button
            ref={wasEdited ? focusOnce : null}
            variant="quiet"
            size="small"
            aria-label={`Edit the note at ${time}`}
            onClick={() => {
              setWasEdited(true);
              setIsEditing(true);
            }}
          >
            Edit
          </Button>
          <Button
            variant="quiet"
            size="small"
            aria-label={`Delete the note at ${time}`}
            pending={notes.remove.isPending && notes.remove.variables.id === id}
            onClick={() => notes.remove.mutate(note)}
          >
            Delete
          </Button>
        </span>
      )}
    </div>
  );
}

interface DeletedNoteProps {
  note: Note;
  isPending: boolean;
  onUndo: () => void;
}

export function DeletedNote({ note, isPending, onUndo }: DeletedNoteProps) {
  const undo = useRef<HTMLButtonElement>(null);
  // The delete button, which had the focus, is gone.
  useEffect(() => undo.current?.focus(), []);
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <p id={`deleted-${note.id}`} className="flex-1 py-1.5 text-ink-soft">
        Note at {formatSecond(note.at)} deleted.
      </p>
      <Button
        ref={undo}
        variant="outline"
        size="small"
        aria-describedby={`deleted-${note.id}`}
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
