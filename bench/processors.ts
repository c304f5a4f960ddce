import { readFileSync } from "node:fs";
import { cpus } from "node:os";

interface Processors {
  readonly idle: number;
  readonly all: number;
}

/** Milliseconds of all processors since the machine started, of all processes. */
export function processorTimes(): Processors {
  const times = cpus().map(({ times }) => times);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap((one) => Object.values(one))) };
}

export function shareBusy(from: Processors, to: Processors): number {
  return 1 - (to.idle - from.idle) / (to.all - from.all);
}

/** Milliseconds of a processor that each process took since it began, in steps of 10. */
export function processorMs(pids: readonly number[]): ReadonlyMap<number, number> {
  return new Map(pids.map((pid) => [pid, processMs(pid)]));
}

/** Of the processes there are now: what one took that ended meanwhile is not known. */
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
    return 0; // Gone meanwhile.
  }
}
