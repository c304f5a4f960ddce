import fc from "fast-check";
import { expect, test } from "vitest";
import { openDb } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { databaseOfFile } from "#test/fixtures.ts";
import { mergeProgress } from "./queries.ts";
import { claimOf, enoughOf } from "./rules.ts";

// Notes as two tabs, a bad network and a forger send them go through the real statement and through a model that keeps
// one mark for each hundredth of a second. After each note both must say the same.

/** `merge.long.test.ts` has more. */
const runs = Number(process.env.MERGE_RUNS ?? 20);
const durationSeconds = 20;
const length = durationSeconds * 100;
const lessonId = "lesson-t-1";
const start = Date.parse("2026-03-01T12:00:00.000Z");

const { pool } = await databaseOfFile();
const db = openDb(pool);
await pool.query(
  "insert into modules (id, position, title, description, required_tier, updated_at) values ('module-t', 90, 'T', 'T', 'basic', now())",
);
await pool.query(
  "insert into lessons (id, module_id, position, title, description, duration_seconds, video_id, updated_at) values ($1, 'module-t', 0, 'T', 'T', $2, 'sample:t', now())",
  [lessonId, durationSeconds],
);

interface Note {
  watched?: [number, number][];
  watchTime?: number;
  position?: number;
  isCompleted?: boolean;
  /** Milliseconds since `start`: when it was so, and when it arrives by the server's clock. */
  at: number;
  now: number;
}

async function newStudent(): Promise<string> {
  const id = newId();
  await pool.query("insert into users (id, email, created_at, updated_at) values ($1, $2, now(), now())", [
    id,
    `${id}@example.test`,
  ]);
  return id;
}

function send(userId: string, { now, at, isCompleted, position, ...said }: Note) {
  return mergeProgress(db, {
    userId,
    lessonId,
    moduleId: "module-t",
    isCompleted: isCompleted ?? null,
    claim: claimOf({ ...said, position }, durationSeconds),
    position: position === undefined ? null : Math.min(position, durationSeconds),
    videoId: "sample:t",
    enough: enoughOf(durationSeconds),
    at: new Date(start + Math.min(at, now)),
    now: new Date(start + now),
    openedAt: new Date(start + now),
  });
}

/** What the record of a lesson must be, told as plainly as can be. */
class Model {
  readonly marks = new Set<number>();
  isCompleted = false;
  completedBy: string | null = null;
  position = 0;
  private positionAt = Number.NEGATIVE_INFINITY;
  private lastAt = Number.NEGATIVE_INFINITY;
  private creditSince: number | undefined;

  note({ watched, watchTime, position, isCompleted, at, now }: Note): void {
    this.creditSince ??= now - 1500;
    const before = this.marks.size;
    const said = this.saidBy(watched, watchTime, position ?? 0);
    if (said) {
      const most = Math.min(Math.floor((now - this.creditSince) / 5), said.total - before);
      const fresh = [...said.marks].filter((mark) => !this.marks.has(mark)).sort((a, b) => b - a);
      for (const mark of fresh.slice(0, Math.max(0, most))) this.marks.add(mark);
      this.creditSince = Math.max(this.creditSince + (this.marks.size - before) * 5, now - 1500);
    }
    const enough = length * 0.9;
    // What another device has completed meanwhile stays completed.
    const marked = isCompleted === false && Math.min(at, now) < this.lastAt ? undefined : isCompleted;
    this.lastAt = Math.max(this.lastAt, Math.min(at, now));
    this.isCompleted = marked ?? (this.isCompleted || (before < enough && this.marks.size >= enough));
    if (this.marks.size >= enough) this.completedBy = "coverage";
    else if (this.completedBy !== "coverage") this.completedBy = this.isCompleted ? "button" : null;
    if (position !== undefined && Math.min(at, now) >= this.positionAt) {
      this.position = Math.min(position, durationSeconds);
      this.positionAt = Math.min(at, now);
    }
  }

  private saidBy(watched: Note["watched"], watchTime: number | undefined, position: number) {
    const hundredths = (seconds: number) => Math.min(length, Math.round(seconds * 100));
    const marks = new Set<number>();
    const mark = (from: number, to: number) => {
      for (let at = from; at < to; at++) marks.add(at);
    };
    if (watched) {
      for (const [from, to] of watched) mark(hundredths(from), hundredths(to));
      return { marks, total: length };
    }
    if (watchTime === undefined) return null;
    const total = hundredths(watchTime);
    const from = Math.max(0, hundredths(position) - total);
    mark(from, from + total);
    return { marks, total };
  }
}

const seconds = fc.integer({ min: 0, max: 2500 }).map((hundredths) => hundredths / 100);
const instant = fc.integer({ min: 0, max: 60_000 });
const stretch = fc.tuple(seconds, seconds).map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);

/** Somebody who says whatever they like. */
const forged: fc.Arbitrary<Note> = fc.record(
  {
    watched: fc.array(stretch, { maxLength: 5 }),
    watchTime: seconds,
    position: seconds,
    isCompleted: fc.boolean(),
    at: instant,
    now: instant,
  },
  { requiredKeys: ["at", "now"] },
);

/** A tab that plays: a few stretches one after the other, each note with all of them so far. */
const tab: fc.Arbitrary<Note[]> = fc
  .record({
    opened: fc.integer({ min: 0, max: 20_000 }),
    plays: fc.array(
      fc.record({ from: seconds, length: fc.integer({ min: 1, max: 400 }), rate: fc.constantFrom(0.75, 1, 1.5, 2) }),
      { maxLength: 5 },
    ),
  })
  .map(({ opened, plays }) => {
    const watched: [number, number][] = [];
    const notes: Note[] = [{ watched: [], position: 0, at: opened, now: opened }];
    let now = opened;
    for (const { from, length, rate } of plays) {
      const to = Math.round(from * 100 + length) / 100;
      watched.push([from, to]);
      now += Math.round((length * 10) / rate);
      notes.push({ watched: structuredClone(watched), position: to, at: now, now });
    }
    return notes;
  });

