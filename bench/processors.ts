import { readFileSync } from "node:fs";
import { cpus } from "node:os";

interface Processors {
  readonly idle: number;
  readonly all: number;
}

/** CPU milliseconds of all processes since the machine started. */
export function processorTimes(): Processors {
  const times = cpus().map(({ times }) => times);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((one) => Object.values(one))) };
}

export function shareBusy(from: Processors, to: Processors): number {
  return 1 - (to.idle - from.idle) / (to.all - from.all);
}

/** CPU milliseconds of each process since its start, in steps of 10. */
export function processorMs(pids: readonly number[]): ReadonlyMap<number, number> {
  return new Map(pids.map((pid) => [pid, processMs(pid)]));
}

/** The sum for current processes. Leaves out those that have ended meanwhile. */
export function msSince(before: ReadonlyMap<number, number>, now: ReadonlyMap<number, number>): number {
  return [...now].reduce((sum, [pid, ms]) => sum + Math.max(0, ms - (before.get(pid) ?? 0)), 0);
}

function processMs(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0; // It has ended.
  }
}
