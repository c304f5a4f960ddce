import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sendWatchNotes } from "#contract/progress.ts";
import type { Sent } from "./open-loop.ts";
import { type Viewers, watchedEach } from "./viewers.ts";

/** A request as a student's page sends it. */
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
/** The number of players: more than are answered at once, so that none is late for its turn. */
const players = 500;

export function isWrkInstalled(): boolean {
  return spawnSync("wrk", ["--version"]).error === undefined;
}

/**
 * Sends the loads in turn for some seconds, as fast as `to` replies. `file` passes them to wrk, and `origin` is the
 * sending page's.
 * @throws Error when any reply is missing or no success.
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
  const args = ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", scriptOf("load.lua"), to, "--", file];
  const [requests = 0, microseconds = 1, p50 = 0, p99 = 0, failed = 0, lost = 0] = await resultOf(args);
  if (requests === 0 || failed > 0 || lost > 0) {
    throw new Error(`${to}: of ${requests} requests ${failed} were answered with an error and ${lost} not at all.`);
  }
  return { requests, perSecond: requests / (microseconds / 1e6), p50Ms: p50 / 1000, p99Ms: p99 / 1000 };
}

/** Sends the viewers' notes from the `first` on at a constant rate. `file` passes them to wrk. */
export async function sendNotes(
  { cookies, lessons }: Pick<Viewers, "cookies" | "lessons">,
  first: number,
  perSecond: number,
  seconds: number,
  file: string,
  origin: string,
): Promise<Sent> {
  writeFileSync(file, cookies.map((cookie, viewer) => `${lessons[viewer % lessons.length]}\t${cookie}\n`).join(""));
  // The last replies arrive within two seconds. After thirty a reply counts as lost.
  const args = ["-t1", `-c${players}`, `-d${seconds + 2}s`, "--timeout=30s", "-s", scriptOf("notes.lua"), origin];
  const told = [file, first, perSecond, seconds, sendWatchNotes.path, origin, watchedEach].map(String);
  const [sent = 0, p50 = 0, p99 = 0, worst = 0, refused = 0, lost = 0] = await resultOf([...args, "--", ...told]);
  return { sent, refused, lost, p50Ms: p50 / 1000, p99Ms: p99 / 1000, worstMs: worst / 1000 };
}

function scriptOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** The numbers in the last line of our wrk scripts' output. */
async function resultOf(args: readonly string[]): Promise<number[]> {
  const { stdout } = await promisify(execFile)("wrk", args);
  return /^result (.*)$/m.exec(stdout)?.[1]?.split(" ").map(Number) ?? [];
}
