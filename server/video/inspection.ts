import { open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { parseVideoId, type VideoId } from "#contract/video-id.ts";
import { type BunnyKeys, bunnyAddress } from "./bunny.ts";
import { secondsOfMp4 } from "./mp4.ts";
import { type MuxKeys, muxToken } from "./mux.ts";
import { askForJson, askForPart, askForPicture, NoDescription } from "./outgoing.ts";
import { findSample } from "./samples.ts";

/** Where services describe their videos: three by oEmbed, Mux at its image address. */
export interface DescriptionAddresses {
  readonly youtube: string;
  readonly vimeo: string;
  readonly bunny: string;
  readonly mux: string;
}

export const realDescriptions: DescriptionAddresses = {
  youtube: "https://www.youtube.com/oembed",
  vimeo: "https://vimeo.com/api/oembed.json",
  bunny: "https://video.bunnycdn.com/OEmbed",
  mux: "https://image.mux.com",
};

/** Origins of their pictures, or a domain of the service for all of its hosts. */
const pictureHosts = ["https://i.ytimg.com", "https://i.vimeocdn.com", "https://*.b-cdn.net", "https://image.mux.com"];

/** Whom the server may ask, and for which site. */
export interface Inspecting {
  readonly addresses: DescriptionAddresses;
  readonly bunny: BunnyKeys | null;
  readonly mux: MuxKeys | null;
  /** The academy's own origins, whose files are read for their duration. */
  readonly origins: readonly string[];
  /** Sent as the referer, as Bunny restricts videos to some sites. */
  readonly publicUrl: string;
}

/** What a service, or a file, tells about a video. */
export interface VideoFacts {
  /** Whether it can be embedded in our pages. */
  readonly isPlayable: boolean;
  /** Why not, as a sentence; null when it can. */
  readonly reason: string | null;
  readonly title: string | null;
  /** Null where the service does not tell. */
  readonly durationSeconds: number | null;
  /** The address of the service's picture of it, which `openPicture` fetches. */
  readonly pictureUrl: string | null;
}

/** The service has no picture, for the reason in the message. */
export class NoPicture extends Error {
  override name = "NoPicture";
}

/** Whether a service or a file can be asked about the video. */
export function isDescribed(videoId: string, { bunny, mux, origins }: Inspecting): boolean {
  const video = parseVideoId(videoId);
  switch (video?.provider) {
    case "sample":
    case "youtube":
    case "vimeo":
      return true;
    case "bunny":
      return bunny !== null;
    case "mux":
      return mux !== null;
    case "file":
      return origins.includes(new URL(video.id).origin);
    default:
      return false;
  }
}

const Description = z.object({
  title: z.string().trim().max(500).optional(),
  duration: z.number().min(1).max(86_400).optional(),
  thumbnail_url: z.string().max(2000).nullish(),
});
const Storyboard = z.object({ duration: z.number().positive().max(86_400).optional() });

/** Asks the service about a video; follows no redirects. Only for ids that `isDescribed`. @throws NoDescription. */
export async function inspectVideo(videoId: string, inspecting: Inspecting, now: Date): Promise<VideoFacts> {
  const video = parseVideoId(videoId);
  if (!video || !isDescribed(videoId, inspecting)) throw new Error(`nobody describes ${videoId}`);
  switch (video.provider) {
    case "sample":
      return inspectSample(video.id);
    case "file":
      return inspectFile(new URL(video.id));
    case "mux":
      return inspectMux(video.id, inspecting, now);
    default:
      return inspectByOEmbed(oEmbedOf(video, inspecting, now), inspecting);
  }
}

/** @throws NoPicture; NoDescription, also from the stream, when a retry may succeed */
export async function openPicture(
  url: string,
  { addresses, publicUrl }: Inspecting,
): Promise<AsyncIterable<Uint8Array>> {
  const address = URL.canParse(url) ? new URL(url) : null;
  // The service's own origin counts too, as in the sandbox.
  const hosts = [...Object.values(addresses).map((one) => new URL(one).origin), ...pictureHosts];
  if (!address || !hosts.some((host) => isAt(address, host))) {
    throw new NoPicture("It lies at an address that the server does not ask.");
  }
  const { status, content } = await askForPicture(address, publicUrl);
  if ([400, 401, 403, 404, 410].includes(status)) throw new NoPicture("Its service does not hand it out.");
  if (status !== 200) throw new NoDescription(`its picture answered ${status}`);
  return content;
}

function isAt(address: URL, host: string): boolean {
  const [, below] = host.split("*");
  return below === undefined ? address.origin === host : address.protocol === "https:" && address.host.endsWith(below);
}

const playable = { isPlayable: true, reason: null, title: null, durationSeconds: null, pictureUrl: null };
const unplayable = (reason: string): VideoFacts => ({ ...playable, isPlayable: false, reason });
const gone = unplayable("We couldn't find this video. It may have been deleted.");

async function inspectByOEmbed(address: URL, { publicUrl }: Inspecting): Promise<VideoFacts> {
  const { status, body } = await askForJson(address, publicUrl);
  // YouTube answers 400 for an id that never existed.
  if ([400, 404].includes(status)) return gone;
  if ([401, 403].includes(status)) {
    return unplayable("The service does not let it play on other sites: its privacy or its embedding is restricted.");
  }
  const description = Description.safeParse(body);
  if (status !== 200 || !description.success) throw new NoDescription(`it answered ${status}`);
  const { title, duration, thumbnail_url: pictureUrl } = description.data;
  return {
    ...playable,
    title: title || null,
    durationSeconds: duration === undefined ? null : Math.round(duration),
    pictureUrl: pictureUrl || null,
  };
}

/** Mux tells the duration with its storyboard, the preview images of the progress bar. */
async function inspectMux(id: string, { mux, addresses, publicUrl }: Inspecting, now: Date): Promise<VideoFacts> {
  if (!mux) throw new Error("Mux is asked with keys alone");
  const address = (file: string, audience: "s" | "t") =>
    `${addresses.mux}/${id}/${file}?token=${muxToken(mux, id, audience, new Date(now.getTime() + signedFor))}`;
  const { status, body } = await askForJson(new URL(address("storyboard.json", "s")), publicUrl);
  if ([400, 404].includes(status)) return gone;
  if ([401, 403].includes(status)) return unplayable("Mux does not accept the signing key for it.");
  const storyboard = Storyboard.safeParse(body);
  if (status !== 200 || !storyboard.success) throw new NoDescription(`it answered ${status}`);
  const { duration } = storyboard.data;
  return {
    ...playable,
    durationSeconds: duration === undefined ? null : Math.max(1, Math.round(duration)),
    pictureUrl: address("thumbnail.jpg", "t"),
  };
}

/** Only for the academy's own origins. @internal */
export async function inspectFile(address: URL): Promise<VideoFacts> {
  const { status } = await askForPart(address, 0, 16);
  if ([404, 410].includes(status)) return unplayable("We couldn't find this file.");
  if ([401, 403].includes(status)) return unplayable("The file is not open to everybody.");
  if (status !== 206) throw new NoDescription(`it answered ${status}`);
  const seconds = await secondsOfMp4(async (from, length) => (await askForPart(address, from, length)).bytes);
  return { ...playable, durationSeconds: seconds && Math.max(1, Math.round(seconds)) };
}

async function inspectSample(id: string): Promise<VideoFacts> {
  const sample = findSample(id, "video");
  if (!sample) return unplayable("We couldn't find this sample.");
  const file = await open(join(sample.root, sample.path));
  try {
    const seconds = await secondsOfMp4(async (from, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    });
    return { ...playable, durationSeconds: seconds && Math.max(1, Math.round(seconds)) };
  } finally {
    await file.close();
  }
}

/** Milliseconds until a signed request expires. */
const signedFor = 10 * 60_000;

function oEmbedOf({ provider, id }: VideoId, { bunny, addresses }: Inspecting, now: Date): URL {
  if (provider === "youtube") {
    return withQuery(addresses.youtube, { url: `https://www.youtube.com/watch?v=${id}`, format: "json" });
  }
  if (provider === "vimeo") return withQuery(addresses.vimeo, { url: `https://vimeo.com/${id}`, width: "1280" });
  if (!bunny) throw new Error("Bunny is asked with keys alone");
  const player = new URL(bunnyAddress(bunny, id, new Date(now.getTime() + signedFor)));
  const { token = "", expires = "" } = Object.fromEntries(player.searchParams);
  return withQuery(addresses.bunny, { url: `${player.origin}${player.pathname}`, token, expires });
}

function withQuery(address: string, query: Record<string, string>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}
