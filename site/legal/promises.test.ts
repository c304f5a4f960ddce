import { expect, test } from "vitest";
import { termsOfService } from "#content/legal.ts";
import { withPromises } from "./promises.ts";

const textWith = (sessions: number) =>
  JSON.stringify(
    withPromises(termsOfService, [{ tier: "vip", coaching: { sessions, everyDays: 14, minutes: 45 } }]).sections,
  );

test("the terms say what Lifetime Access promises of 1-on-1 coaching, by the plan", () => {
  expect(textWith(2)).toContain("1-on-1 coaching: 2 sessions of 45 minutes every 14 days.");
  expect(textWith(0)).toContain("1-on-1 coaching: none at present.");
  expect(textWith(1)).not.toContain("{coaching");
});
