import { expect, test } from "vitest";
import { keepNotes } from "./kept-notes.ts";
import type { ProgressNote } from "./notes.ts";
import { createProgressSaver, type LessonNote } from "./saver.ts";

/** A browser's storage for a site. Pages that share it are tabs of one browser. */
function openStore(): Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length"> {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    key: (at) => [...items.keys()][at] ?? null,
    get length() {
      return items.size;
    },
  };
}

/** A saver whose requests and timers the test completes by hand. */
function openSaver(store: ReturnType<typeof openStore> | null = openStore(), userId = "jo") {
  const requests: {
    notes: Record<string, ProgressNote>;
    leaving: boolean;
    answer: (error?: Error) => Promise<void>;
  }[] = [];
  const waits: { milliseconds: number; end: () => void }[] = [];
  const state = { isUnsaved: false, refused: [] as string[] };
  const saver = createProgressSaver({
    kept: keepNotes(userId, store),
    most: 2,
    send: (notes: readonly LessonNote[], { leaving }) =>
      new Promise<void>((resolve, reject) => {
        requests.push({
          notes: structuredClone(Object.fromEntries(notes)),
          leaving,
          answer: async (error) => {
            if (error) reject(error);
            else resolve();
            await new Promise((settled) => setImmediate(settled));
          },
        });
      }),
    mayRetry: (error) => (error as Error).message !== "refused",
    onRefused: (notes) => state.refused.push(...notes.map(([lessonId]) => lessonId)),
    later: (end, milliseconds) => {
      const wait = { milliseconds, end };
      waits.push(wait);
      return () => waits.splice(waits.indexOf(wait), 1);
    },
    onUnsaved: (isUnsaved) => {
      state.isUnsaved = isUnsaved;
    },
  });
  return { saver, requests, waits, state };
}

const note = (from: number, to: number): ProgressNote => ({ watched: [{ from, to }], position: to, at: to * 1000 });

test("notes made during a request are sent as one after its reply", async () => {
  const { saver, requests } = openSaver();
  saver.note("lesson-1-1", note(0, 10), true);
  saver.note("lesson-1-1", note(10, 20), true);
  saver.note("lesson-1-1", note(40, 50), true);
  expect(requests).toHaveLength(1);
  await requests[0]?.answer();
  expect(requests[1]?.notes["lesson-1-1"]).toEqual({
    watched: [
      { from: 0, to: 20 },
      { from: 40, to: 50 },
    ],
    position: 50,
    at: 50_000,
  });
  await requests[1]?.answer();
  expect(requests).toHaveLength(2);
});

test("a note that is not due is kept, and is sent with the next one or when the page closes", async () => {
  const { saver, requests } = openSaver();
  saver.note("lesson-1-1", note(0, 10), false);
  expect(requests).toHaveLength(0);
  saver.note("lesson-1-1", note(10, 20), true);
  expect(requests[0]?.notes["lesson-1-1"]?.watched).toEqual([{ from: 0, to: 20 }]);
  await requests[0]?.answer();
  saver.note("lesson-1-1", note(20, 30), false);
  saver.leave();
  expect(requests[1]).toMatchObject({ leaving: true, notes: { "lesson-1-1": note(20, 30) } });
});

test("browsers that fail together retry spread over ten seconds", async () => {
  const waits = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const { saver, requests, waits } = openSaver();
      saver.note("lesson-1-1", note(0, 10), true);
      await requests[0]?.answer(new Error("busy"));
      return waits[0]?.milliseconds ?? 0;
    }),
  );
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(7500);
  expect(Math.max(...waits)).toBeLessThanOrEqual(17_500);
  expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(8000);
});

test("failed notes are kept, retried after ever longer waits, and sent with newer ones", async () => {
  const { saver, requests, waits, state } = openSaver();
  saver.note("lesson-1-1", note(0, 10), true);
  await requests[0]?.answer(new Error("offline"));
  expect(state.isUnsaved).toBe(true);
  saver.note("lesson-1-2", note(0, 5), true);
  expect(requests).toHaveLength(1);
  for (const failure of [1, 2, 3]) {
    waits.at(-1)?.end();
    await requests[failure]?.answer(new Error("offline"));
  }
  expect(waits).toHaveLength(1);
  expect(waits[0]?.milliseconds).toBeGreaterThan(50_000);
  saver.retry();
  expect(waits).toHaveLength(0);
  expect(Object.keys(requests.at(-1)?.notes ?? {})).toEqual(["lesson-1-1", "lesson-1-2"]);
  await requests.at(-1)?.answer();
  expect(state.isUnsaved).toBe(false);
});

