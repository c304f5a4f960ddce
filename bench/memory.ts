import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** A process's resident memory in MB of 1024 × 1024 bytes. 0 when it has ended. */
export function residentMb(pid: number): number {
  try {
    return kilobytes(`/proc/${pid}/status`, "VmRSS") / 1024;
  } catch {
    return 0; // Its end is reported elsewhere.
  }
}

/** The memory of all processes of the PostgreSQL in this directory in MB, counting shared pages once. */
export function postgresMb(directory: string): number {
  return postgresProcesses(directory).reduce((sum, pid) => {
    try {
      return sum + kilobytes(`/proc/${pid}/smaps_rollup`, "Pss") / 1024;
    } catch {
      return sum; // It has ended meanwhile.
    }
  }, 0);
}

/** Calls `measure` four times a second. The returned function stops it and returns the highest figure. */
export function watchHighest(measure: () => number): () => number {
  let highest = measure();
  const timer = setInterval(() => {
    highest = Math.max(highest, measure());
  }, 250).unref();
  return () => {
    clearInterval(timer);
    return Math.max(highest, measure());
  };
}

export function postgresProcesses(directory: string): number[] {
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const isServer = basename(readlinkSync(`/proc/${entry}/exe`)).startsWith("postgres");
      return isServer && readlinkSync(`/proc/${entry}/cwd`) === directory ? [Number(entry)] : [];
    } catch {
      return []; // It has ended, or we may not read it.
    }
  });
}

function kilobytes(file: string, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readFileSync(file, "utf8"));
  return Number(line?.[1] ?? 0);
}
