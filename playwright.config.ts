import { defineConfig } from "@playwright/test";
import { chromiumPath } from "#test/chromium.ts";

/** Journeys in a real browser. Each worker has an academy of its own, a copy of what the set-up's one left. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "test/set-up.ts",
  // One more than the cores of a small machine: a journey often waits, for a film to play or for a page to go on.
  workers: 3,
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
    // Recording costs a fifth of the time: only where a test has failed and is tried again.
    trace: "on-first-retry",
  },
});
