import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isRunning } from "#test/processes.ts";
import { folderOfFile } from "#test/temporary-folder.ts";
import { until } from "#test/until.ts";
import { type LimitedRun, runLimited } from "./run-limited.ts";

const directory = folderOfFile();

/** Runs a program of the shell. */
async function run(lines: string, options: Partial<LimitedRun> = {}) {
  const program = join(directory, crypto.randomUUID());
  await writeFile(program, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return runLimited({ program, args: [], directory, maxBytes: 10_000, limit: 60_000, ...options });
}

test.for<[string, string, Partial<LimitedRun>, string]>([
  ["prints nothing", "sleep 100", { standstill: 300 }, "stood still"],
  ["repeats its progress", "while :; do echo frame=1; sleep 0.1; done", { standstill: 500 }, "stood still"],
  ["goes on for ever", "while :; do i=$((i+1)); echo frame=$i; sleep 0.1; done", { limit: 500 }, "too slow"],
  ["writes too much", "head -c 100000 /dev/zero >large", {}, "too large"],
  ["is killed for its memory", "kill -9 $$", {}, "out of memory"],
  ["is stopped by a service manager", "kill -TERM $$", {}, "stopped"],
  ["fails", "exit 1", {}, "exited"],
])("a program that %s ends, and its end is known [Z65]", async ([, lines, options, ending]) => {
  expect(await run(lines, options)).toMatchObject({ ending });
});

test("a program gets no variables of ours, less of the processor, and limited memory [Z64]", async () => {
  const { log } = await run("env >&2; nice >&2; ulimit -v >&2", { megabytes: 1000 });
  expect(log.filter((line) => !line.startsWith("PWD="))).toEqual(["10", "1000000"]);
});

test("a program dies with an academy that is killed [Z65]", async () => {
  const module = new URL("./run-limited.ts", import.meta.url).href;
  const args = ["-c", "echo $$ >pid; exec sleep 1000"];
  const options = JSON.stringify({ program: "/bin/sh", args, directory, maxBytes: 1000, limit: 600_000 });
  const program = `import(${JSON.stringify(module)}).then((m) => m.runLimited(${options}))`;
  const academy = spawn(process.execPath, ["-e", program], { stdio: "ignore" });
  const pid = await until(async () => Number(await readFile(join(directory, "pid"), "utf8").catch(() => "")));
  academy.kill("SIGKILL");
  await once(academy, "exit");
  await until(async () => !isRunning(pid));
});
