import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { chromiumPath } from "#test/chromium.ts";
import { maxParallelFiles } from "#test/parallel.ts";

/** End-to-end tests in a real browser. Each worker has its own academy, a copy of the one from the set-up. */
export default defineConfig({
  testDir: "e2e",
  // The long tests of other engines are not Playwright's.
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  globalSetup: "test/set-up.ts",
  fullyParallel: true,
  // More would take more processor time and no less time: a browser keeps a core busy.
  workers: Math.min(availableParallelism(), maxParallelFiles),
  retries: 0,
  forbidOnly: true,
  // Only a hang exceeds these, because a busy machine takes many times as long as an idle one.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: "list",
  use: {
    launchOptions: {
      executablePath: await chromiumPath(),
      args: [
        // The headless shell renders letters slightly wider than normal browsers, and would wrap lines differently.
        "--font-render-hinting=none",
        // Each test loads its pages in a new process, which ends before optimized code has saved what compiling it took.
        // Garbage is collected in one thread, because helpers for such small heaps cost more than they save.
        "--js-flags=--no-opt --no-maglev --single-threaded",
      ],
    },
    screenshot: "only-on-failure",
    // Disables animations, so that tests do not wait for them.
    contextOptions: { reducedMotion: "reduce" },
  },
});
