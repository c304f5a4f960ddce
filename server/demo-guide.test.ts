import { expect, test } from "vitest";
import { demoAccounts, demoPassword } from "#content/demo-accounts.ts";
import { readConfig } from "./context/config.ts";
import { demoGuide } from "./demo-guide.ts";

test("a demo that is ready names its accounts, their password, and its sandbox", () => {
  const guide = demoGuide(readConfig({})).join("\n");
  expect(guide).toContain(`password ${demoPassword}`);
  for (const { email } of demoAccounts) expect(guide).toContain(email);
  expect(guide).toMatch(/http:\/\/localhost:3000\/sandbox$/);
});
