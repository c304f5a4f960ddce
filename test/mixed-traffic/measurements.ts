import type { Installation } from "./installation.ts";

export interface Sample {
  readonly minute: number;
  readonly memoryMb: Readonly<Record<string, number>>;
  /** Since the previous sample. */
  readonly logBytes: Readonly<Record<string, number>>;
}

/** Each part's memory at the beginning, the middle and the end of a run, as medians of samples. */
export interface Thirds {
  readonly first: number;
  readonly middle: number;
  readonly last: number;
}

/** Reads memory and logs each time it is called. */
export function sampler(installation: Installation): () => Sample {
  const startedAt = performance.now();
  let logged = installation.logBytes();
  return () => {
    const now = installation.logBytes();
    const logBytes = Object.fromEntries(
      Object.entries(now).map(([name, bytes]) => [name, bytes - (logged[name] ?? 0)]),
    );
    logged = now;
    return { minute: (performance.now() - startedAt) / 60_000, memoryMb: installation.memoryMb(), logBytes };
  };
}

/** Skips samples of a part that was down. */
export function memoryInThirds(samples: readonly Sample[], part: string): Thirds {
  const values = samples.map(({ memoryMb }) => memoryMb[part] ?? 0);
  const third = Math.ceil(values.length / 3);
  const median = (from: number) => {
    const some = values.slice(from, from + third).filter((value) => value > 0);
    some.sort((a, b) => a - b);
    return Math.round(some[Math.floor(some.length / 2)] ?? 0);
  };
  return { first: median(0), middle: median(third), last: median(2 * third) };
}

/** The maximum of bytes that a part logged within a minute. */
export function mostLogged(samples: readonly Sample[], part: string): number {
  const minutes = new Map<number, number>();
  for (const { minute, logBytes } of samples) {
    const at = Math.floor(minute);
    minutes.set(at, (minutes.get(at) ?? 0) + (logBytes[part] ?? 0));
  }
  return Math.max(0, ...minutes.values());
}
