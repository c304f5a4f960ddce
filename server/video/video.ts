import { parseVideoId, type VideoId } from "#contract/video-id.ts";
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

export type VideoSource =
  | { readonly kind: "own"; readonly id: string }
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
  /**
   * What a page needs to play the video. A signed address expires 15 minutes after the video's duration.
   * @throws UnplayableVideo for an unknown id or missing keys
   */
  sourceOf(videoId: string, durationSeconds: number, now: Date): VideoSource;
  /** Whether a service or a file can be asked about the video. */
  isDescribed(videoId: string): boolean;
  /**
   * Asks the service about the video. Only for ids that `isDescribed`.
   * @throws NoDescription when it does not answer
   */
  inspect(videoId: string, now: Date): Promise<VideoFacts>;
  /**
   * Fetches a picture at an address that `inspect` returned.
   * @throws NoPicture; NoDescription when the service does not answer, also from the stream
   */
  openPicture(url: string): Promise<AsyncIterable<Uint8Array>>;
}

/** The message tells the operator why it cannot be played. */
export class UnplayableVideo extends Error {
  override name = "UnplayableVideo";
}

export interface VideoConfig {
  readonly bunny: BunnyKeys | null;
  readonly mux: MuxKeys | null;
  /** VIDEO_ORIGINS: the academy's own origins of video files. */
  readonly origins: readonly string[];
}

/** Seconds that a signed address is valid past the video's duration. */
const spareSeconds = 15 * 60;

const none: VideoOrigins = { script: [], frame: [], media: [], connect: [] };

/** Builds and signs addresses without a call to the services. */
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
        case "own":
          return { kind: "own", id: video.id };
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

/** Sorted, so that all nodes send the same policy. */
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
    case "own":
    case "sample":
      return none;
    case "file":
      return { ...none, media: [new URL(id).origin] };
    case "hls":
      return { ...none, media: [new URL(id).origin], connect: [new URL(id).origin] };
    case "youtube":
      // The script of YouTube's IFrame API.
      return { ...none, script: ["https://www.youtube.com"], frame: ["https://www.youtube-nocookie.com"] };
    case "vimeo":
      return { ...none, frame: ["https://player.vimeo.com"] };
    case "bunny":
      return { ...none, frame: ["https://iframe.mediadelivery.net"] };
    case "mux":
      // Segments of a playlist may be on other hosts.
      return {
        ...none,
        media: ["https://*.mux.com"],
        connect: ["https://*.mux.com"],
      };
  }
}
