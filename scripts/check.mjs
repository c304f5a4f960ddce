// Runs checks and kinds of tests, and tells at the end what failed: node scripts/check.mjs types unit -- [FILES] [-t NAME]
import { exitCodes } from "./child.mjs";
import { buildStalePages } from "./pages/freshness.ts";
import { runTests } from "./tests.mjs";

const bin = (name) => `node_modules/.bin/${name}`;

// Several checkers of one program repeat each other's work, and the other checks run on the other cores.
const oneChecker = ["--checkers", "1"];

const checks = {
  types: [
    { name: "types of the server", args: [bin("tsc"), "-p", ".", ...oneChecker] },
    { name: "types of the pages", args: [bin("tsc"), "-p", "app", ...oneChecker] },
  ],
  lint: [{ name: "lint and format", args: [bin("biome"), "check", "--error-on-warnings"] }],
  architecture: [
    {
      name: "architecture",
      args: [bin("depcruise"), "app", "content", "contract", "issuer", "sandbox", "scripts", "server", "site", "ui"],
    },
  ],
  "dead-code": [
    { name: "dead code", args: [bin("knip"), "--no-progress"] },
    // Code that only tests use is dead too, unless it is marked @internal for unit tests.
    { name: "dead code of the product", args: [bin("knip"), "--no-progress", "--production"] },
  ],
};

const vitest = (project) => ({
  name: `${project} tests`,
  command: `test:${project}`,
  runner: "vitest",
  args: [bin("vitest"), "run", "--project", project],
});
const tests = {
  unit: vitest("unit"),
  integration: vitest("integration"),
  // Shows each test as it ends, because a file may take ten minutes.
  long: { ...vitest("long"), reporter: "verbose" },
  e2e: { name: "end-to-end tests", command: "test:e2e", runner: "playwright", args: [bin("playwright"), "test"] },
};

const words = process.argv.slice(2);
const end = words.indexOf("--");
const wanted = end < 0 ? words : words.slice(0, end);
const only = end < 0 ? [] : words.slice(end + 1);

const known = { ...checks, ...tests };
const unknown = wanted.filter((name) => !(name in known));
if (wanted.length === 0 || unknown.length > 0) {
  console.error(`Usage: node scripts/check.mjs ${Object.keys(known).join(" ")} -- [FILES] [-t NAME]`);
  process.exit(exitCodes.usage);
}
// All except unit tests need built pages.
const needPages = wanted.some((name) => name in tests && name !== "unit");
const failed = needPages ? await buildStalePages() : 0;
process.exitCode =
  failed ||
  (await runTests(
    process.execPath,
    wanted.flatMap((name) => checks[name] ?? []),
    wanted.flatMap((name) => tests[name] ?? []),
    only,
  ));
