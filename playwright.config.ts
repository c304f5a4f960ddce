import { defineConfig } from "@playwright/test";
import { chromiumPath } from "#test/chromium.ts";
import { parallelFiles } from "#test/parallel.ts";

/** End-to-end tests in a real browser. Each worker has an academy of its own, a copy of what the set-up's one left. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "test/set-up.ts",
  fullyParallel: true,
  workers: parallelFiles,
  retries: 0,
  forbidOnly: true,
  // Only a hang reaches these: a machine that is busy with other things takes many times as long as an idle one.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: "list",
  use: {
    launchOptions: {
      executablePath: await chromiumPath(),
      // The headless shell would make letters a little wider than browsers that people see, and wrap lines elsewhere.
      args: ["--font-render-hinting=none"],
    },
    screenshot: "only-on-failure",
    // Nothing waits for an animation to end, nor draws one.
    contextOptions: { reducedMotion: "reduce" },
  },
});
