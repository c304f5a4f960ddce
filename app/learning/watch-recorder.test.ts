import { expect, test } from "vitest";
import type { ProgressNote } from "./progress-notes.ts";
import { createWatchRecorder } from "./watch-recorder.ts";

function openRecorder(record?: { isCompleted: boolean; watchTime: number; position: number }) {
  const notes: ProgressNote[] = [];
  const clock = { now: 0 };
  const recorder = createWatchRecorder({
    duration: 40,
    record,
    save: (note) => notes.push(note),
    now: () => clock.now,
  });
  return { notes, clock, recorder };
}

test("a playing lesson is saved every ten seconds", () => {
  const { notes, clock, recorder } = openRecorder();
  for (let second = 1; second <= 21; second++) {
    clock.now = second * 1000;
    recorder.saw([{ from: 0, to: second }], second);
  }
  expect(notes).toEqual([
    { watchTime: 10, position: 10 },
    { watchTime: 20, position: 20 },
  ]);
});

test("stopping saves once, and not again before something moved", () => {
  const { notes, recorder } = openRecorder();
  recorder.saw([{ from: 0, to: 3 }], 3);
  recorder.stop();
  recorder.stop();
  expect(notes).toEqual([{ watchTime: 3, position: 3 }]);
});

test("skipping to the end is not watching", () => {
  const { notes, recorder } = openRecorder();
  recorder.saw(
    [
      { from: 0, to: 1 },
      { from: 38, to: 39 },
    ],
    39,
  );
  recorder.stop();
  expect(notes).toEqual([{ watchTime: 2, position: 39 }]);
});

test("nine tenths complete a lesson, once", () => {
  const { notes, recorder } = openRecorder({ isCompleted: false, watchTime: 20, position: 20 });
  recorder.saw([{ from: 20, to: 36 }], 36);
  recorder.saw([{ from: 20, to: 37 }], 37);
  expect(notes).toEqual([{ watchTime: 36, position: 36, isCompleted: true }]);
});

test("the end completes a lesson however little of it was watched", () => {
  const { notes, recorder } = openRecorder();
  recorder.saw([{ from: 39, to: 40.2 }], 40.2);
  recorder.end();
  expect(notes.at(-1)).toEqual({ watchTime: 1.2, position: 40, isCompleted: true });
});

test("watch time begins with what was saved", () => {
  const { notes, recorder } = openRecorder({ isCompleted: true, watchTime: 40, position: 40 });
  recorder.saw([{ from: 0, to: 5 }], 5);
  recorder.stop();
  expect(notes).toEqual([{ watchTime: 40, position: 5 }]);
});

test("a watched lesson that was marked as not completed stays so until its end", () => {
  const { notes, recorder } = openRecorder({ isCompleted: false, watchTime: 40, position: 4 });
  recorder.saw([{ from: 4, to: 8 }], 8);
  recorder.stop();
  expect(notes).toEqual([{ watchTime: 40, position: 8 }]);
  recorder.end();
  expect(notes.at(-1)).toEqual({ watchTime: 40, position: 8, isCompleted: true });
});
