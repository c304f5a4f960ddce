import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderOfTest } from "#test/temporary-folder.ts";

const scripts = fileURLToPath(new URL(".", import.meta.url));

/** The output of `check.mjs unit` after vitest wrote these results and exited with this code. */
function endOfRun(results: object, exitCode: number) {
  const folder = folderOfTest();
  mkdirSync(join(folder, "scripts/pages"), { recursive: true });
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  for (const name of [...readdirSync(scripts).filter((file) => file.endsWith(".mjs")), "pages/freshness.ts"]) {
    cpSync(join(scripts, name), join(folder, "scripts", name));
  }
  const vitest = `
    const file = process.argv.find((word) => word.startsWith("--outputFile.json=")).split("=")[1];
    require("node:fs").writeFileSync(file, ${JSON.stringify(JSON.stringify(results))});
    process.exitCode = ${exitCode};`;
  writeFileSync(join(folder, "node_modules/.bin/vitest"), vitest);
  const { status, stdout } = spawnSync(process.execPath, ["scripts/check.mjs", "unit"], { cwd: folder });
  const [, ...said] = String(stdout).split(/^✗ unit tests failed .*$/m);
  return { status, said: said.join("").trim().split("\n") };
}

test("a run that fails ends with each failed test, what was expected and how to run it alone", () => {
  const failed = {
    status: "failed",
    fullName: "adds (twice)",
    failureMessages: ["expected 3 to be 4\n    at node:vm"],
  };
  const file = { name: "sums.test.ts", status: "failed", assertionResults: [failed] };
  expect(endOfRun({ numPassedTests: 2, testResults: [file] }, 1)).toEqual({
    status: 1,
    said: [
      "✗ sums.test.ts > adds (twice)",
      "    expected 3 to be 4",
      '  Run it alone: npm run test:unit -- sums.test.ts -t "adds \\(twice\\)"',
      "",
      "2 passed, 1 failed",
    ],
  });
});

test("a run that fails outside of its tests says so", () => {
  expect(endOfRun({ numPassedTests: 2, testResults: [] }, 1)).toEqual({
    status: 1,
    said: ["✗ No test failed, but their runner ended with 1: the lines above say why.", "", "2 passed, 1 failed"],
  });
});
