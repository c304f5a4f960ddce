import { expect, test } from "vitest";
import { findPage, partsOf } from "./routes.ts";

test("a name in braces stands for one part of the path, and for none that is empty", () => {
  expect(partsOf("/admin/users/{id}", "/admin/users/abc")).toEqual({ id: "abc" });
  expect(partsOf("/admin/users/{id}", "/admin/users/")).toBeNull();
  expect(partsOf("/admin/users/{id}", "/admin/users/abc/more")).toBeNull();
  expect(partsOf("/admin", "/admin")).toEqual({});
});

test("a page is found by its exact path, or by its pattern", () => {
  expect(findPage("/admin/users/abc")?.file).toBe("admin/users/user-page.tsx");
  expect(findPage("/admin/users")).toBeNull();
  expect(findPage("/contact")?.file).toBe("contact/contact.tsx");
});
