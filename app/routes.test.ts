import { expect, test } from "vitest";
import { findPage, needsDocument, partsOf } from "./routes.ts";

test("a name in braces stands for one part of the path, and for none that is empty", () => {
  expect(partsOf("/admin/users/{id}", "/admin/users/abc")).toEqual({ id: "abc" });
  expect(partsOf("/admin/users/{id}", "/admin/users/")).toBeNull();
  expect(partsOf("/admin/users/{id}", "/admin/users/abc/more")).toBeNull();
  expect(partsOf("/admin", "/admin")).toEqual({});
});

test("a page is found by its exact path, or by its pattern", () => {
  expect(findPage("/admin/users/abc")?.file).toBe("admin/users/user-page.tsx");
  expect(findPage("/admin/users")).toBeNull();
  expect(findPage("/profile")?.file).toBe("profile/profile.tsx");
});

test("pages of the application are reached without a new document", () => {
  expect(needsDocument("/dashboard", "/profile#my-data")).toBe(false);
  expect(needsDocument("/dashboard", "?lesson=lesson-1-2")).toBe(false);
});

test("public pages, the checkout and what the server answers itself need a new document", () => {
  expect(needsDocument("/dashboard", "/#pricing")).toBe(true);
  expect(needsDocument("/dashboard", "/checkout?tier=vip")).toBe(true);
  expect(needsDocument("/checkout", "/dashboard")).toBe(true);
  expect(needsDocument("/dashboard", "/api/login?returnTo=%2Fdashboard")).toBe(true);
  expect(needsDocument("/dashboard", "/no-such-page")).toBe(true);
});
