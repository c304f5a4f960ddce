import { z } from "zod";
import { SECOND } from "#server/base/clock.ts";
import { findSample } from "./samples.ts";
import { parseVideoId, type VideoId } from "./video-id.ts";

/** Where services describe their videos to anybody, by oEmbed. */
export interface DescriptionAddresses {
  readonly youtube: string;
  readonly vimeo: string;
}

export const realDescriptions: DescriptionAddresses = {
  youtube: "https://www.youtube.com/oembed",
  vimeo: "https://vimeo.com/api/oembed.json",
};

/** What is known of a video by asking where it lies. */
export interface VideoFacts {
  /** Whether it can be played inside of our pages. */
  readonly isPlayable: boolean;
  /** Why not, as a sentence; null while it can. */
  readonly reason: string | null;
  readonly title: string | null;
  /** Null where the service does not tell. */
  readonly durationSeconds: number | null;
}

/** The service did not answer, or not as it should: another time it may. */
export class NoDescription extends Error {
  override name = "NoDescription";
}

/** Whether anybody can be asked; of files elsewhere, and of services that tell only their customers, nothing is known. */
export function isDescribed(videoId: string): boolean {
  const provider = parseVideoId(videoId)?.provider;
  return provider === "youtube" || provider === "vimeo" || provider === "sample";
}

const patience = 5 * SECOND;
/** Bytes; descriptions are one or two thousand. */
const longestAnswer = 64 * 1024;

const Description = z.object({
  title: z.string().trim().max(500).optional(),
  duration: z.number().min(1).max(86_400).optional(),
});

/** Asks addresses of ours alone, and follows them nowhere. @throws NoDescription; only for ids that are described. */
export async function inspectVideo(videoId: string, addresses: DescriptionAddresses): Promise<VideoFacts> {
  const video = parseVideoId(videoId);
  if (video?.provider === "sample") return inspectSample(video);
  const address = video && addressOf(video, addresses);
  if (!address) throw new Error(`nobody describes ${videoId}`);
  const answer = await ask(address);
  const unplayable = (reason: string) => ({ isPlayable: false, reason, title: null, durationSeconds: null });
  // 400 is what YouTube says of an id that it never gave.
  if ([400, 404].includes(answer.status)) return unplayable("The service has no such video, or has it no more.");
  if ([401, 403].includes(answer.status)) {
    return unplayable("The service does not let it play on other sites: its privacy or its embedding is restricted.");
  }
  const description = Description.safeParse(answer.body);
  if (answer.status !== 200 || !description.success) throw new NoDescription(`it answered ${answer.status}`);
  const { title, duration } = description.data;
  return {
    isPlayable: true,
    reason: null,
    title: title || null,
    durationSeconds: duration === undefined ? null : Math.round(duration),
  };
}

function inspectSample({ id }: VideoId): VideoFacts {
  const isPlayable = findSample(id, "video") !== null;
  const reason = isPlayable ? null : "There is no such sample.";
  return { isPlayable, reason, title: null, durationSeconds: null };
}

function addressOf({ provider, id }: VideoId, addresses: DescriptionAddresses): URL | null {
  if (provider !== "youtube" && provider !== "vimeo") return null;
  const address = new URL(addresses[provider]);
  const page = provider === "youtube" ? `https://www.youtube.com/watch?v=${id}` : `https://vimeo.com/${id}`;
  address.searchParams.set("url", page);
  if (provider === "youtube") address.searchParams.set("format", "json");
  return address;
}

async function ask(address: URL): Promise<{ status: number; body: unknown }> {
  try {
    const response = await fetch(address, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(patience),
    });
    const text = await readShort(response);
    return { status: response.status, body: response.ok ? JSON.parse(text) : null };
  } catch (error) {
    const { message, cause } = error as Error;
    throw new NoDescription(cause instanceof Error ? `${message}: ${cause.message}` : message);
  }
}

/** @throws Error past `longestAnswer`. */
async function readShort(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > longestAnswer) throw new Error("it answered with more than a description");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
