import { useState } from "react";
import { DeletedNote, NoteItem, type NoteItemProps } from "./note-item.tsx";

interface NoteListProps extends Pick<NoteItemProps, "notes" | "isOpen" | "onWriting" | "onDropped"> {
  /** The list's accessible name. */
  label: string;
  lessonId: string;
  /** The note that the student has asked to write, and how often one was asked for. */
  fresh?: { id: string; visit: number };
}

/** The notes of a lesson, with editing, deleting and undo. */
export function NoteList({ label, lessonId, notes, fresh, ...item }: NoteListProps) {
  const { entries, restore } = notes;
  const [focused, setFocused] = useState<string | null>(null);
  return (
    <ul aria-label={label} className="border-line border-t">
      {entries
        .filter((entry) => entry.lessonId === lessonId)
        .map((entry) => (
          <li key={entry.id} className="border-line border-b py-1.5">
            {entry.note && entry.isDeleted ? (
              <DeletedNote
                note={entry.note}
                isPending={restore.isPending}
                onUndo={() => entry.note && restore.mutate(entry.note, { onSuccess: ({ id }) => setFocused(id) })}
              />
            ) : (
              <NoteItem
                key={entry.id === fresh?.id ? fresh.visit : 0}
                entry={entry}
                notes={notes}
                isFresh={entry.id === fresh?.id}
                isFocused={entry.id === focused}
                {...item}
              />
            )}
          </li>
        ))}
    </ul>
  );
}
