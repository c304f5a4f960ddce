import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { capture, run } from "./child.mjs";
import { root } from "./root.mjs";

/**
 * For each test runner, how it writes results to a file, and how they are parsed: the number of passed tests, and
 * file, name and error of each failed one.
 */
const runners = {
  vitest: {
    args: (file, { reporter = "default" }) => [
      "--passWithNoTests",
      `--reporter=${reporter}`,
      "--reporter=json",
      `--outputFile.json=${file}`,
    ],
    only: (words) => words,
    env: () => ({}),
    read({ numPassedTests, testResults }) {
      const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
        const file = relative(root, name);
        const failed = assertionResults.filter((one) => one.status === "failed");
        // A file that fails to load has no tests, but counts as failed.
        if (status === "failed" && failed.length === 0) return [{ file, message }];
        return failed.map(({ fullName, failureMessages }) => ({ file, name: fullName, message: failureMessages[0] }));
      });
      return { passed: numPassedTests, failures };
    },
  },
  playwright: {
    args: () => ["--pass-with-no-tests", "--reporter=list,json"],
    // The same option for all runners.
    only: (words) => words.map((word) => (word === "-t" ? "-g" : word)),
    env: (file) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
    read({ stats, errors, suites }) {
      const specs = suites.flatMap(function below({ specs = [], suites: inner = [] }) {
        return [...specs, ...inner.flatMap(below)];
      });
      const failures = specs
        .filter(({ ok }) => !ok)
        .map(({ file, title, tests }) => {
          const results = tests.flatMap((test) => test.results);
          return { file: `e2e/${file}`, name: title, message: results.at(-1)?.error?.message };
        });
      return {
        passed: stats.expected + stats.flaky,
        failures: [...failures, ...errors.map(({ message }) => ({ file: "e2e", message }))],
      };
    },
  },
};

/**
 * Runs the checks concurrently, then the test runs in sequence, and stops at the first failed run. Prints failures at
 * the end, each with the command that repeats it. The last line is "N passed, N failed" of all runs, where a failed
 * check counts as one.
 * @param only the person's arguments for the runners: files, `-t name`; no matching test is a failure
 * @returns the exit code
 */
export async function runTests(node, checks, runs, only = []) {
  const results = mkdtempSync(join(tmpdir(), "academy-results-"));
  const total = { passed: 0, failures: [] };
  const exitCodes = await Promise.all(checks.map((step) => timed(step, () => check(node, step))));
  let exitCode = exitCodes.find((code) => code !== 0) ?? 0;
  for (const step of runs) {
    if (exitCode !== 0) break;
    exitCode = await timed(step, () => runCounted(node, step, only, join(results, "results.json"), total));
    if (exitCode !== 0 && total.failures.length === 0) {
      console.log(`\n✗ No test failed, but their runner ended with ${exitCode}: the lines above say why.`);
    }
  }
  rmSync(results, { recursive: true, force: true });
  for (const failure of total.failures) console.log(summaryOf(failure));
  const failed = total.failures.length || (exitCode === 0 ? 0 : 1);
  if (runs.length > 0) console.log(`\n${total.passed} passed, ${failed} failed`);
  if (exitCode !== 0 || runs.length === 0 || total.passed > 0) return exitCode;
  console.error(`There is no such test: ${only.join(" ")}`);
  return 1;
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

async function runCounted(node, step, only, file, total) {
  console.log(`\n${step.name}`);
  const runner = runners[step.runner];
  rmSync(file, { force: true });
  const env = { ...process.env, ...runner.env(file) };
  const exitCode = await run(node, [...step.args, ...runner.args(file, step), ...runner.only(only)], { env });
  try {
    const { passed, failures } = runner.read(JSON.parse(readFileSync(file, "utf8")));
    total.passed += passed;
    total.failures.push(...failures.map((failure) => ({ ...failure, command: step.command })));
  } catch {
    if (exitCode === 0) throw new Error(`${step.name} left no results.`);
  }
  return exitCode;
}

/** The runners' frames in a stack trace. */
const inside = /^\s+at .*(node_modules|new Promise|node:)/;

/** The failed test, the first lines of its error, and the command that repeats it. */
function summaryOf({ file, name, message = "", command }) {
  const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
  const reason = message
    .replace(colours, "")
    .split("\n")
    .filter((line) => line && !inside.test(line))
    .slice(0, 6);
  const pattern = name?.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll('"', '\\"');
  const filter = name ? ` -t "${pattern}"` : "";
  return [
    `\n✗ ${file}${name ? ` > ${name}` : ""}`,
    ...reason.map((line) => `    ${line}`),
    `  Run it alone: npm run ${command} -- ${file}${filter}`,
  ].join("\n");
}
