import { afterAll, beforeAll, expect, test } from "vitest";
import { getPlayerChoices, savePlayerChoices } from "#contract/player-choices.ts";
import { type AcademyInProcess, openAcademyInProcess } from "#test/academy-in-process.ts";

let academy: AcademyInProcess;
beforeAll(async () => {
  academy = await openAcademyInProcess();
});
afterAll(() => academy[Symbol.asyncDispose]());

test("autoplay of the next lesson is a setting of the account", async () => {
  const person = await academy.visitor().signUp();
  const other = await academy.visitor().signInAsDemo("basic@academy.test");
  expect((await person.call(getPlayerChoices)).body).toEqual({ playsNext: true });
  for (const playsNext of [false, false, true, false]) {
    expect((await person.call(savePlayerChoices, { body: { playsNext } })).body).toEqual({ playsNext });
  }
  expect((await person.call(getPlayerChoices)).body).toEqual({ playsNext: false });
  expect((await other.call(getPlayerChoices)).body).toEqual({ playsNext: true });
});
