import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { examine } from "#server/operations/doctor/doctor.ts";
import { runCommand } from "../scripts/commands.ts";
import { patient, programEnv } from "./program-env.ts";

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
export async function operateAsProgram(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ["scripts/operate.ts", ...args], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env: { ...programEnv, ...patient(env) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [said, failed, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: code as number, said: said.trim(), failed: failed.trim() };
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
