import { createHash, randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "#server/db/id.ts";
import type { RunningAcademy } from "./academy.ts";

/** A rendition's file, in two segments. */
const header = 100;
const segments = [
  [6, 5000],
  [4, 3000],
] as const;

/**
 * Records a video as an upload would leave it, with bytes that no player reads, and shows it in a lesson.
 * @param heights of its renditions; none: the file plays as it was uploaded
 * @returns its id, and the bytes of each file
 */
export async function addUploadedVideo(
  academy: Pick<RunningAcademy, "pool" | "dataDir">,
  { lessonId, heights = [360] }: { lessonId: string; heights?: readonly number[] },
): Promise<{ id: string; videoId: string; bytes: Buffer }> {
  const bytes = randomBytes(header + segments.reduce((sum, [, size]) => sum + size, 0));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const store = async () => {
    const key = `videos/${newId()}`;
    await mkdir(join(academy.dataDir, "files/videos"), { recursive: true });
    await writeFile(join(academy.dataDir, "files", key), bytes);
    return key;
  };
  const facts = {
    size: bytes.length,
    sha256,
    bandwidth: 800_000,
    codecs: "avc1.64001f",
    headerBytes: header,
    segments,
  };
  const renditions = [];
  for (const height of heights) renditions.push({ height, width: height * 2, key: await store(), ...facts });
  const id = newId();
  await academy.pool.query(
    `insert into videos (id, file_name, size, received, sha256, state, progress, source_key, length_seconds, renditions,
      created_at) values ($1, 'lesson.mov', $2, $2, $3, 'ready', 100, $4, 10, $5, now())`,
    [id, bytes.length, sha256, await store(), JSON.stringify(renditions)],
  );
  await academy.pool.query(
    "update lessons set video_id = $1, duration_seconds = 10, coming_soon = false, released = true where id = $2",
    [`own:${id}`, lessonId],
  );
  return { id, videoId: `own:${id}`, bytes };
}
