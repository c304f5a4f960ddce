import { expect, test } from "vitest";
import { needsDocument } from "./navigation.tsx";

test("sections and pages of the site are reached without a new document", () => {
  expect(needsDocument("/", "/#pricing")).toBe(false);
  expect(needsDocument("/nowhere", "/")).toBe(false);
  expect(needsDocument("/dashboard", "?lesson=lesson-1-2")).toBe(false);
});

test("what the server answers itself needs a new document", () => {
  expect(needsDocument("/", "/api/login?returnTo=%2Fdashboard")).toBe(true);
  expect(needsDocument("/", "/no-such-page")).toBe(true);
});
