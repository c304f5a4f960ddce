import { afterAll, test as base, onTestFinished } from "vitest";
import { type AcademyInProcess, openAcademyInProcess } from "./academy-in-process.ts";
import { cloneDatabase, openTestPool, type TestDatabase } from "./postgres.ts";

/**
 * A test in an academy that all such tests of a worker share: it moves no clock, changes no settings, stages no outcome
 * for everybody, counts nothing of the whole academy, and changes only people whom it made. `student` is new;
 * `administrator` is the demo's owner.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest requires an object pattern here
  .extend("academy", { scope: "worker" }, async ({}, { onCleanup }) => {
    const academy = await openAcademyInProcess();
    onCleanup(() => academy[Symbol.asyncDispose]());
    return academy;
  })
  .extend("student", newStudent)
  .extend("administrator", owner);

/** An academy of the calling file, which has these environment variables, its owner, and tests in it. */
export async function academyOfFile(env: Record<string, string> = {}) {
  const academy = await forFile(openAcademyInProcess(env));
  const administrator = await owner({ academy });
  return {
    academy,
    administrator,
    test: base.extend({ academy }).extend("administrator", owner).extend("student", newStudent),
  };
}

/** Disposes of it after the tests of the calling file, and after what was opened later. */
export async function forFile<T extends AsyncDisposable>(opening: Promise<T>): Promise<T> {
  const opened = await opening;
  afterAll(() => opened[Symbol.asyncDispose]());
  return opened;
}

/** A database of the calling file, by default one with our tables, and connections to it. */
export function databaseOfFile(creating = cloneDatabase()) {
  return databaseUntil(afterAll, creating);
}

/** The same, until the end of the running test. */
export function databaseOfTest(creating = cloneDatabase()) {
  return databaseUntil(onTestFinished, creating);
}

async function databaseUntil(end: (drop: () => Promise<void>) => void, creating: Promise<TestDatabase>) {
  const database = await creating;
  const pool = openTestPool(database.connection);
  end(async () => {
    await pool.end();
    await database.drop();
  });
  return { database, pool };
}

function newStudent({ academy }: { academy: AcademyInProcess }) {
  return academy.visitor().signUp();
}

function owner({ academy }: { academy: AcademyInProcess }) {
  return academy.visitor().signInAsDemo("admin@academy.test");
}
