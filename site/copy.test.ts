import { expect, test } from "vitest";
import { catalogue } from "#content/catalogue.ts";
import { plans } from "#content/plans.ts";
import { type OfCourse, withCourse } from "#contract/course-words.ts";
import { sayAcademy } from "#ui/academy.ts";
import { builtInFacts } from "../scripts/pages/built-in-facts.ts";
import { fillIn } from "./copy.ts";

sayAcademy(builtInFacts().academy);

const course = (...tiers: OfCourse["requiredTier"][]) =>
  tiers.map((requiredTier, at) => ({ position: at + 1, requiredTier, comingSoon: false }));

test("what a tier opens is named by the numbers of its modules", () => {
  expect(withCourse("{modules:basic}", catalogue)).toBe("modules 1-3");
  expect(withCourse("{modules:basic}", course("vip"))).toBe("no modules");
  expect(withCourse("{Modules:basic}", course("vip"))).toBe("No modules");
  expect(withCourse("{modules:basic}", course("vip", "basic"))).toBe("module 2");
  expect(withCourse("{modules:basic}", course("basic", "basic", "vip", "basic"))).toBe("modules 1, 2 and 4");
  expect(withCourse("{modules:premium}", course("basic", "premium", "basic", "vip", "basic"))).toBe(
    "modules 1-3 and 5",
  );
});

test("plans name what is coming soon, as long as something is", () => {
  const features = plans.map((plan) => withCourse(plan.features[0] ?? "", catalogue));
  expect(features).toEqual([
    "Modules 1-3: fundamentals, scanning, prep and shipping",
    "Modules 1-4 (module 4 is coming soon)",
    "Modules 1-5 (modules 4 and 5 are coming soon)",
  ]);
  expect(withCourse("{Modules:vip}{soon:vip}", course("basic", "vip", "vip"))).toBe("Modules 1-3");
});

test("texts of pages state the plans' promises of 1-on-1 coaching", () => {
  const textWith = (sessions: number) =>
    fillIn({ text: "1-on-1 coaching: {coaching:vip}." } as never, {
      catalogue: [],
      plans: [{ tier: "vip", coaching: { sessions, everyDays: 14, minutes: 45 } }] as never,
    });
  expect(textWith(2)).toEqual({ text: "1-on-1 coaching: 2 sessions of 45 minutes every 14 days." });
  expect(textWith(0)).toEqual({ text: "1-on-1 coaching: none at present." });
});
