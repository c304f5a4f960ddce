import { pictureAddress, pictureSize } from "#contract/branding.ts";
import type { Picture as PictureOfCopy } from "#contract/pictures.ts";

/** A picture that the owner uploaded. It loads when it comes near, after the first paint. */
export function Picture({ picture: { id, alt }, className }: { picture: PictureOfCopy; className: string }) {
  return (
    <img src={pictureAddress(id, "webp")} {...pictureSize(id)} alt={alt ?? ""} loading="lazy" className={className} />
  );
}
