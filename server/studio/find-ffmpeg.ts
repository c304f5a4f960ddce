import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { SECOND } from "#server/base/clock.ts";
import type { Config } from "#server/context/config.ts";

const require = createRequire(import.meta.url);

/**
 * The program that converts videos: FFMPEG_PATH, or the one on PATH. A demo has one of its packages, which is of 2018
 * and never used in production. Null: there is none.
 */
export async function findFfmpeg(
  { ffmpegPath, mode }: Pick<Config, "ffmpegPath" | "mode">,
  searchPath = process.env.PATH ?? "",
): Promise<string | null> {
  if (ffmpegPath !== null) return (await isProgram(ffmpegPath)) ? ffmpegPath : null;
  for (const folder of searchPath.split(delimiter).filter(isAbsolute)) {
    const path = join(folder, "ffmpeg");
    if (await isProgram(path)) return path;
  }
  return mode === "demo" ? packagedFfmpeg() : null;
}

/** Null on machines for which there is no package. @internal */
export function packagedFfmpeg(): string | null {
  try {
    return join(
      dirname(require.resolve(`@ffmpeg-installer/${process.platform}-${process.arch}/package.json`)),
      "ffmpeg",
    );
  } catch {
    return null;
  }
}

/** What it says of itself, such as `5.1.6-0+deb12u1`, and the year of its copyright. @throws Error. */
export async function describeFfmpeg(path: string): Promise<{ version: string; year: number | null }> {
  const { stdout } = await promisify(execFile)(path, ["-version"], { timeout: 10 * SECOND, env: {} });
  const [, version, year] = /^ffmpeg version (\S+)(?:.*?\(c\) \d{4}-(\d{4}))?/.exec(stdout) ?? [];
  if (!version) throw new Error(`${path} is not ffmpeg`);
  return { version, year: year ? Number(year) : null };
}

/** Of those that conversions need. Distributions without patent licences leave some out. */
export async function missingEncoders(path: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(path, ["-hide_banner", "-encoders"], { timeout: 10 * SECOND, env: {} });
  return ["libx264", "aac"].filter((encoder) => !stdout.includes(` ${encoder} `));
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
