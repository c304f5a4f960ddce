import type { Rendition } from "./tables.ts";

/** The name of a rendition's files: the pixels of its shorter side, as people call it. */
export const nameOf = ({ width, height }: Pick<Rendition, "width" | "height">) => String(Math.min(width, height));

/** Names the renditions, smallest first: players begin with the first one. */
export function masterPlaylist(renditions: readonly Rendition[]): string {
  return linesOf([
    "#EXT-X-INDEPENDENT-SEGMENTS",
    ...renditions.flatMap((one) => [
      `#EXT-X-STREAM-INF:BANDWIDTH=${one.bandwidth},RESOLUTION=${one.width}x${one.height},CODECS="${one.codecs}"`,
      `${nameOf(one)}.m3u8`,
    ]),
  ]);
}

/** Names the segments of one rendition, as ranges of its file. */
export function mediaPlaylist(rendition: Rendition): string {
  const { headerBytes, segments } = rendition;
  const file = `${nameOf(rendition)}.mp4`;
  let start = headerBytes;
  const named = segments.flatMap(([seconds, bytes]) => {
    const range = `#EXT-X-BYTERANGE:${bytes}@${start}`;
    start += bytes;
    return [`#EXTINF:${seconds.toFixed(6)},`, range, file];
  });
  const longest = segments.reduce((most, [seconds]) => Math.max(most, seconds), 1);
  return linesOf([
    `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`,
    "#EXT-X-PLAYLIST-TYPE:VOD",
    `#EXT-X-MAP:URI="${file}",BYTERANGE="${headerBytes}@0"`,
    ...named,
    "#EXT-X-ENDLIST",
  ]);
}

const linesOf = (lines: readonly string[]) => `${["#EXTM3U", "#EXT-X-VERSION:7", ...lines].join("\n")}\n`;
