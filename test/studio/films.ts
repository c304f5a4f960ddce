import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { newId } from "#server/db/id.ts";
import { packagedFfmpeg } from "#server/studio/find-ffmpeg.ts";
import type { RunningAcademy } from "#test/academy.ts";
import { until } from "#test/until.ts";

export const ffmpeg = packagedFfmpeg() ?? "ffmpeg";

/** A test picture. */
export const picture = (size = "320x180", seconds = 2, rate = 10) => [
  ...["-f", "lavfi", "-i", `testsrc=size=${size}:rate=${rate}:duration=${seconds}`],
];
/** A tone. */
export const sound = (seconds = 2, layout = "mono") => [
  ...["-f", "lavfi", "-i", `sine=frequency=440:duration=${seconds},aformat=channel_layouts=${layout}`],
];

/** Makes a film by ffmpeg: H.264 and AAC unless `args`, which begin with the inputs, name others. */
export async function makeFilm(directory: string, name: string, args: readonly string[]): Promise<Buffer> {
  const codecs = ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"];
  const path = join(directory, name);
  const outputs = args.lastIndexOf("-i") + 2;
  const options = ["-nostdin", "-v", "error", "-y", ...args.slice(0, outputs), ...codecs, ...args.slice(outputs)];
  await promisify(execFile)(ffmpeg, [...options, path]);
  return readFile(path);
}

/** Stores an upload as it is when its last piece, of `pieces`, has come. @returns its id */
export async function storeUpload(
  { pool, dataDir }: Pick<RunningAcademy, "pool" | "dataDir">,
  content: Buffer,
  { pieces = 1, uploadedBy = null }: { pieces?: number; uploadedBy?: string | null } = {},
): Promise<string> {
  const id = newId();
  const store = join(dataDir, "files");
  await mkdir(join(store, "videos"), { recursive: true });
  await pool.query(
    `insert into videos (id, file_name, size, received, state, uploaded_by, created_at, uploaded_at)
      values ($1, 'film.mp4', $2, $2, 'waiting', $3, now(), now())`,
    [id, content.length, uploadedBy],
  );
  const step = Math.ceil(content.length / pieces);
  for (let start = 0; start < content.length; start += step) {
    const piece = content.subarray(start, start + step);
    const key = `videos/${newId()}`;
    await writeFile(join(store, key), piece);
    await pool.query("insert into video_pieces values ($1, $2, $3, $4)", [id, start, piece.length, key]);
  }
  await pool.query(
    "insert into jobs (id, name, data, run_at, created_at) values ($1, 'prepare-video', $2, now(), now())",
    [newId(), { videoId: id }],
  );
  return id;
}

/** Waits until the video is ready or failed. @returns its row */
export async function prepared({ pool }: Pick<RunningAcademy, "pool">, id: string) {
  return until(async () => {
    const { rows } = await pool.query("select * from videos where id = $1", [id]);
    return /ready|failed/.test(rows[0]?.state) && rows[0];
  });
}
