import { createHash } from "node:crypto";

export interface BunnyKeys {
  readonly libraryId: string;
  readonly securityKey: string;
}

/** Signs by Bunny's "embed view token authentication"; the expiry is in whole seconds. */
export function bunnyAddress({ libraryId, securityKey }: BunnyKeys, videoId: string, expiresAt: Date): string {
  const expires = Math.floor(expiresAt.getTime() / 1000);
  const token = createHash("sha256").update(`${securityKey}${videoId}${expires}`).digest("hex");
  return `https://iframe.mediadelivery.net/embed/${libraryId}/${videoId}?token=${token}&expires=${expires}&autoplay=false&preload=false`;
}
