import { expect, test } from "vitest";
import { legalCopy } from "#content/copy/legal.ts";
import { withPromises } from "./promises.ts";

const textWith = (sessions: number) =>
  JSON.stringify(
    withPromises({ ...legalCopy.terms, lastUpdated: "2026-01-01" }, [
      { tier: "vip", coaching: { sessions, everyDays: 14, minutes: 45 } },
    ]).sections,
  );

test("the terms state the plan's promise of 1-on-1 coaching with Lifetime Access", () => {
  expect(textWith(2)).toContain("1-on-1 coaching: 2 sessions of 45 minutes every 14 days.");
  expect(textWith(0)).toContain("1-on-1 coaching: none at present.");
  expect(textWith(1)).not.toContain("{coaching");
});
