import { Refusal } from "#server/base/refusal.ts";
import { type Fault, type Format, type Limits, type Pixels, runDecoder, type Task } from "./run-decoder.ts";

export type { Pixels } from "./run-decoder.ts";

interface Wanted extends Omit<Task, "path"> {
  /** The advice to the person when the picture cannot be used. */
  readonly instead: string;
}

/** Decodes a picture to upright pixels, without metadata. @throws Refusal unreadable-image. */
export async function decodeImage(path: string, { instead, ...wanted }: Wanted, limits?: Limits): Promise<Pixels> {
  const decoded = await runDecoder({ path, ...wanted }, limits);
  if ("fault" in decoded) throw new Refusal("unreadable-image", sentences[decoded.fault](instead, decoded));
  return decoded;
}

const sentences: Record<Fault["fault"], (instead: string, fault: Fault) => string> = {
  unreadable: (instead) => `We couldn't read this file as an image. Please choose ${instead}.`,
  damaged: (_, { format }) => `This ${nameOf(format)} image is damaged or incomplete. Please choose another one.`,
  "another format": (instead, { format }) => `${nameOf(format)} images can't be used here. Please choose ${instead}.`,
  pixels: () => "This image has too many pixels. Please choose a smaller one.",
  memory: () => "This image is too big to open. Please choose a smaller one.",
  time: () => "This image takes too long to open. Please choose a simpler one.",
};

function nameOf(format: Format | undefined): string {
  return format === "webp" ? "WebP" : (format ?? "").toUpperCase();
}

let loading: Promise<typeof import("sharp").default> | undefined;

/** Loads the library with the first picture, to save memory until then. It reads only what the academy wrote. */
export function loadSharp(): Promise<typeof import("sharp").default> {
  loading ??= import("sharp").then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ["VipsForeignLoad"] });
    sharp.unblock({ operation: ["Png", "Webp", "Jpeg"].map((name) => `VipsForeignLoad${name}Buffer`) });
    return sharp;
  });
  return loading;
}

/** At most one waiting task for each upload in flight, 210, whose files are on the disk. */
let turn: Promise<unknown> = Promise.resolve();

/** Runs one task at a time, to limit memory. */
export function inTurn<Made>(make: () => Promise<Made>): Promise<Made> {
  const made = turn.then(make);
  turn = made.catch(() => {});
  return made;
}
