import { expect, test } from "vitest";
import { href } from "#contract/addresses.ts";
import { pages } from "../routes.ts";
import { areasOf, pageOf } from "./areas.ts";

test("every page of the administration belongs to an area", () => {
  const home = pageOf(href.admin(), "");
  const paths = pages.map(({ path }) => path).filter((path) => path.startsWith("/admin"));
  expect(paths.filter((path) => pageOf(path, "") === home)).toEqual([href.admin()]);
  expect(pageOf(href.admin(), "messages").label).toBe("Messages");
});

test("a role's areas have only pages that it may open", () => {
  const labels = areasOf("support").map(({ label, pages }) => [label, ...pages.map((page) => page.label)]);
  expect(labels).toEqual([
    ["Home", "Home"],
    ["People", "Users"],
    ["Messages", "Messages"],
    ["Sales", "Purchases"],
    ["Course", "Questions"],
    ["Coaching", "Coaching"],
  ]);
  expect(areasOf("owner")).toHaveLength(10);
});
