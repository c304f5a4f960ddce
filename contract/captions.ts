/** A caption, in milliseconds from the start; its text keeps its line breaks. */
export interface Cue {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly text: string;
}

/** What keeps a file from being used. Lines count from 1. */
export interface CaptionFault {
  readonly line: number;
  readonly message: string;
}

/** Parses WebVTT or SubRip to cues in the order of time. Leaves out what is no cue, and cues that show nothing. */
export function parseCaptions(text: string): Cue[] {
  return readCaptions(text)
    .cues.filter(isShown)
    .toSorted((a, b) => a.startsAt - b.startsAt);
}

/** Whether a player shows the cue. */
export function isShown({ startsAt, endsAt, text }: Cue): boolean {
  return text !== "" && endsAt > startsAt;
}

export function formatCaptions(cues: readonly Cue[]): string {
  const blocks = cues.map(
    ({ startsAt, endsAt, text }) => `${formatCueTime(startsAt)} --> ${formatCueTime(endsAt)}\n${markupFree(text)}`,
  );
  return `WEBVTT\n\n${blocks.join("\n\n")}\n`;
}

/** All cues of WebVTT or SubRip in their order, also those that show nothing, and the faults of the file. */
export function readCaptions(text: string): { cues: Cue[]; faults: CaptionFault[] } {
  const lines = text
    .replace(/^\uFEFF/, "")
    // The database stores no NUL.
    .replaceAll("\0", "\uFFFD")
    .split(/\r\n|\r|\n/);
  const isWebVtt = /^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? "");
  const cues: Cue[] = [];
  const faults: CaptionFault[] = [];
  const add = (at: number, message: string) => faults.push({ line: at + 1, message });
  const [head, ...others] = blocksOf(lines);
  const blocks = head && !isWebVtt ? [head, ...others] : others;
  if (!isWebVtt && !beginsSubRip(head?.map((at) => lines[at] ?? ""))) {
    add(head?.[0] ?? 0, head ? "The first line has to be WEBVTT, or 1 in an SRT file." : "This file is empty.");
    return { cues, faults };
  }
  if (isWebVtt && head?.some((at) => lines[at]?.includes("-->"))) {
    add(head[0] ?? 0, "Leave an empty line below WEBVTT.");
  }
  for (const block of blocks) {
    const first = lines[block[0] ?? 0] ?? "";
    if (isWebVtt && /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(first)) continue;
    const [at, second] = block.filter((line) => lines[line]?.includes("-->"));
    if (at === undefined || block.indexOf(at) > 1) {
      // Without an arrow, the line with a time is the one to correct.
      const wrong = block.find((line) => /\d:\d/.test(lines[line] ?? "")) ?? block[0] ?? 0;
      add(wrong, `This isn’t a caption. A caption starts with its times, such as ${example(isWebVtt)}.`);
      continue;
    }
    const times = readTimes(lines[at] ?? "", isWebVtt);
    if ("wrong" in times) {
      add(at, `“${shorten(times.wrong)}” isn’t a time. Write the times as ${example(isWebVtt)}.`);
      continue;
    }
    const { startsAt, endsAt } = times;
    if (endsAt <= startsAt) add(at, "This caption ends before it starts.");
    else if (startsAt < (cues.at(-1)?.startsAt ?? 0)) add(at, "This caption starts before the one above it.");
    if (second !== undefined) add(second, "Leave an empty line above each caption.");
    const said = block.slice(block.indexOf(at) + 1).map((line) => plainText(lines[line] ?? ""));
    cues.push({ startsAt, endsAt, text: said.filter(Boolean).join("\n") });
  }
  if (cues.length === 0 && faults.length === 0) add(0, "This file has no captions.");
  return { cues, faults };
}

/** The indexes of the lines between empty lines. */
function blocksOf(lines: readonly string[]): number[][] {
  const blocks: number[][] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "") continue;
    if (at > 0 && lines[at - 1]?.trim() !== "") blocks.at(-1)?.push(at);
    else blocks.push([at]);
  }
  return blocks;
}

/** SubRip has no header. Its commas tell it from WebVTT whose header is missing. */
function beginsSubRip([first = "", second = ""]: readonly string[] = []): boolean {
  return /^\d+\s*$/.test(first) ? /-->|\d:\d/.test(second) : /\d,\d+\s+-->/.test(first);
}

const times = {
  webVtt: /^(?:(\d{2,3}):)?([0-5]\d):([0-5]\d)\.(\d{3})$/,
  subRip: /^(\d{1,3}):([0-5]\d):([0-5]\d)[,.](\d{3})$/,
} as const;

const example = (isWebVtt: boolean) => (isWebVtt ? "00:00:01.000 --> 00:00:04.000" : "00:00:01,000 --> 00:00:04,000");

/** The times of a line with an arrow. Settings may follow the second one. */
function readTimes(line: string, isWebVtt: boolean): Pick<Cue, "startsAt" | "endsAt"> | { wrong: string } {
  const [start = "", rest = ""] = line.split(/-->(.*)/s).map((part) => part.trim());
  const [end = ""] = rest.split(/\s/, 1);
  const pattern = isWebVtt ? times.webVtt : times.subRip;
  const [startsAt, endsAt] = [start, end].map((time) => readTime(pattern.exec(time)));
  if (startsAt === undefined) return { wrong: start };
  if (endsAt === undefined) return { wrong: end };
  return { startsAt, endsAt };
}

function readTime(found: RegExpExecArray | null): number | undefined {
  if (!found) return undefined;
  const [, hours = "0", minutes, seconds, thousandths] = found;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(thousandths);
}

/** As in WebVTT, such as 01:02:03.400. */
export function formatCueTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const thousandths = String(milliseconds % 1000).padStart(3, "0");
  return `${parts.map((part) => String(part).padStart(2, "0")).join(":")}.${thousandths}`;
}

const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&nbsp;": " ",
  "&quot;": '"',
  "&#39;": "'",
  "&lrm;": "\u200E",
  "&rlm;": "\u200F",
};

/** No tag survives. They do not nest, and a pattern that searched past each `<` would take minutes on a long line. */
function plainText(line: string): string {
  return line
    .replaceAll(/<[^<>]*>|\{\\[^{}]*\}/g, "")
    .replaceAll(/&(?:amp|lt|gt|nbsp|quot|#39|lrm|rlm);/g, (entity) => entities[entity] ?? entity)
    .trim();
}

/** An empty line would end the caption. */
function markupFree(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.join("\n").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
