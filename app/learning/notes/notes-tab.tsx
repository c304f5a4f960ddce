import { saveBody } from "#app/api/api.ts";
import type { Module } from "#contract/catalogue.ts";
import { Button } from "#ui/controls/button.tsx";
import { PartFailed, PartLoading } from "#ui/feedback/part.tsx";
import { byModule } from "./by-module.ts";
import { notesInMarkdown } from "./markdown.ts";
import { NoteList } from "./note-list.tsx";
import { useNotes } from "./notes.ts";

/** All notes of the student, by module and lesson. */
export default function NotesTab({ modules }: { modules: readonly Module[] }) {
  const notes = useNotes();
  const { list, entries } = notes;

  function download(): void {
    const text = notesInMarkdown(modules, list.data ?? [], window.location.origin);
    const headers = { "content-type": "text/markdown; charset=utf-8", "content-disposition": 'filename="notes.md"' };
    void saveBody(new Response(text, { headers }));
  }

  return (
    <div className="grid gap-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 className="wide text-title">Your notes</h2>
        {list.data && list.data.length > 0 && (
          <Button variant="outline" size="small" onClick={download} className="print:hidden">
            Download as Markdown
          </Button>
        )}
      </div>
      {list.isPending ? (
        <PartLoading what="your notes" />
      ) : list.isError ? (
        <PartFailed what="your notes" retry={list.refetch} />
      ) : entries.length === 0 ? (
        <p className="max-w-[62ch] text-ink-soft">
          No notes yet. While you watch a lesson, open “Notes” beside the video and select “Add a note”. Only you can
          read your notes.
        </p>
      ) : (
        byModule(modules, entries).map(({ title, lessons }) => (
          <section key={title} aria-label={title} className="grid max-w-3xl gap-6">
            <h3 className="printed text-ink-soft">{title}</h3>
            {lessons.map(({ id, title, isOpen }) => (
              <section key={id} aria-label={title} className="grid gap-2">
                <h4 className="wide text-heading">{title}</h4>
                {!isOpen && (
                  <p className="text-ink-soft">Your plan doesn’t include this lesson. We’ve kept your notes.</p>
                )}
                <NoteList label={`Notes of ${title}`} lessonId={id} notes={notes} isOpen={isOpen} />
              </section>
            ))}
          </section>
        ))
      )}
    </div>
  );
}
