import type { Cue } from "#contract/captions.ts";
import { formatSecond } from "#contract/lesson-start.ts";

/** Players stop a little before the position that they were set to. */
const toleranceMilliseconds = 100;

/** The index of the last cue that began by this second; -1 before the first. */
export function cueAt(cues: readonly Cue[], second: number): number {
  return cues.findLastIndex(({ startsAt }) => startsAt <= second * 1000 + toleranceMilliseconds);
}

/** The indexes of the cues with all these words, whatever their case and accents. Null without a word. */
export function findWords(cues: readonly Cue[], typed: string): Set<number> | null {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  if (words.length === 0) return null;
  const found = cues.flatMap(({ text }, at) => {
    const said = plain(text);
    return words.every((word) => said.includes(word)) ? [at] : [];
  });
  return new Set(found);
}

/** The transcript to copy: a line for each cue, with its time. */
export function textOfCues(cues: readonly Cue[]): string {
  return cues.map(({ startsAt, text }) => `${formatSecond(startsAt / 1000)} ${lineOf(text)}`).join("\n");
}

/** A cue's text without the line breaks of the captions. */
export function lineOf(text: string): string {
  return text.replaceAll("\n", " ");
}

function plain(text: string): string {
  return lineOf(text)
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .toLowerCase();
}
