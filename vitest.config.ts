import { globSync, readFileSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { parallelFiles } from "./test/parallel.ts";
import { programEnv } from "./test/program-env.ts";

const integrationTests = "**/*.integration.test.{ts,tsx}";
const longTests = "**/*.long.test.{ts,tsx}";
const notOurs = [...configDefaults.exclude, "e2e/**/*.spec.ts", "dist/**", "data/**"];

/** Property-based tests. They start with the same seed in every run. `test:long` uses other seeds. */
const byChance = globSync("{app,server}/**/*.test.ts").filter((file) =>
  readFileSync(file, "utf8").includes('from "fast-check"'),
);

/**
 * Slow for their size, by which vitest sorts files of unknown duration. Starting them first avoids that one of them
 * runs alone at the end.
 */
const longForTheirSize = [
  "server/http/load-shedding/load-shedding.integration.test.ts",
  "server/files/killed-uploads.integration.test.ts",
  "server/process/restarts.integration.test.ts",
  "server/operations/proxy-check.integration.test.ts",
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longForTheirSize.some((file) => moduleId.endsWith(file));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * `*.test.ts` only needs Node. `*.integration.test.ts` needs a database and an academy, which one set-up creates for
 * all.
 */
export default defineConfig({
  test: {
    reporters: ["default"],
    maxWorkers: parallelFiles,
    // Such as two queries at once in one transaction, which PostgreSQL's client will refuse.
    execArgv: ["--throw-deprecation"],
    // Packages, and the programs and threads that tests start, load from Node's compile cache.
    env: { NODE_COMPILE_CACHE: programEnv.NODE_COMPILE_CACHE },
    // Files share their worker's modules, because reloading the server for each would take longer than most tests.
    isolate: false,
    sequence: { sequencer: LongFirst },
    // Only a hang exceeds this, even on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
    setupFiles: "test/random-seed.ts",
    provide: { seed: 1 },
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
          include: [longTests, ...byChance],
          exclude: notOurs,
          provide: { seed: Date.now() % 2 ** 31 },
          globalSetup: "test/set-up.ts",
          testTimeout: 3_600_000,
        },
      },
    ],
  },
});
