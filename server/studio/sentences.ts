import { Refusal } from "#server/base/refusal.ts";
import { damaged, Failed, NotRead } from "./film.ts";
import type { Ended } from "./run-limited.ts";

const sentences: Readonly<Record<Exclude<Ended["ending"], "exited" | "stopped">, string>> = {
  "stood still": "The conversion stopped making progress, so we ended it. Try again.",
  "too slow": "The conversion took too long, so we ended it. Export the video in a smaller size and upload it.",
  "too large": "The converted video got too large. Export the video in a smaller size and upload it.",
  "out of memory":
    "The conversion needs more memory than this server has. Export the video in a smaller size and upload it.",
};

const noRoom =
  "The server has no space left for this video. Ask your server administrator to make room, then try again.";
const notRead = "The server couldn’t run ffmpeg on this video. Try again, or ask your server administrator.";
const other = "The conversion failed. Try again, or export the video as MP4 and upload it.";

/** Tells the owner why a video failed. Null: each node that began the conversion died. */
export function sentenceFor(error: unknown): string {
  if (error === null)
    return `The server stopped each time it converted this video. Try again, or ask your server administrator.`;
  if (error instanceof Refusal && error.code === "storage-full") return noRoom;
  if (!(error instanceof Failed)) return other;
  const { ending, log } = error.ended;
  if (error instanceof NotRead && !isFinal(error)) return notRead;
  if (ending !== "exited" && ending !== "stopped") return sentences[ending];
  if (log.some((line) => line.includes("No space left on device"))) return noRoom;
  return log.some((line) => /Invalid data found|moov atom not found/.test(line)) ? damaged : other;
}

/** Another try would take as long and end the same way. */
export function isFinal(error: unknown): boolean {
  return error instanceof Failed && error.ended.ending !== "exited" && error.ended.ending !== "out of memory";
}
