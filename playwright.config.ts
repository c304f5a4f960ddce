import { defineConfig } from "@playwright/test";
import { chromiumPath } from "#test/chromium.ts";

/** Journeys in a real browser. Each file opens its own academy, on a database copied from the set-up's template. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "test/postgres.ts",
  workers: 2,
  // A machine that starves the browser gets one more try there, and the report calls such a test flaky.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: true,
  // For a machine that is busy with other things; no journey waits for its time to pass.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    launchOptions: { executablePath: await chromiumPath() },
    screenshot: "only-on-failure",
    trace: "retain-on-failure",
  },
});
