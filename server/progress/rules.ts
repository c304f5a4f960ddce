/** What a note claims to have been watched, in hundredths of a second. */
export interface Claim {
  /** A PostgreSQL multirange, which may overlap: PostgreSQL merges. */
  readonly stretches: string;
  /** The upper limit of the lesson's coverage after this claim. */
  readonly total: number;
}

interface Said {
  readonly watched?: readonly (readonly [number, number])[] | undefined;
  readonly watchTime?: number | undefined;
  readonly position?: number | undefined;
}

/** Hundredths of a second after which a lesson counts as completed. */
export function enoughOf(durationSeconds: number): number {
  return durationSeconds * 90;
}

/**
 * What a note (in seconds) says was watched, within the lesson; null when it says nothing about it. `watchTime` alone is
 * a sum: it is taken as the stretch that ends at the position, or as one from the start when it does not fit before it.
 */
export function claimOf({ watched, watchTime, position }: Said, durationSeconds: number): Claim | null {
  const length = durationSeconds * 100;
  const within = (seconds: number) => Math.min(length, Math.round(seconds * 100));
  if (watched) {
    const ranges = watched.map(([from, to]) => [within(from), within(to)] as const).filter(([from, to]) => from < to);
    return { stretches: `{${ranges.map(([from, to]) => `[${from},${to})`).join()}}`, total: length };
  }
  if (watchTime === undefined) return null;
  const total = within(watchTime);
  const from = Math.max(0, within(position ?? 0) - total);
  return { stretches: total > 0 ? `{[${from},${from + total})}` : "{}", total };
}

/** The share of a lesson that was watched, from 0 to 1, rounded down: 1 means all of it. */
export function coverageOf(watchTime: number, durationSeconds: number): number {
  return durationSeconds > 0 ? Math.min(1, Math.floor((watchTime / durationSeconds) * 10_000) / 10_000) : 0;
}
