import { type BunnyKeys, bunnyAddress } from "./bunny.ts";
import {
  type DescriptionAddresses,
  type Inspecting,
  inspectVideo,
  isDescribed,
  openPicture,
  type VideoFacts,
} from "./inspection.ts";
import { type MuxKeys, muxAddress } from "./mux.ts";
import { parseVideoId, type VideoId } from "./video-id.ts";

export type VideoSource =
  | { readonly kind: "sample"; readonly sampleId: string }
  | { readonly kind: "file" | "youtube" | "vimeo"; readonly url: string }
  | { readonly kind: "hls"; readonly url: string; readonly expiresAt: Date | null }
  | { readonly kind: "frame"; readonly url: string; readonly expiresAt: Date };

/** Sources of a content security policy, by directive. */
export interface VideoOrigins {
  readonly script: readonly string[];
  readonly frame: readonly string[];
  readonly media: readonly string[];
  readonly connect: readonly string[];
}

export interface Video {
  /** A signed address outlives the video by a quarter of an hour. @throws UnplayableVideo without meaning or keys. */
  sourceOf(videoId: string, durationSeconds: number, now: Date): VideoSource;
  /** Whether somebody can be asked about it. */
  isDescribed(videoId: string): boolean;
  /** Asks where the video lies. @throws NoDescription when nobody answers; only for ids that `isDescribed`. */
  inspect(videoId: string, now: Date): Promise<VideoFacts>;
  /** At an address that `inspect` found. @throws NoPicture; NoDescription when nobody answers, also from the stream. */
  openPicture(url: string): Promise<AsyncIterable<Uint8Array>>;
}

/** The message tells the operator why. */
export class UnplayableVideo extends Error {
  override name = "UnplayableVideo";
}

export interface VideoConfig {
  readonly bunny: BunnyKeys | null;
  readonly mux: MuxKeys | null;
  /** VIDEO_ORIGINS: the academy's own addresses of video files. */
  readonly origins: readonly string[];
}

/** Past the video's own length. */
const spareSeconds = 15 * 60;

const none: VideoOrigins = { script: [], frame: [], media: [], connect: [] };

/** Addresses are made and signed here: to play a video nobody is called. */
export function videoServices(config: VideoConfig, addresses: DescriptionAddresses, publicUrl: string): Video {
  const { bunny, mux } = config;
  const inspecting: Inspecting = { ...config, addresses, publicUrl };
  return {
    isDescribed: (videoId) => isDescribed(videoId, inspecting),
    inspect: (videoId, now) => inspectVideo(videoId, inspecting, now),
    openPicture: (url) => openPicture(url, inspecting),
    sourceOf(videoId, durationSeconds, now) {
      const video = parseVideoId(videoId);
      if (!video) throw new UnplayableVideo("the video id is of no known form");
      const expiresAt = new Date(now.getTime() + (durationSeconds + spareSeconds) * 1000);
      switch (video.provider) {
        case "sample":
          return { kind: "sample", sampleId: video.id };
        case "file":
          return { kind: "file", url: video.id };
        case "hls":
          return { kind: "hls", url: video.id, expiresAt: null };
        case "youtube":
          return { kind: "youtube", url: `https://www.youtube-nocookie.com/embed/${video.id}` };
        case "vimeo":
          return { kind: "vimeo", url: vimeoAddress(video.id) };
        case "bunny":
          if (!bunny) throw new UnplayableVideo("BUNNY_LIBRARY_ID and BUNNY_SECURITY_KEY are missing");
          return { kind: "frame", url: bunnyAddress(bunny, video.id, expiresAt), expiresAt };
        case "mux":
          if (!mux) throw new UnplayableVideo("MUX_SIGNING_KEY_ID and MUX_SIGNING_PRIVATE_KEY are missing");
          return { kind: "hls", url: muxAddress(mux, video.id, expiresAt), expiresAt };
      }
    },
  };
}

/** In one order, so that all nodes say the same. */
export function originsOfVideos(videoIds: readonly string[]): VideoOrigins {
  const needed = videoIds.flatMap((videoId) => parseVideoId(videoId) ?? []).map(originsOf);
  const all = (directive: keyof VideoOrigins) => [...new Set(needed.flatMap((one) => one[directive]))].sort();
  return {
    script: all("script"),
    frame: all("frame"),
    media: all("media"),
    connect: all("connect"),
  };
}

function vimeoAddress(id: string): string {
  const [number, hash] = id.split("/");
  return `https://player.vimeo.com/video/${number}${hash ? `?h=${hash}` : ""}`;
}

function originsOf({ provider, id }: VideoId): VideoOrigins {
  switch (provider) {
    case "sample":
      return none;
    case "file":
      return { ...none, media: [new URL(id).origin] };
    case "hls":
      return { ...none, media: [new URL(id).origin], connect: [new URL(id).origin] };
    case "youtube":
      // The script is YouTube's interface to its own frame.
      return { ...none, script: ["https://www.youtube.com"], frame: ["https://www.youtube-nocookie.com"] };
    case "vimeo":
      return { ...none, frame: ["https://player.vimeo.com"] };
    case "bunny":
      return { ...none, frame: ["https://iframe.mediadelivery.net"] };
    case "mux":
      // A playlist names segments on hosts of many names.
      return {
        ...none,
        media: ["https://*.mux.com"],
        connect: ["https://*.mux.com"],
      };
  }
}
