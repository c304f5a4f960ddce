import { expect, test } from "vitest";
import { ofPath } from "./bundler.ts";

test("a file goes to the same chunk wherever the repository lies", () => {
  const isOfKit = ofPath(/\/(contract|ui)\//, "/home/ada/ui/contract/academy/");
  expect(isOfKit("/home/ada/ui/contract/academy/ui/format.ts")).toBe(true);
  expect(isOfKit("/home/ada/ui/contract/academy/app/browser.tsx")).toBe(false);
  expect(isOfKit("/home/ada/ui/contract/academy/node_modules/react/index.js")).toBe(false);
});
