import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { capture, run } from "./child.mjs";

/** How each test runner writes its results to a file, and how they are counted. */
const runners = {
  vitest: {
    args: (file) => ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`],
    env: () => ({}),
    count({ numPassedTests, numFailedTests, testResults }) {
      // A file that cannot even be loaded has no tests, and failed all the same.
      const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
      return { passed: numPassedTests, failed: numFailedTests + broken.length };
    },
  },
  playwright: {
    args: () => ["--reporter=list,json"],
    env: (file) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
    count({ stats, errors }) {
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length };
    },
  },
};

/**
 * Runs the checks side by side, then the runs of tests one after another, and stops at the first failure. The last line
 * is "N passed, N failed": the tests of all runs, where a failure without tests counts as one.
 * @returns the exit code
 */
export async function runTests(node, checks, runs) {
  const results = mkdtempSync(join(tmpdir(), "academy-results-"));
  const total = { passed: 0, failed: 0 };
  const exitCodes = await Promise.all(checks.map((step) => timed(step, () => check(node, step))));
  let exitCode = exitCodes.find((code) => code !== 0) ?? 0;
  for (const step of runs) {
    if (exitCode !== 0) break;
    exitCode = await timed(step, () => runCounted(node, step, join(results, "results.json"), total));
  }
  rmSync(results, { recursive: true, force: true });
  if (exitCode !== 0 && total.failed === 0) total.failed = 1;
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return exitCode;
}

async function timed(step, work) {
  const startedAt = Date.now();
  const exitCode = await work();
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  console.log(exitCode === 0 ? `✓ ${step.name} (${seconds} s)` : `✗ ${step.name} failed (${seconds} s)`);
  return exitCode;
}

async function check(node, step) {
  const { exitCode, text } = await capture(node, step.args);
  if (exitCode !== 0) console.log(text.trimEnd());
  return exitCode;
}

async function runCounted(node, step, file, total) {
  console.log(`\n${step.name}`);
  const runner = runners[step.runner];
  rmSync(file, { force: true });
  const env = { ...process.env, ...runner.env(file) };
  const exitCode = await run(node, [...step.args, ...runner.args(file)], { env });
  try {
    const { passed, failed } = runner.count(JSON.parse(readFileSync(file, "utf8")));
    total.passed += passed;
    total.failed += failed;
  } catch {
    if (exitCode === 0) throw new Error(`${step.name} left no results.`);
  }
  return exitCode;
}
