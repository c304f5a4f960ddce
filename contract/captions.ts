/** A caption, in milliseconds from the start; its text keeps its line breaks. */
export interface Cue {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly text: string;
}

/** Parses WebVTT to cues in the order of time. Leaves out what is no cue, and cues that end before they start. */
export function parseCaptions(webVtt: string): Cue[] {
  const blocks = webVtt.replaceAll(/\r\n?/g, "\n").split(/\n{2,}/);
  return blocks.flatMap(readCue).toSorted((a, b) => a.startsAt - b.startsAt);
}

export function formatCaptions(cues: readonly Cue[]): string {
  const blocks = cues.map(
    ({ startsAt, endsAt, text }) => `${formatTime(startsAt)} --> ${formatTime(endsAt)}\n${markupFree(text)}`,
  );
  return `WEBVTT\n\n${blocks.join("\n\n")}\n`;
}

const time = /(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})/;
const timing = new RegExp(`^${time.source} +--> +${time.source}`);

function readCue(block: string): Cue[] {
  const lines = block.split("\n");
  const at = lines.findIndex((line) => timing.test(line));
  const found = timing.exec(lines[at] ?? "");
  if (!found) return [];
  const startsAt = readTime(found.slice(1, 5));
  const endsAt = readTime(found.slice(5, 9));
  const text = lines
    .slice(at + 1)
    // Tags do not nest. A pattern that searched past each `<` would take minutes on a long line of them.
    .map((line) => plainText(line.replaceAll(/<[^<>]*>/g, "")).trim())
    .filter(Boolean)
    .join("\n");
  return text && endsAt > startsAt ? [{ startsAt, endsAt, text }] : [];
}

function readTime([hours = "0", minutes, seconds, thousandths]: (string | undefined)[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(thousandths);
}

function formatTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const thousandths = String(milliseconds % 1000).padStart(3, "0");
  return `${parts.map((part) => String(part).padStart(2, "0")).join(":")}.${thousandths}`;
}

const entities = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&nbsp;": " " } as const;

function plainText(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|nbsp);/g, (entity) => entities[entity as keyof typeof entities]);
}

function markupFree(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
