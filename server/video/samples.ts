import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../content/samples", import.meta.url));
const extensions = { video: "mp4", captions: "vtt", poster: "jpg" } as const;

export type SamplePart = keyof typeof extensions;

/** @param sampleId what follows `sample:` in a video id */
export function findSample(sampleId: string, part: SamplePart): { root: string; path: string } | null {
  const path = `/${sampleId}.${extensions[part]}`;
  return /^[a-z0-9-]+$/.test(sampleId) && existsSync(join(folder, path)) ? { root: folder, path } : null;
}

export function sampleCaptions(sampleId: string): string | null {
  const file = findSample(sampleId, "captions");
  return file && readFileSync(join(file.root, file.path), "utf8");
}
