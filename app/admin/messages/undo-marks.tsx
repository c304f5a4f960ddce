import { useEffect, useRef, useState } from "react";
import { api } from "#app/api/api.ts";
import { type Marked, undoMarks } from "#contract/admin/contacts.ts";
import { Button } from "#ui/controls/button.tsx";
import { useAct } from "../act.ts";
import { useEntryState } from "../entry-state.ts";

/** The last marks made on this page, until they are undone or dismissed. */
export function useMarked() {
  const [last, setLast] = useEntryState<Marked>("marked");
  const [isNew, setIsNew] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  return {
    /** For the element around everything. It gets the focus once there is nothing left to undo. */
    frame,
    last,
    isNew,
    keep(reply: Marked): void {
      setIsNew(true);
      if (reply.marks.length > 0) setLast(reply);
    },
    forget(): void {
      frame.current?.focus();
      setLast(null);
    },
  };
}

/** What was marked, with the undo. */
export function UndoMarks({ marked: { last, isNew, forget } }: { marked: ReturnType<typeof useMarked> }) {
  const button = useRef<HTMLButtonElement>(null);
  const undo = useAct(
    (marks: readonly string[]) => api(undoMarks, { body: { marks: [...marks] } }),
    { done: ({ message }) => message, failed: "Failed to undo it" },
    forget,
  );
  // Takes the focus, because the pressed button disappears with the selection, or with the state that it changed.
  useEffect(() => {
    if (last && isNew) button.current?.focus();
  }, [last, isNew]);
  if (!last) return null;
  return (
    <section
      aria-label="Last change"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-sunken px-4 py-2.5 xl:col-span-full"
    >
      <p className="mr-auto text-sm">{last.message}.</p>
      <div className="flex flex-wrap gap-2">
        <Button
          ref={button}
          variant="outline"
          size="small"
          pending={undo.isPending}
          onClick={() => undo.mutate(last.marks)}
        >
          Undo
        </Button>
        <Button variant="quiet" size="small" onClick={forget}>
          Dismiss
        </Button>
      </div>
    </section>
  );
}