/** What the network makes of a note: lost, or here once or twice, each time after a while; clocks may jump back. */
const delays = fc.array(fc.integer({ min: -3000, max: 15_000 }), { maxLength: 2 });

const arrivals = fc
  .tuple(tab, tab, fc.array(forged, { maxLength: 4 }))
  .chain(([one, two, lies]) => {
    const notes = [...one, ...two, ...lies];
    return fc.tuple(fc.constant(notes), fc.array(delays, { minLength: notes.length, maxLength: notes.length }));
  })
  .map(([notes, late]) =>
    notes
      .flatMap((note, index) =>
        (late[index] ?? []).map((delay) => ({ order: note.now + Math.abs(delay), note, delay })),
      )
      .sort((a, b) => a.order - b.order)
      .map(({ note, delay }): Note => ({ ...note, now: note.now + delay })),
  );

test("for any notes record and model agree, and coverage never falls nor exceeds the lesson [F05]", async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async (notes) => {
      const student = await newStudent();
      const model = new Model();
      let watchTime = 0;
      for (const note of notes) {
        const row = await send(student, note);
        model.note(note);
        expect(row).toMatchObject({
          watchTime: model.marks.size / 100,
          isCompleted: model.isCompleted,
          completedBy: model.completedBy,
          position: model.position,
        });
        expect(row.completedAt !== null).toBe(row.isCompleted);
        expect(row.watchTime).toBeGreaterThanOrEqual(watchTime);
        expect(row.watchTime).toBeLessThanOrEqual(durationSeconds);
        watchTime = row.watchTime;
      }
    }),
    { numRuns: 2 * runs },
  );
});

test("notes with enough time between them add up to exactly what was played, in any order [F05]", async () => {
  await fc.assert(
    fc.asyncProperty(tab, tab, fc.integer(), async (one, two, seed) => {
      const student = await newStudent();
      const notes = [...one, ...two];
      const shuffled = notes
        .map((note, index) => ({ note, key: Math.sin(seed + index * 7919) }))
        .sort((a, b) => a.key - b.key);
      // After all of them were made: offline until then.
      let now = 60_000;
      await send(student, { watched: [], at: 0, now });
      for (const { note } of shuffled) {
        now += durationSeconds * 1000;
        await send(student, { ...note, now });
      }
      const played = new Model();
      played.note({ watched: [], at: 0, now: 60_000 });
      played.note({ watched: notes.flatMap(({ watched }) => watched ?? []), at: 0, now });
      const { watchTime, position } = await send(student, { at: 0, now });
      expect(watchTime).toBe(played.marks.size / 100);
      const latest = notes.reduce((last, note) => Math.max(last, note.at), 0);
      expect(
        notes.filter(({ at }) => at === latest).map((note) => Math.min(note.position ?? 0, durationSeconds)),
      ).toContain(position);
    }),
    { numRuns: runs },
  );
});

test("notes of several students in one batch are merged as if sent alone, and a bad one fails alone [F05]", async () => {
  const unknown = fc.array(fc.nat(40), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(arrivals, { minLength: 1, maxLength: 4 }), unknown, async (each, bad) => {
      const sent = await Promise.all(
        each.map(async (notes) => ({ student: await newStudent(), model: new Model(), notes })),
      );
      const inTurns = Array.from({ length: Math.max(...each.map(({ length }) => length)) }, (_, at) =>
        sent.flatMap(({ student, model, notes }) => (notes[at] ? [{ student, model, note: notes[at] }] : [])),
      ).flat();
      // The first call of all begins at once, and those after it are one group.
      const group: ((typeof inTurns)[number] | null)[] = [...inTurns];
      for (const at of bad) group.splice(Math.min(at, group.length), 0, null);
      const expected = group.map((one) => {
        if (!one) return { status: "rejected" };
        one.model.note(one.note);
        const { marks, isCompleted, position } = one.model;
        return { status: "fulfilled", value: { watchTime: marks.size / 100, isCompleted, position } };
      });
      const ofNobody: Note = { watched: [[0, 1]], at: 0, now: 0 };
      const merged = await Promise.allSettled(
        group.map((one) => (one ? send(one.student, one.note) : send("nobody", ofNobody))),
      );
      expect(merged).toMatchObject(expected);
    }),
    { numRuns: runs },
  );
});

test("a hundred concurrent notes of one record are merged one after the other [F05]", async () => {
  const student = await newStudent();
  await send(student, { watched: [], at: 0, now: 0 });
  const notes = Array.from({ length: 100 }, (_, at): Note => {
    const from = ((at * 37) % 100) / 5;
    return { watched: [[from, from + 0.2]], position: from, at, now: 60_000 };
  });
  await Promise.all(notes.map((note) => send(student, note)));
  // The first of them to arrive has the time since the lesson was opened, the others share the slack of three seconds.
  const { watchTime, position } = await send(student, { at: 0, now: 60_000 });
  expect(watchTime).toBe(3.2);
  expect(position).toBe(notes.at(-1)?.position);
  await send(student, { watched: [[0, durationSeconds]], at: 0, now: 120_000 });
  expect(await send(student, { at: 0, now: 120_000 })).toMatchObject({ watchTime: durationSeconds, isCompleted: true });
});
