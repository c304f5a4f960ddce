import type { Round } from "./load/wrk.ts";

/** A line with the worst of our rounds and the median of the ceiling's. `goal` is the minimum share, from 0 to 1. */
export function comparison(name: string, ours: readonly Round[], theirs: readonly Round[], goal: number): string {
  const worst = ours.toSorted((a, b) => a.perSecond - b.perSecond)[0];
  const perSecond = worst?.perSecond ?? 0;
  const ceiling = median(theirs.map((round) => round.perSecond));
  const share = perSecond / ceiling;
  return [
    name.padEnd(15),
    `${whole(perSecond)}/s`,
    `p50 ${milliseconds(ours.map((round) => round.p50Ms))}  p99 ${milliseconds(ours.map((round) => round.p99Ms))}`,
    `ceiling ${whole(ceiling)}/s`,
    `p50 ${milliseconds(theirs.map((round) => round.p50Ms))}  p99 ${milliseconds(theirs.map((round) => round.p99Ms))}`,
    `${percent(share)} (goal ≥ ${percent(goal)}: ${verdict(share >= goal)})`,
  ].join("   ");
}

/** A line with a figure that must not exceed its goal. */
export function figure(name: string, value: number, unit: string, most: number): string {
  const text = value.toFixed(unit === "s" ? 2 : 0);
  return `${name.padEnd(20)}${`${text} ${unit}`.padStart(9)}   (goal ≤ ${most} ${unit}: ${verdict(value <= most)})`;
}

/** A line with a rate that must reach its goal. */
export function rate(name: string, perSecond: number, least: number): string {
  const text = `${whole(perSecond)}/s`;
  return `${name.padEnd(20)}${text.padStart(9)}   (goal ≥ ${whole(least).trim()}/s: ${verdict(perSecond >= least)})`;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function verdict(met: boolean): string {
  return met ? "met" : "MISSED";
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en-US").padStart(6);
}

function milliseconds(values: readonly number[]): string {
  return `${median(values).toFixed(1).padStart(5)} ms`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
