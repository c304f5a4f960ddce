import { useRef, useState } from "react";
import type { Lesson } from "#contract/catalogue.ts";
import { Button } from "#ui/controls/button.tsx";
import { Checkbox } from "#ui/controls/field.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { useKeptChoice } from "../kept-choice.ts";
import type { Playhead } from "../playhead.ts";
import { NoteList } from "./note-list.tsx";
import { useNotes } from "./notes.ts";

interface LessonNotesProps {
  lesson: Lesson;
  playhead: Playhead;
  /** Where the lesson would begin to play, in seconds. */
  begin: number;
}

/** The student's notes in the current lesson. */
export default function LessonNotes({ lesson, playhead, begin }: LessonNotesProps) {
  const notes = useNotes();
  const { list, entries } = notes;
  const [fresh, setFresh] = useState({ id: "", visit: 0 });
  const [pauses, choosePauses] = useKeptChoice<"yes" | "no">("pause-while-writing", "yes");
  const resume = useRef<(() => void) | null>(null);
  const add = useRef<HTMLButtonElement>(null);
  const ofLesson = entries.filter(({ lessonId }) => lessonId === lesson.id);

  function write(): void {
    const at = Math.floor(playhead.at(lesson.id) ?? begin);
    const known = ofLesson.find((entry) => entry.at === at && !entry.isDeleted);
    setFresh({ id: known?.id ?? notes.begin(lesson.id, at), visit: fresh.visit + 1 });
  }

  function handleWriting(isWriting: boolean): void {
    if (isWriting && pauses === "yes") resume.current ??= playhead.pause();
    if (isWriting) return;
    resume.current?.();
    resume.current = null;
  }

  if (list.isError) return <PartFailed what="your notes" retry={list.refetch} />;
  if (!list.data) return <PartLoading what="your notes" className="h-36" />;
  return (
    <div className="grid content-start gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 print:hidden">
        <Button ref={add} variant="outline" size="small" onClick={write}>
          Add a note
        </Button>
        <Checkbox
          label="Pause while I write"
          checked={pauses === "yes"}
          onChange={({ target }) => choosePauses(target.checked ? "yes" : "no")}
        />
      </div>
      {ofLesson.length === 0 ? (
        <p className="text-ink-soft text-sm">Write down what matters at this moment. Only you can read your notes.</p>
      ) : (
        <NoteList
          label="Notes of this lesson"
          lessonId={lesson.id}
          notes={notes}
          isOpen
          fresh={fresh}
          onWriting={handleWriting}
          onDropped={() => add.current?.focus()}
        />
      )}
    </div>
  );
}
