import { expect, test } from "vitest";
import type { ProgressNote } from "./progress-notes.ts";
import { createProgressSaver } from "./progress-saver.ts";

/** A saver whose requests are answered by hand, in order. */
function openSaver() {
  const requests: {
    lessonId: string;
    note: ProgressNote;
    leaving: boolean;
    answer: (error?: Error) => Promise<void>;
  }[] = [];
  let unsaved = 0;
  const saver = createProgressSaver({
    send: (lessonId, note, { leaving }) =>
      new Promise<void>((resolve, reject) => {
        requests.push({
          lessonId,
          note,
          leaving,
          answer: async (error) => {
            if (error) reject(error);
            else resolve();
            await new Promise((settled) => setImmediate(settled));
          },
        });
      }),
    mayRetry: (error) => (error as Error).message !== "refused",
    onUnsaved: (count) => {
      unsaved = count;
    },
  });
  return { saver, requests, unsavedCount: () => unsaved };
}

test("a failed save is merged into the next one", async () => {
  const { saver, requests, unsavedCount } = openSaver();
  saver.note("lesson-1-1", { watchTime: 10, position: 10, isCompleted: true });
  await requests[0]?.answer(new Error("offline"));
  expect(unsavedCount()).toBe(1);
  saver.note("lesson-1-1", { watchTime: 8, position: 20 });
  expect(requests[1]?.note).toEqual({ watchTime: 10, position: 20, isCompleted: true });
  await requests[1]?.answer();
  expect(unsavedCount()).toBe(0);
});

test("what failed for one lesson is saved along with the next", async () => {
  const { saver, requests } = openSaver();
  saver.note("lesson-1-1", { position: 10 });
  await requests[0]?.answer(new Error("offline"));
  saver.note("lesson-1-2", { position: 1 });
  expect(requests.slice(1).map(({ lessonId }) => lessonId)).toEqual(["lesson-1-1", "lesson-1-2"]);
});

test("notes taken during a save go out as one when it is done", async () => {
  const { saver, requests } = openSaver();
  saver.note("lesson-1-1", { position: 1 });
  saver.note("lesson-1-1", { position: 2, watchTime: 2 });
  saver.note("lesson-1-1", { position: 3, watchTime: 3 });
  expect(requests).toHaveLength(1);
  await requests[0]?.answer();
  expect(requests[1]?.note).toEqual({ position: 3, watchTime: 3 });
});

test("a save that the server refuses for good is not tried again", async () => {
  const { saver, requests, unsavedCount } = openSaver();
  saver.note("lesson-1-1", { position: 1 });
  await requests[0]?.answer(new Error("refused"));
  saver.retry();
  expect(requests).toHaveLength(1);
  expect(unsavedCount()).toBe(0);
});

test("leaving sends what is under way and what waits, in one request per lesson", async () => {
  const { saver, requests } = openSaver();
  saver.note("lesson-1-1", { position: 1, isCompleted: true });
  saver.note("lesson-1-1", { position: 5 });
  saver.leave();
  expect(requests[1]).toMatchObject({ leaving: true, note: { position: 5, isCompleted: true } });
  expect(requests).toHaveLength(2);
});
