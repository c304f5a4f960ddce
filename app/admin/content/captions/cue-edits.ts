import type { Cue } from "#contract/captions.ts";

type Cues = readonly Cue[];

/** An edit's result, and the index of the caption to select. */
export interface Edited {
  readonly cues: Cues;
  readonly selected: number;
}

/** Milliseconds of a caption that nothing limits. */
const usualLength = 2000;

export function change(cues: Cues, at: number, changes: Partial<Cue>): Cues {
  return cues.map((cue, index) => (index === at ? { ...cue, ...changes } : cue));
}

/** In the order of time, as players and files need them. */
export function inOrder(cues: Cues, selected: number): Edited {
  const ordered = cues.toSorted((a, b) => a.startsAt - b.startsAt);
  return { cues: ordered, selected: ordered.indexOf(cues[selected] as Cue) };
}

/** Adds an empty caption at `time`, or after the caption that is shown then. */
export function insert(cues: Cues, time: number): Edited {
  const shown = cues.findLastIndex(({ startsAt, endsAt }) => startsAt <= time && time < endsAt);
  const startsAt = cues[shown]?.endsAt ?? time;
  const next = cues.find((cue) => cue.startsAt > startsAt);
  const added = {
    startsAt,
    endsAt: Math.min(startsAt + usualLength, next?.startsAt ?? Number.POSITIVE_INFINITY),
    text: "",
  };
  const before = shown === -1 ? cues.filter((cue) => cue.startsAt <= time).length : shown + 1;
  return { cues: cues.toSpliced(before, 0, added), selected: before };
}

export function remove(cues: Cues, at: number): Edited {
  return { cues: cues.toSpliced(at, 1), selected: Math.min(at, cues.length - 2) };
}

/**
 * Splits a caption in two.
 * @param time where, in milliseconds; in proportion to the text when it lies outside of the caption
 * @param offset where in the text; at a space near the time's part of it when it lies at an edge
 */
export function split(cues: Cues, at: number, time: number, offset: number): Edited {
  const cue = cues[at];
  if (!cue) return { cues, selected: at };
  const { startsAt, endsAt, text } = cue;
  const isIn = time > startsAt && time < endsAt;
  const isInText = offset > 0 && offset < text.length;
  const part = isIn ? (time - startsAt) / (endsAt - startsAt) : isInText ? offset / text.length : 0.5;
  const cut = isInText ? offset : spaceNear(text, part * text.length);
  const middle = isIn ? time : Math.round(startsAt + part * (endsAt - startsAt));
  const parts = [
    { startsAt, endsAt: middle, text: text.slice(0, cut).trim() },
    { startsAt: middle, endsAt, text: text.slice(cut).trim() },
  ];
  return { cues: cues.toSpliced(at, 1, ...parts), selected: at + 1 };
}

/** The offset of the space nearest to `offset`; the text's length without one. */
function spaceNear(text: string, offset: number): number {
  const spaces = [...text.matchAll(/\s/g)].map(({ index }) => index);
  return spaces.toSorted((a, b) => Math.abs(a - offset) - Math.abs(b - offset))[0] ?? text.length;
}

/** One caption from this one and the next. */
export function merge(cues: Cues, at: number): Edited {
  const [cue, next] = [cues[at], cues[at + 1]];
  if (!cue || !next) return { cues, selected: at };
  const text = [cue.text, next.text].filter(Boolean).join("\n");
  const merged = { startsAt: cue.startsAt, endsAt: Math.max(cue.endsAt, next.endsAt), text };
  return { cues: cues.toSpliced(at, 2, merged), selected: at };
}

/** Milliseconds of a typed time such as 1:02.4; null for anything else. */
export function parseTime(typed: string): number | null {
  const found = /^(?:(?:(\d{1,3}):)?([0-5]?\d):)?([0-5]?\d)(?:[.,](\d{1,3}))?$/.exec(typed.trim());
  if (!found) return null;
  const [, hours = "0", minutes = "0", seconds, thousandths = ""] = found;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(thousandths.padEnd(3, "0"));
}

/** Why the caption cannot be saved. Null when it can. */
export function faultOf(cues: Cues, at: number): string | null {
  const { startsAt = 0, endsAt = 0 } = cues[at] ?? {};
  if (endsAt <= startsAt) return "This caption ends before it starts.";
  if (startsAt < (cues[at - 1]?.startsAt ?? 0)) return "This caption starts before the one above it.";
  return null;
}

const limits = { perSecond: 20, perLine: 42, pauseSeconds: 10 } as const;

/** What makes the caption hard to read. It can still be saved. */
export function warningsOf(cues: Cues, at: number): string[] {
  const cue = cues[at];
  if (!cue) return [];
  const previousEnd = cues[at - 1]?.endsAt ?? 0;
  const pause = Math.round((cue.startsAt - previousEnd) / 1000);
  const lengths = cue.text.split("\n").map((line) => [...line].length);
  const perSecond = lengths.reduce((sum, length) => sum + length, 0) / ((cue.endsAt - cue.startsAt) / 1000);
  return [
    ...(cue.text === "" ? ["No text. It’s left out when you save."] : []),
    ...(cue.startsAt < previousEnd ? ["It overlaps the caption above."] : []),
    ...(perSecond > limits.perSecond ? [`Too fast to read: more than ${limits.perSecond} characters a second.`] : []),
    ...(Math.max(...lengths) > limits.perLine ? [`A line has more than ${limits.perLine} characters.`] : []),
    ...(pause > limits.pauseSeconds ? [`No captions for ${pause} seconds before this one. Is nobody speaking?`] : []),
  ];
}

export function countWarned(cues: Cues): number {
  return cues.filter((_, at) => warningsOf(cues, at).length > 0).length;
}