test("the notes of a long absence are sent in several requests, one after the other", async () => {
  const { saver, requests } = openSaver();
  saver.note("lesson-1-1", note(0, 1), true);
  for (const lesson of ["lesson-1-2", "lesson-1-3"]) saver.note(lesson, note(0, 1), true);
  await requests[0]?.answer();
  await requests[1]?.answer();
  expect(requests.map(({ notes }) => Object.keys(notes).length)).toEqual([1, 2]);
});

test("the next page of the same student sends what was unconfirmed when the last one closed", async () => {
  const store = openStore();
  const first = openSaver(store);
  first.saver.note("lesson-1-1", note(0, 10), true);
  await first.requests[0]?.answer(new Error("offline"));
  const other = openSaver(store, "kim");
  other.saver.retry();
  expect(other.requests).toHaveLength(0);
  const next = openSaver(store);
  next.saver.retry();
  expect(next.requests[0]?.notes).toEqual({ "lesson-1-1": note(0, 10) });
  await next.requests[0]?.answer();
  const last = openSaver(store);
  last.saver.retry();
  expect(last.requests).toHaveLength(0);
});

test("two tabs with the same lesson keep what was watched in both", async () => {
  const store = openStore();
  const [one, two] = [openSaver(store), openSaver(store)];
  one.saver.note("lesson-1-1", note(0, 10), true);
  two.saver.note("lesson-1-1", note(20, 30), true);
  await one.requests[0]?.answer();
  expect(one.requests[1]?.notes["lesson-1-1"]?.watched).toEqual([
    { from: 0, to: 10 },
    { from: 20, to: 30 },
  ]);
});

test("a note that the server refuses permanently is reported and not sent again", async () => {
  const { saver, requests, state } = openSaver();
  saver.note("lesson-1-1", note(0, 1), true);
  await requests[0]?.answer(new Error("refused"));
  saver.retry();
  expect(requests).toHaveLength(1);
  expect(state).toEqual({ isUnsaved: false, refused: ["lesson-1-1"] });
});

test("a closed page schedules no retry, and continues when it is opened again", async () => {
  const { saver, requests, waits } = openSaver();
  saver.note("lesson-1-1", note(0, 10), true);
  await requests[0]?.answer(new Error("offline"));
  expect(waits).toHaveLength(1);
  saver.close();
  expect(waits).toHaveLength(0);
  saver.note("lesson-1-1", note(10, 12), true);
  await requests[1]?.answer(new Error("offline"));
  expect(waits).toHaveLength(0);
  saver.retry();
  await requests[2]?.answer(new Error("offline"));
  expect(waits).toHaveLength(1);
});

test("leaving sends all unconfirmed notes at once", () => {
  const { saver, requests } = openSaver();
  saver.note("lesson-1-1", note(0, 10), true);
  saver.note("lesson-1-1", note(10, 15), true);
  saver.leave();
  expect(requests[1]).toMatchObject({ leaving: true, notes: { "lesson-1-1": { watched: [{ from: 0, to: 15 }] } } });
  expect(requests).toHaveLength(2);
});

test("on leaving, no request has more notes than the server accepts", () => {
  const { saver, requests } = openSaver();
  for (const lesson of [1, 2, 3]) saver.note(`lesson-1-${lesson}`, note(0, 10), false);
  saver.leave();
  expect(requests.map(({ notes }) => Object.keys(notes).length)).toEqual([2, 1]);
});

test("without browser storage, notes are still saved while the page is open", async () => {
  const { saver, requests } = openSaver(null);
  saver.note("lesson-1-1", note(0, 10), true);
  await requests[0]?.answer(new Error("offline"));
  saver.note("lesson-1-1", note(10, 12), true);
  saver.retry();
  expect(requests[1]?.notes["lesson-1-1"]?.watched).toEqual([{ from: 0, to: 12 }]);
});
