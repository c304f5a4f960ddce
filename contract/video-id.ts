export interface VideoId {
  readonly provider: Provider;
  readonly id: string;
}

export type Provider = keyof typeof forms;

const forms = {
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
  return URL.canParse(address) && !new URL(address).hostname.includes("*");
}
