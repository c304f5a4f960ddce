/** Milliseconds of which the speed is the mean. */
const window = 10_000;

/** How much had been sent at a time. */
export interface Point {
  readonly at: number;
  readonly sent: number;
}

/** The points that still count, with a new one. A break begins anew, since it says nothing about the speed. */
export function withPoint(points: readonly Point[], point: Point): readonly Point[] {
  const last = points.at(-1);
  if (last && point.sent < last.sent) return [point];
  return [...points.filter(({ at }) => at > point.at - window), point];
}

/** Bytes a second; null until there is enough to tell. */
export function rateOf(points: readonly Point[]): number | null {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || last.at - first.at < 1000 || last.sent <= first.sent) return null;
  return (1000 * (last.sent - first.sent)) / (last.at - first.at);
}
