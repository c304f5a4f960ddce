import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** One request as a student's page sends it. */
export interface Load {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly cookie: string;
  readonly body: string;
}

export interface Round {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export const connections = 32;
const script = fileURLToPath(new URL("./load.lua", import.meta.url));

export function isWrkInstalled(): boolean {
  return spawnSync("wrk", ["--version"]).error === undefined;
}

/**
 * Sends the loads in turns for some seconds, as fast as `to` answers them. `file` is where they are
 * written for wrk, `origin` the page that they come from.
 * @throws Error when a single answer is no success or is missing.
 */
export async function sendFor(
  seconds: number,
  to: string,
  loads: readonly Load[],
  file: string,
  origin: string,
): Promise<Round> {
  const lines = loads.map(({ method, path, cookie, body }) =>
    [method, path, cookie, method === "GET" ? "" : origin, body].join("\t"),
  );
  writeFileSync(file, `${lines.join("\n")}\n`);
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, to, "--", file];
  const { stdout } = await promisify(execFile)("wrk", args);
  const numbers = /^result (.*)$/m.exec(stdout)?.[1]?.split(" ").map(Number) ?? [];
  const [requests = 0, microseconds = 1, p50 = 0, p99 = 0, failed = 0, lost = 0] = numbers;
  if (requests === 0 || failed > 0 || lost > 0) {
    throw new Error(`${to}: of ${requests} requests ${failed} were answered with an error and ${lost} not at all.`);
  }
  return { requests, perSecond: requests / (microseconds / 1e6), p50Ms: p50 / 1000, p99Ms: p99 / 1000 };
}
