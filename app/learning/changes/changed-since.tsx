import { useEffect, useRef, useState } from "react";
import { partWords } from "#contract/lesson-changes.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import type { UnseenChange } from "#contract/unseen-changes.ts";
import { Button } from "#ui/controls/button.tsx";
import type { Playhead } from "../playhead.ts";

interface ChangedSinceProps {
  lessonId: string;
  /** The newest first. */
  changes: readonly UnseenChange[];
  playhead: Playhead;
  onWatch: (second: number) => void;
  /** Called with the newest change once all were seen. */
  onSeen: (newest: UnseenChange) => void;
  /** Called once the note of seen changes is gone. */
  onLeft: () => void;
}

/**
 * What changed in a lesson since the student began it. Playing some of each changed part counts as seen, and so does the
 * button. The note stays until the student leaves the lesson, since it explains what is playing.
 */
export default function ChangedSince({
  lessonId,
  changes: unseen,
  playhead,
  onWatch,
  onSeen,
  onLeft,
}: ChangedSinceProps) {
  const [changes] = useState(unseen);
  const [isClosed, setIsClosed] = useState(false);
  const left = useRef(new Set(changes.map(({ id }) => id)));
  const leave = useRef(onLeft);
  const [newest] = changes;

  useEffect(() => {
    const isOver = () => left.current.size === 0;
    const stop = playhead.subscribe(() => {
      const second = playhead.at(lessonId);
      if (second === null || isOver()) return;
      for (const { id, from, to } of changes) {
        if (from === null || to === null || (from <= second && second < to)) left.current.delete(id);
      }
      if (isOver() && newest) onSeen(newest);
    });
    return () => {
      stop();
      if (isOver()) leave.current();
    };
  }, [changes, lessonId, newest, playhead, onSeen]);

  function close(): void {
    setIsClosed(true);
    if (newest) onSeen(newest);
    onLeft();
  }

  if (isClosed) return null;
  return (
    <section
      aria-label="Changed since you watched"
      className="grid gap-3 rounded-sm border-line-strong border-l-4 bg-sunken p-4 print:hidden"
    >
      <ul className="grid gap-3">
        {changes.map((change) => (
          <li key={change.id} className="grid gap-1">
            <p className="font-bold">Changed since you watched: {partWords(change) ?? "the whole lesson"}</p>
            <p className="max-w-[62ch] wrap-anywhere">{change.note}</p>
            {change.from !== null && <Watch from={change.from} onWatch={onWatch} />}
          </li>
        ))}
      </ul>
      <Button variant="outline" size="small" className="w-fit" onClick={close}>
        Got it
      </Button>
    </section>
  );
}

function Watch({ from, onWatch }: { from: number; onWatch: (second: number) => void }) {
  return (
    <button
      type="button"
      className="min-h-9 w-fit text-left text-sm underline underline-offset-4"
      onClick={() => onWatch(from)}
    >
      Watch from {formatSecond(from)}
    </button>
  );
}
