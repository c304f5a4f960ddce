/** The free second that is nearest to this one, and before it rather than after it. */
export function nearestFreeSecond(second: number, taken: ReadonlySet<number>): number {
  for (let distance = 0; ; distance++) {
    const found = [second - distance, second + distance].find((one) => one >= 0 && !taken.has(one));
    if (found !== undefined) return found;
  }
}
