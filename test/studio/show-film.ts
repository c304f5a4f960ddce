import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunningAcademy } from "../academy.ts";
import { ffmpeg, picture, sound } from "./films.ts";

const sources = (seconds: number) => [...picture("320x180", seconds), ...sound(seconds)];
const codecs = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "20", "-c:a", "aac"];

/** Makes a small film of this length, in H.264 and AAC. */
export function makeFilm(path: string, seconds: number): void {
  execFileSync(ffmpeg, [...sources(seconds), ...codecs, path]);
}

/** Stores a film of a minute as a converted upload, and shows it in a lesson. */
export async function showFilm({ pool, dataDir }: RunningAcademy, lessonId: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "film-"));
  const hls = ["-f", "hls", "-hls_time", "6", "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4"];
  execFileSync(ffmpeg, [...sources(60), ...codecs, ...hls, "-hls_flags", "single_file", "film.m3u8"], {
    cwd: directory,
  });
  const playlist = readFileSync(join(directory, "film.m3u8"), "utf8");
  const name = /URI="([^"]+)",BYTERANGE="(\d+)@0"/.exec(playlist);
  const file = join(directory, name?.[1] ?? "");
  const found = playlist.matchAll(/#EXTINF:([\d.]+),\s*#EXT-X-BYTERANGE:(\d+)@/g);
  const content = readFileSync(file);
  const key = `videos/${"film0".repeat(4)}`;
  mkdirSync(join(dataDir, "files/videos"), { recursive: true });
  copyFileSync(file, join(dataDir, "files", key));
  // Players load half a minute of such bandwidth at a time.
  const bandwidth = 40_000_000;
  const rendition = {
    ...{ height: 180, width: 320, key, size: content.length, bandwidth, codecs: "avc1.42c00d,mp4a.40.2" },
    ...{ sha256: createHash("sha256").update(content).digest("hex"), headerBytes: Number(name?.[2]) },
    segments: Array.from(found, ([, seconds, bytes]) => [Number(seconds), Number(bytes)]),
  };
  await pool.query(
    `insert into videos (id, file_name, size, state, length_seconds, renditions, created_at)
      values ($1, 'film.mov', 1, 'ready', 60, $2, now())`,
    ["film0".repeat(4), JSON.stringify([rendition])],
  );
  await pool.query("update lessons set video_id = $1, duration_seconds = 60 where id = $2", [
    `own:${"film0".repeat(4)}`,
    lessonId,
  ]);
}
