/** The video of a lesson that is not produced yet, as specified. */
export const noVideo = "placeholder-video";

export interface VideoId {
  readonly provider: Provider;
  readonly id: string;
}

export type Provider = keyof typeof forms;

const forms = {
  /** Uploaded here. */
  own: /^[0-9a-z]{20}$/,
  sample: /^[a-z0-9-]{1,40}$/,
  /** An MP4. */
  file: /^https:\/\/[^\s"';,]+$/,
  /** A playlist. */
  hls: /^https:\/\/[^\s"';,]+$/,
  youtube: /^[\w-]{11}$/,
  /** With the hash of an unlisted video: `vimeo:76979871/8272103f6e`. */
  vimeo: /^\d{1,12}(\/[0-9a-f]{6,40})?$/,
  bunny: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  mux: /^[A-Za-z0-9]{10,80}$/,
} as const;

/** Null for the placeholder and for ids that no provider could have. */
export function parseVideoId(text: string): VideoId | null {
  const colon = text.indexOf(":");
  const provider = text.slice(0, colon);
  const id = text.slice(colon + 1);
  if (!Object.hasOwn(forms, provider)) return null;
  const known = provider as Provider;
  return forms[known].test(id) && (!id.startsWith("https:") || isOfOneHost(id)) ? { provider: known, id } : null;
}

/** Refuses an asterisk, which a content security policy would take for every host. */
function isOfOneHost(address: string): boolean {
  return urlOf(address)?.hostname.includes("*") === false;
}

/**
 * The `provider:id` of what an owner pastes: an address of a video service, an address of an MP4 or of an HLS playlist,
 * a service's code for embedding, an id of YouTube, or `provider:id` itself. Null for anything else.
 */
export function videoIdOf(pasted: string): string | null {
  if (parseVideoId(pasted)) return pasted;
  if (forms.youtube.test(pasted)) return `youtube:${pasted}`;
  const address = addressIn(pasted);
  const videoId = address && idAt(address);
  return videoId && parseVideoId(videoId) ? videoId : null;
}

/** The address that `videoIdOf` reads as this id; the id itself where there is none. */
export function videoAddressOf(videoId: string): string {
  const video = parseVideoId(videoId);
  if (!video) return videoId;
  const { provider, id } = video;
  const addresses: Partial<Record<Provider, string>> = {
    file: id,
    hls: id,
    youtube: `https://www.youtube.com/watch?v=${id}`,
    vimeo: `https://vimeo.com/${id}`,
    mux: `https://player.mux.com/${id}`,
  };
  const address = addresses[provider];
  return address && videoIdOf(address) === videoId ? address : videoId;
}

function addressIn(pasted: string): URL | null {
  const [, source] = /<iframe\s[^>]*?\bsrc=["']([^"']+)["']/i.exec(pasted) ?? [];
  const address = (source?.replaceAll("&amp;", "&") ?? pasted).replace(/^\/\//, "https://");
  const whole = /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`;
  const url = /\s/.test(whole) ? null : urlOf(whole);
  return url?.protocol === "https:" || url?.protocol === "http:" ? url : null;
}

/** Null for what is no address. Some supported browsers lack `URL.canParse`. */
function urlOf(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Words that have an id's form, at its place in addresses of YouTube. */
const notVideos = ["videoseries", "live_stream"];

function idAt(address: URL): string | null {
  const { hostname, pathname, searchParams: query } = address;
  const path = pathname.split("/").filter(Boolean);
  const host = hostname.replace(/^(www|m|music)\./, "");
  switch (host) {
    case "youtu.be":
      return `youtube:${path[0]}`;
    case "youtube.com":
    case "youtube-nocookie.com": {
      const inner = query.get("u") ?? query.get("url");
      if (inner) {
        const url = urlOf(inner, address.href);
        return url && idAt(url);
      }
      const id = query.get("v") ?? (/^(embed|shorts|live|v|e|watch)$/.test(path[0] ?? "") ? path[1] : null);
      return id && !notVideos.includes(id) ? `youtube:${id}` : null;
    }
    case "vimeo.com":
    case "player.vimeo.com": {
      const at = path.findLastIndex((part) => /^\d+$/.test(part));
      const hash = query.get("h") ?? path[at + 1];
      return `vimeo:${path[at]}${hash && /^[0-9a-f]{6,40}$/.test(hash) ? `/${hash}` : ""}`;
    }
    case "stream.mux.com":
    case "player.mux.com":
      return `mux:${path[0]?.replace(/\.m3u8$/, "")}`;
  }
  if (/(^|\.)(mediadelivery\.net|b-cdn\.net)$/.test(host)) {
    const id = path.find((part) => forms.bunny.test(part));
    if (id) return `bunny:${id}`;
  }
  if (/\.m3u8$/i.test(pathname)) return `hls:${address.href}`;
  return /\.(mp4|m4v|mov|webm)$/i.test(pathname) ? `file:${address.href}` : null;
}
