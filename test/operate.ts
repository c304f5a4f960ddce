import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { examine } from "#server/operations/doctor/doctor.ts";
import { runCommand } from "../scripts/commands.ts";
import { addressOf, type RunningAcademy } from "./academy.ts";
import { patient, programEnv } from "./program-env.ts";

/** The environment of an operator beside a running academy. */
export const environmentOf = ({ dataDir, database, url }: RunningAcademy) => ({
  DATA_DIR: dataDir,
  DATABASE_URL: addressOf(database),
  PORT: new URL(url).port,
});

/** Runs an operator's command where nobody can be asked, in this process. */
export async function operate(args: string[], env: Record<string, string>) {
  const [said, failed]: [string[], string[]] = [[], []];
  const code = await runCommand(args, {
    env: patient(env),
    output: { log: (line) => void said.push(line), error: (line) => void failed.push(line) },
    progress: null,
    ask: null,
    interrupted: () => new AbortController().signal,
  });
  return { code, said: said.join("\n"), failed: failed.join("\n") };
}

/** The same in a process of its own, which takes a second. */
export const operateAsProgram = (args: string[], env: Record<string, string>) =>
  runProgram(["scripts/operate.ts", ...args], patient(env));

/** Runs a program of ours in a process of its own, until its end. */
export async function runProgram(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...programEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said, failed, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: code as number | null, said: said.trim(), failed: failed.trim() };
}

/** What the doctor finds, in this process. */
export const findings = (env: Record<string, string>, node = process.versions.node) => examine(patient(env), node);

/** The same by name, each as "ok" or "PROBLEM" and its detail. */
export async function findingsOf(env: Record<string, string>, node?: string): Promise<Record<string, string>> {
  const found = await Array.fromAsync(findings(env, node));
  return Object.fromEntries(
    found.map(({ name, problem, detail }) => [name, `${problem ? "PROBLEM" : "ok"} ${detail}`]),
  );
}

/** The first thing of this name that the doctor finds, without what comes after it. */
export async function findingOn(name: string, env: Record<string, string>) {
  for await (const finding of findings(env)) if (finding.name === name) return finding;
  return null;
}
