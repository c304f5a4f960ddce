import { createHash } from "node:crypto";

export interface BunnyKeys {
  readonly libraryId: string;
  /** The library's "token authentication key". */
  readonly securityKey: string;
}

/**
 * The address of Bunny's own player for one video, good until `expiresAt` (whole seconds count). The token is the
 * SHA-256 of key, video and end in hexadecimal, as their "embed view token authentication" asks for.
 */
export function bunnyAddress({ libraryId, securityKey }: BunnyKeys, videoId: string, expiresAt: Date): string {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const token = createHash("sha256").update(`${securityKey}${videoId}${expires}`).digest("hex");
  return `https://iframe.mediadelivery.net/embed/${libraryId}/${videoId}?token=${token}&expires=${expires}&autoplay=false&preload=false`;
}
