import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { batched } from "./batching.ts";
import type { Db } from "./db.ts";

// The test answers in place of a statement; the database object only identifies the batcher.

/** A statement in flight until it is answered. */
interface Statement {
  readonly keys: readonly number[];
  answer(results: (string | Error)[]): void;
  fail(error: Error): void;
}

function openBatcher() {
  const statements: Statement[] = [];
  const ask = batched<number, string>(
    {} as Db,
    "test",
    (_db, keys) =>
      new Promise((answer, fail) => {
        statements.push({ keys, answer, fail });
      }),
  );
  return { statements, ask };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
/** Long enough for another statement to begin. */
const rest = () => pass(4);

test("calls that arrive together are answered by one statement, each with its own result", async () => {
  const { statements, ask } = openBatcher();
  const answers = Promise.allSettled([ask(1), ask(2), ask(1)]);
  await rest();
  expect(statements.map(({ keys }) => keys)).toEqual([[1, 2, 1]]);
  statements[0]?.answer(["one", new Error("not two"), "one"]);
  expect(await answers).toMatchObject([{ value: "one" }, { reason: { message: "not two" } }, { value: "one" }]);
});

test("a call is answered by a statement that began after it", async () => {
  const { statements, ask } = openBatcher();
  const before = ask(1);
  await rest();
  const after = ask(1);
  await rest();
  statements[0]?.answer(["as it was"]);
  statements[1]?.answer(["as it is"]);
  expect(await Promise.all([before, after])).toEqual(["as it was", "as it is"]);
});

test("while two statements are in flight calls wait for the next batch, also after a failure", async () => {
  const { statements, ask } = openBatcher();
  const first = ask(1).catch(String);
  await rest();
  const second = ask(2);
  await rest();
  const gathered = [ask(3)];
  await rest();
  gathered.push(ask(4));
  await rest();
  expect(statements).toHaveLength(2);
  statements[0]?.fail(new Error("lost"));
  expect(await first).toBe("Error: lost");
  await rest();
  expect(statements.map(({ keys }) => keys)).toEqual([[1], [2], [3, 4]]);
  statements[1]?.answer(["two"]);
  statements[2]?.answer(["three", "four"]);
  expect(await Promise.all([second, ...gathered])).toEqual(["two", "three", "four"]);
});

test("more than a hundred calls take several statements", async () => {
  const { statements, ask } = openBatcher();
  const answers = Promise.all(Array.from({ length: 250 }, (_, key) => ask(key)));
  for (let at = 0; at < 3; at++) {
    await rest();
    const statement = statements[at];
    statement?.answer(statement.keys.map(String));
  }
  expect(await answers).toHaveLength(250);
  expect(statements.map(({ keys }) => keys.length)).toEqual([100, 100, 50]);
});

test("statements of one name start four milliseconds apart, and at once after a pause", async () => {
  const { statements, ask } = openBatcher();
  const first = ask(1);
  await pass(0);
  statements[0]?.answer(["one"]);
  expect(await first).toBe("one");
  const second = ask(2);
  await pass(3);
  const third = ask(3);
  expect(statements).toHaveLength(1);
  await pass(1);
  expect(statements[1]?.keys).toEqual([2, 3]);
  statements[1]?.answer(["two", "three"]);
  expect(await Promise.all([second, third])).toEqual(["two", "three"]);
  await rest();
  ask(4);
  await pass(0);
  expect(statements[2]?.keys).toEqual([4]);
});
