import { defineConfig } from "@playwright/test";
import { chromiumPath } from "#test/chromium.ts";

/** Journeys in a real browser. Each file opens its own academy, on a database copied from the set-up's template. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "test/postgres.ts",
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    launchOptions: { executablePath: await chromiumPath() },
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
  },
});
