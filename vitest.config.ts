import { configDefaults, defineConfig } from "vitest/config";

const integrationTests = "**/*.integration.test.{ts,tsx}";
const longTests = "**/*.long.test.{ts,tsx}";
const notOurs = [...configDefaults.exclude, "e2e/**", "dist/**", "data/**"];

/** `*.test.ts` needs nothing but Node; `*.integration.test.ts` a database and an academy, which one set-up makes for all. */
export default defineConfig({
  test: {
    reporters: ["default"],
    // One more than the cores of a small machine: an integration test often waits for its academy.
    maxWorkers: 3,
    // For a machine that is busy with other things; no test waits for its time to pass.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["**/*.test.{ts,tsx}"], exclude: [...notOurs, integrationTests, longTests] },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: [integrationTests],
          exclude: notOurs,
          globalSetup: "test/set-up.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: [longTests],
          exclude: notOurs,
          globalSetup: "test/set-up.ts",
          testTimeout: 3_600_000,
        },
      },
    ],
  },
});
