import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { MINUTE } from "#server/base/clock.ts";
import { damaged, type Film, noPicture, requireLength, Unusable } from "./film.ts";
import { runLimited } from "./run-limited.ts";

/** What `read-plain.ts` prints about a file. */
export interface PlainFacts {
  readonly video: { readonly codec: string | null; readonly shortSide: number } | null;
  readonly audio: { readonly codec: string | null } | null;
  readonly seconds: number | null;
  readonly isWhole: boolean;
}

const noFfmpeg =
  "This server can’t convert videos. Export the file as MP4 (H.264, AAC), or ask your server administrator to install ffmpeg.";

const reader = fileURLToPath(new URL("./read-plain.ts", import.meta.url));
const largest = 1080;

/**
 * What a server without ffmpeg needs to know, from a whole file or its beginning: null where the facts are not yet in
 * it, as in files that have them at the end.
 */
async function readFacts(path: string, signal?: AbortSignal): Promise<PlainFacts | null> {
  const { ending, code, log } = await runLimited({
    program: process.execPath,
    args: ["--max-old-space-size=256", reader, basename(path)],
    directory: dirname(path),
    maxBytes: 0,
    limit: MINUTE,
    signal,
  });
  if (ending === "stopped") throw new Error("the reader was stopped");
  const facts = code === 0 ? (JSON.parse(log.at(-1) ?? "null") as PlainFacts | null) : null;
  return facts?.video || facts?.audio ? facts : null;
}

/** Why browsers can't play it as it is, as a sentence; null when they can. */
function refusalOf({ video, audio }: PlainFacts): string | null {
  if (!video) return noPicture;
  const isPlayable = video.codec === "avc" && video.shortSide <= largest && (audio === null || audio.codec === "aac");
  return isPlayable ? null : noFfmpeg;
}

/** Why the beginning of a file already shows that it can't be used, as a sentence; null where it doesn't. */
export async function whyHopeless(path: string, demuxer: Film["demuxer"]): Promise<string | null> {
  if (demuxer !== "mov") return noFfmpeg;
  const facts = await readFacts(path);
  return facts && refusalOf(facts);
}

/** @returns the length of a file that browsers play as it is. @throws Unusable for any other. */
export async function readPlain(path: string, demuxer: Film["demuxer"], signal?: AbortSignal): Promise<number> {
  if (demuxer !== "mov") throw new Unusable(noFfmpeg);
  const facts = await readFacts(path, signal);
  if (!facts?.isWhole) throw new Unusable(damaged);
  const refusal = refusalOf(facts);
  if (refusal !== null) throw new Unusable(refusal);
  requireLength(facts.seconds ?? 0);
  return facts.seconds ?? 0;
}
