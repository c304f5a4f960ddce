/** A stretch of a lesson, in seconds from its start. `from` is at most `to`. */
export interface Stretch {
  from: number;
  to: number;
}

/** What was watched of a lesson: ordered, disjoint stretches. */
export type Watched = readonly Stretch[];

/** Adds a stretch. Seconds that were already included are not counted twice. */
export function withStretch(watched: Watched, added: Stretch): Watched {
  if (!(added.to > added.from)) return watched;
  let { from, to } = added;
  const before: Stretch[] = [];
  const after: Stretch[] = [];
  for (const stretch of watched) {
    if (stretch.to < from) before.push(stretch);
    else if (stretch.from > to) after.push(stretch);
    else {
      from = Math.min(from, stretch.from);
      to = Math.max(to, stretch.to);
    }
  }
  return [...before, { from, to }, ...after];
}

/** The number of seconds watched at least once. */
export function watchedSeconds(watched: Watched): number {
  return watched.reduce((sum, { from, to }) => sum + to - from, 0);
}
