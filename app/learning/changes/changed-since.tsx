import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api } from "#app/api/api.ts";
import { queryOf } from "#app/api/query.ts";
import { partWords } from "#contract/lesson-changes.ts";
import { formatSecond } from "#contract/lesson-start.ts";
import { listUnseenChanges, seeChanges, type UnseenChange } from "#contract/unseen-changes.ts";
import { Button } from "#ui/controls/button.tsx";
import { progressQuery } from "../course-queries.ts";
import type { Playhead } from "../playhead.ts";

const unseenQuery = queryOf(listUnseenChanges);

interface ChangedSinceProps {
  lessonId: string;
  playhead: Playhead;
  onWatch: (second: number) => void;
}

/** What changed in a lesson since the student began it. */
export default function ChangedSince(props: ChangedSinceProps) {
  const { data } = useQuery({ ...unseenQuery, staleTime: Number.POSITIVE_INFINITY });
  const changes = data?.filter(({ lessonId }) => lessonId === props.lessonId) ?? [];
  return changes.length > 0 && <Changes {...props} changes={changes} />;
}

interface ChangesProps extends ChangedSinceProps {
  /** The newest first. */
  changes: readonly UnseenChange[];
}

/**
 * Playing some of each changed part counts as seen, and so does the button. The note stays until the student leaves the
 * lesson, since it explains what is playing.
 */
function Changes({ lessonId, changes: unseen, playhead, onWatch }: ChangesProps) {
  const queryClient = useQueryClient();
  const [changes] = useState(unseen);
  const [isClosed, setIsClosed] = useState(false);
  const left = useRef(new Set(changes.map(({ id }) => id)));
  const [newest] = changes;

  useEffect(() => {
    const isOver = () => left.current.size === 0;
    const stop = playhead.subscribe(() => {
      const second = playhead.at(lessonId);
      if (second === null || isOver()) return;
      for (const { id, from, to } of changes) {
        if (from === null || to === null || (from <= second && second < to)) left.current.delete(id);
      }
      if (isOver() && newest) see(newest);
    });
    return () => {
      stop();
      if (isOver()) forget(queryClient, lessonId);
    };
  }, [changes, lessonId, newest, playhead, queryClient]);

  function close(): void {
    setIsClosed(true);
    if (newest) see(newest);
    forget(queryClient, lessonId);
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

/** Tells the server. Failing costs the student nothing: the note is there again next time. */
function see({ lessonId, id }: UnseenChange): void {
  void api(seeChanges, { params: { lessonId }, body: { changeId: id } }).catch(() => undefined);
}

/** Removes the marks of a lesson whose changes were seen. */
function forget(queryClient: QueryClient, lessonId: string): void {
  queryClient.setQueryData(progressQuery.queryKey, (list) =>
    list?.map((record) => (record.lessonId === lessonId ? { ...record, isChanged: undefined } : record)),
  );
  queryClient.setQueryData(unseenQuery.queryKey, (all) => all?.filter((change) => change.lessonId !== lessonId));
}
