import { test as base } from "vitest";
import { type AcademyInProcess, openAcademyInProcess } from "./academy-in-process.ts";

/**
 * A test in an academy that all such tests of a worker share: it moves no clock, changes no settings, stages no outcome
 * for everybody, counts nothing of the whole academy, and changes only people whom it made. `student` is new;
 * `administrator` is the demo's owner.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest requires an object pattern here
  .extend("academy", { scope: "worker" }, ({}, { onCleanup }) => open({}, onCleanup))
  .extend("student", newStudent)
  .extend("administrator", owner);

/** The same with an academy of its file, which has these environment variables. */
export function testAlone(env: Record<string, string> = {}) {
  return (
    base
      // biome-ignore lint/correctness/noEmptyPattern: Vitest requires an object pattern here
      .extend("academy", { scope: "file" }, ({}, { onCleanup }) => open(env, onCleanup))
      .extend("student", newStudent)
      .extend("administrator", owner)
  );
}

async function open(
  env: Record<string, string>,
  onCleanup: (close: () => Promise<void>) => void,
): Promise<AcademyInProcess> {
  const academy = await openAcademyInProcess(env);
  onCleanup(async () => academy[Symbol.asyncDispose]());
  return academy;
}

function newStudent({ academy }: { academy: AcademyInProcess }) {
  return academy.visitor().signUp();
}

function owner({ academy }: { academy: AcademyInProcess }) {
  return academy.visitor().signInAsDemo("admin@academy.test");
}
