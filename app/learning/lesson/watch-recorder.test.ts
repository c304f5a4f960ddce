import { expect, test } from "vitest";
import type { ProgressNote } from "../progress/notes.ts";
import { createWatchRecorder } from "./watch-recorder.ts";

/** A player that plays, pauses and seeks on demand, and sends its events to a recorder. */
function openPlayer(chance = 0) {
  const notes: ProgressNote[] = [];
  const due: number[] = [];
  let passed = 0;
  const recorder = createWatchRecorder({
    note: (note, isDue) => {
      notes.push(note);
      if (isDue) due.push(passed);
    },
    clock: { passed: () => passed, date: () => 1_000_000 + passed },
    chance: () => chance,
  });
  const player = { currentTime: 0, paused: true, seeking: false };
  return {
    notes,
    /** The times of the notes that are due, in milliseconds. */
    due,
    recorder,
    /** Plays this many seconds of the lesson, with four events per second of the clock. */
    play(seconds: number, rate = 1) {
      player.paused = false;
      recorder.saw(player);
      for (let quarter = 0; quarter < (seconds / rate) * 4; quarter++) {
        passed += 250;
        player.currentTime += rate / 4;
        recorder.saw(player);
      }
    },
    pause() {
      player.paused = true;
      recorder.saw(player);
      recorder.stop();
    },
    seek(to: number) {
      player.currentTime = to;
      player.seeking = true;
      recorder.saw(player);
      passed += 100;
      player.seeking = false;
      recorder.saw(player);
      recorder.stop();
    },
    /** Plays on without events. */
    runOn(seconds: number) {
      passed += seconds * 1000;
      player.currentTime += seconds;
    },
    sleep(seconds: number) {
      passed += seconds * 1000;
    },
  };
}

test("a playing lesson is noted at once and then every ten seconds, each time with everything played", () => {
  const { notes, play } = openPlayer();
  play(21);
  expect(notes).toEqual([
    { watched: [], position: 0, at: 1_000_000 },
    { watched: [{ from: 0, to: 10 }], position: 10, at: 1_010_000 },
    { watched: [{ from: 0, to: 20 }], position: 20, at: 1_020_000 },
  ]);
});

test("while playing, notes are sent every thirty to forty seconds, and after other events at once", () => {
  for (const [chance, every] of [
    [0, 30_000],
    [0.75, 37_500],
  ] as const) {
    const { due, play, pause, seek } = openPlayer(chance);
    play(80);
    expect(due).toEqual([0, every, 2 * every]);
    pause();
    expect(due.slice(3)).toEqual([80_000]);
    seek(5);
    expect(due.slice(4)).toEqual([80_100]);
    play(every / 1000);
    expect(due.slice(5)).toEqual([80_100 + every]);
  }
});

test("unsent notes are sent when the player stops", () => {
  const { notes, due, play, pause } = openPlayer();
  play(10);
  expect(due).toEqual([0]);
  pause();
  expect(due).toEqual([0, 10_000]);
  expect(notes.at(-1)?.watched).toEqual([{ from: 0, to: 10 }]);
});

test("opening a lesson and seeking without playing notes nothing", () => {
  const { notes, seek, recorder } = openPlayer();
  seek(12);
  recorder.stop();
  expect(notes).toEqual([]);
});

test("stopping notes once, and not again until the position changes", () => {
  const { notes, play, pause, recorder } = openPlayer();
  play(3);
  pause();
  recorder.stop();
  expect(notes.slice(1)).toEqual([{ watched: [{ from: 0, to: 3 }], position: 3, at: 1_003_000 }]);
});

test("leaving the page counts what was played since the last event", () => {
  const { notes, play, recorder, runOn } = openPlayer();
  play(3);
  runOn(0.2);
  recorder.stop();
  expect(notes.at(-1)).toMatchObject({ watched: [{ from: 0, to: 3.2 }], position: 3.2 });
});

test("seeking forwards or backwards does not count as watching", () => {
  const { notes, play, seek, pause } = openPlayer();
  play(2);
  seek(30);
  play(4);
  seek(1);
  play(2);
  pause();
  expect(notes.at(-1)).toMatchObject({
    watched: [
      { from: 0, to: 3 },
      { from: 30, to: 34 },
    ],
    position: 3,
  });
});

test("double speed counts as watching, and higher speeds set by scripts do not", () => {
  const { notes, play, pause, seek } = openPlayer();
  play(10, 2);
  pause();
  expect(notes.at(-1)?.watched).toEqual([{ from: 0, to: 10 }]);
  seek(20);
  play(400, 16);
  pause();
  expect(notes.at(-1)?.watched).toEqual([{ from: 0, to: 10 }]);
});

test("nothing counts while the machine sleeps with the lesson paused", () => {
  const { notes, play, pause, sleep } = openPlayer();
  play(5);
  pause();
  sleep(3600);
  play(1);
  pause();
  expect(notes.at(-1)).toMatchObject({ watched: [{ from: 0, to: 6 }], position: 6 });
});
