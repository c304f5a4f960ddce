import bidiModule from "bidi-js";
import { findFont, hasGlyphs, wideFont } from "./fonts.ts";

/** Characters of one font that the PDF library draws in one call. */
export interface Run {
  readonly text: string;
  /** The name of a built-in font, or a file. */
  readonly font: string;
}

/** What is left of a text when no character without a glyph is drawn. */
export interface Drawable {
  readonly text: string;
  /** Whether each visible character has a glyph. */
  readonly isComplete: boolean;
  readonly clusters: readonly Cluster[];
  readonly levels: ReturnType<typeof bidi.getEmbeddingLevels>;
}

/** What a reader takes for one character. */
interface Cluster extends Run {
  readonly start: number;
}

// The package is CommonJS that exports the function itself; its types describe an ES module.
const bidi = (bidiModule as unknown as typeof bidiModule.default)();

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const words = new Intl.Segmenter("en", { granularity: "word" });
const joiners = /[\u200c\u200d]/g;
const rightToLeft = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Nkoo}]/u;

/** Without characters that only change what is around them, and with letters and accents as fonts expect them. */
export function cleanText(text: string): string {
  return text
    .replace(/(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[\u1100-\u11ff]+|\P{M}\p{M}+/gu, (sequence) => sequence.normalize("NFC"))
    .replace(/([\u0e48-\u0e4b])\u0e33/g, "\u0e4d$1\u0e32")
    .replace(/[^\S\xa0]+/g, " ")
    .trim();
}

/** Whether the fonts that every PDF reader has can write it. */
export function isPlain(text: string): boolean {
  return /^[\x20-\x7e\xa0-\xff‘’“”–—…Œœ€ŠšŽžŸ]*$/.test(text);
}

/** @param plainFont of the characters that every PDF reader's fonts have. */
export function drawableOf(original: string, plainFont: string): Drawable {
  const clean = cleanText(original);
  const found = [...graphemes.segment(clean)].map(({ segment }) => clusterOf(segment, clean, plainFont));
  const isWide = found.some((one) => one?.font === wideFont);
  const clusters: Cluster[] = [];
  let text = "";
  for (const one of found) {
    if (!one || (one.text === " " && /^$| $/.test(text))) continue;
    // A word should not change its font within.
    const font = isWide && one.font === plainFont ? wideFont : one.font;
    clusters.push({ text: one.text, font, start: text.length });
    text += one.text;
  }
  // Addresses read from left to right in every script.
  const levels = bidi.getEmbeddingLevels(text, text.includes("@") ? "ltr" : "auto");
  return { text, isComplete: !found.includes(null), clusters, levels };
}

function clusterOf(segment: string, text: string, plainFont: string): Run | null {
  const visible = segment.replace(joiners, "");
  if (isPlain(visible)) return { text: visible, font: plainFont };
  const font = findFont(visible, text);
  // A joiner is drawn as a space without width.
  if (font) return { text: hasGlyphs(font, `${segment} `) ? segment : visible, font };
  const compatible = visible.normalize("NFKC");
  return compatible === visible ? null : clusterOf(compatible, text, plainFont);
}

/** The runs of each line from left to right. Lines break between words, and within a word that fits no line. */
export function linesOf(drawable: Drawable, fits: (line: readonly Run[]) => boolean): Run[][] {
  const { text, clusters } = drawable;
  const wordEnds = wordEndsOf(text);
  const clusterEnds = clusters.map((cluster) => cluster.start + cluster.text.length);
  const lines: Run[][] = [];
  let start = 0;
  while (start < text.length) {
    const lastFitting = (ends: readonly number[]) => {
      const later = ends.filter((end) => end > start);
      let [count, tooMany] = [0, later.length + 1];
      while (tooMany - count > 1) {
        const middle = Math.floor((count + tooMany) / 2);
        if (fits(runsOf(drawable, start, later[middle - 1] ?? start))) count = middle;
        else tooMany = middle;
      }
      return later[count - 1];
    };
    const end =
      lastFitting(wordEnds) ?? lastFitting(clusterEnds) ?? clusterEnds.find((end) => end > start) ?? text.length;
    lines.push(runsOf(drawable, start, end));
    start = end;
  }
  return lines;
}

/** Where a line may end: after spaces, and between words of scripts that use none. */
function wordEndsOf(text: string): number[] {
  const ends: number[] = [];
  let followsWord = false;
  for (const { segment, index, isWordLike = false } of words.segment(text)) {
    if (followsWord && isWordLike) ends.push(index);
    if (segment.trim() === "") ends.push(index + segment.length);
    followsWord = isWordLike;
  }
  return [...ends, text.length];
}

/** The runs of a line from left to right. */
function runsOf({ text, clusters, levels }: Drawable, start: number, end: number): Run[] {
  const stop = start + text.slice(start, end).trimEnd().length;
  const pieces: Cluster[][] = [];
  const levelOf = (one: Cluster) => levels.levels[one.start] ?? 0;
  for (const one of clusters.filter((cluster) => cluster.start >= start && cluster.start < stop)) {
    const piece = pieces.at(-1);
    const [first] = piece ?? [];
    if (piece && first && first.font === one.font && levelOf(first) === levelOf(one)) piece.push(one);
    else pieces.push([one]);
  }
  const order = bidi.getReorderedIndices(text, levels, start, stop - 1);
  const positionOf = (piece: Cluster[]) => order.indexOf(piece[0]?.start ?? start);
  const mirrored = bidi.getMirroredCharactersMap(text, levels.levels);
  const written = (one: Cluster) => ({ ...one, text: mirrored.get(one.start) ?? one.text });
  return pieces
    .sort((one, other) => positionOf(one) - positionOf(other))
    .flatMap((piece) => {
      const isRightToLeft = piece[0] !== undefined && levelOf(piece[0]) % 2 === 1;
      return drawOrder(piece.map(written), isRightToLeft);
    });
}

/** The library draws a run in the direction of its letters, which digits and punctuation do not always follow. */
function drawOrder(piece: readonly Cluster[], isRightToLeft: boolean): Run[] {
  const whole = piece.map(({ text }) => text).join("");
  const font = piece[0]?.font ?? "";
  if (rightToLeft.test(whole) === isRightToLeft) return [{ text: whole, font }];
  return isRightToLeft ? piece.toReversed() : [...piece];
}
