import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "#app/api/api.ts";
import { partWords, seeChanges, type UnseenChange } from "#contract/lesson-changes.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { Button } from "#ui/controls/button.tsx";
import type { Playhead } from "../playhead.ts";
import { unseenQuery } from "./unseen-changes.ts";

interface ChangedSinceProps {
  lessonId: string;
  /** The newest first. */
  changes: readonly UnseenChange[];
  playhead: Playhead;
  onWatch: (second: number) => void;
}

/**
 * What changed in a lesson since the student began it. Playing some of each changed part counts as seen, and so does the
 * button. The note stays until the student leaves the lesson, since it explains what is playing.
 */
export function ChangedSince({ lessonId, changes: unseen, playhead, onWatch }: ChangedSinceProps) {
  const [changes] = useState(unseen);
  const [isClosed, setIsClosed] = useState(false);
  const left = useRef(new Set(changes.map(({ id }) => id)));
  const queryClient = useQueryClient();
  const newest = changes[0]?.id ?? "";

  useEffect(() => {
    const see = () => {
      // Failing costs the student nothing: the note is there again next time.
      void api(seeChanges, { params: { lessonId }, body: { changeId: newest } }).catch(() => undefined);
    };
    const isOver = () => left.current.size === 0;
    const stop = playhead.subscribe(() => {
      const second = playhead.at(lessonId);
      if (second === null || isOver()) return;
      for (const { id, from, to } of changes) {
        if (from === null || to === null || (from <= second && second < to)) left.current.delete(id);
      }
      if (isOver()) see();
    });
    return () => {
      stop();
      if (!isOver()) return;
      queryClient.setQueryData(unseenQuery.queryKey, (all) => all?.filter((one) => one.lessonId !== lessonId));
    };
  }, [changes, lessonId, newest, playhead, queryClient]);

  async function close(): Promise<void> {
    setIsClosed(true);
    const rest = await api(seeChanges, { params: { lessonId }, body: { changeId: newest } }).catch(() => null);
    if (rest) queryClient.setQueryData(unseenQuery.queryKey, rest);
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
      <Button variant="outline" size="small" className="w-fit" onClick={() => void close()}>
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
