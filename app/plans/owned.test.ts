import { expect, test } from "vitest";
import { sayAcademy } from "#ui/academy.ts";
import { builtInFacts } from "../../scripts/pages/built-in-facts.ts";
import { isOwned, ownedSentence } from "./owned.ts";

sayAcademy(builtInFacts().academy);

test("a first purchase and an upgrade need no warning", () => {
  expect(ownedSentence("basic", null)).toBeNull();
  expect(ownedSentence("vip", "premium")).toBeNull();
});

test("a student with the same or a higher plan is told before paying", () => {
  expect(ownedSentence("basic", "vip")).toBe("You have Lifetime Access, which includes everything in Monthly Access.");
  expect(ownedSentence("vip", "vip")).toBe("You already have Lifetime Access.");
});

test("the annual plan may be bought again", () => {
  expect(ownedSentence("premium", "premium")).toContain("add 365 days");
});

test("a plan is not sold twice, except Annual Access", () => {
  const refused = [
    ["basic", "basic"],
    ["basic", "vip"],
    ["premium", "vip"],
    ["vip", "vip"],
  ] as const;
  for (const [wanted, owned] of refused) expect(isOwned(wanted, owned), `${wanted} by ${owned}`).toBe(true);
  const sold = [
    ["basic", null],
    ["premium", "basic"],
    ["premium", "premium"],
    ["vip", "premium"],
  ] as const;
  for (const [wanted, owned] of sold) expect(isOwned(wanted, owned), `${wanted} by ${owned}`).toBe(false);
});
