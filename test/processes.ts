import { readFileSync } from "node:fs";

/** Running descendants of this process whose command line contains a text. */
export function childrenOf(pid: number, program: string): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
  return children.filter((child) => read(`/proc/${child}/cmdline`).includes(program));
}

export function isRunning(pid: number): boolean {
  const state = read(`/proc/${pid}/stat`).replace(/^.*\) /s, "")[0];
  return state !== undefined && state !== "Z" && state !== "X";
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // It ended.
  }
}
