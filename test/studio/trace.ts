import { execFileSync, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll } from "vitest";
import { ffmpeg } from "./films.ts";

const strace = "/usr/bin/strace";

/** What ffmpeg may open: its work, and what every program of its kind opens at its start. */
const usual = [
  /^(\.\/)?(source|poster\.jpg|\d+\.mp4|\d+\.m3u8(\.tmp)?)$/,
  /^\/(lib|lib64|usr\/lib)\//,
  /^\/etc\/(ld\.so\.cache|localtime)$/,
  /^\/dev\/(null|urandom)$/,
  /^\/(proc|sys)\//,
];

/**
 * A program that runs ffmpeg and notes what it opens; null where nothing can be traced.
 * @returns `breaches`: connections, and files that are none of its own
 */
export async function traceFfmpeg(
  folder: string,
): Promise<{ program: string; breaches(): Promise<readonly string[]> } | null> {
  try {
    execFileSync(strace, ["-o", "/dev/null", "-e", "trace=openat", "/bin/true"]);
  } catch {
    return null;
  }
  const [program, pipe, notes] = [join(folder, "traced-ffmpeg"), join(folder, "pipe"), join(folder, "notes")];
  // A pipe has no largest size, which files of ffmpeg have.
  execFileSync("mkfifo", [pipe]);
  const reader = spawn("/bin/sh", ["-c", 'exec cat <>"$1" >"$2"', "sh", pipe, notes], { stdio: "ignore" });
  afterAll(() => void reader.kill());
  const options = `-f -qq -e signal=none -e trace=network,open,openat,creat -o "${pipe}"`;
  await writeFile(program, `#!/bin/sh\nexec ${strace} ${options} "${ffmpeg}" "$@"\n`, { mode: 0o755 });
  return {
    program,
    async breaches() {
      const lines = (await readFile(notes, "utf8")).split("\n").filter((line) => /^\d+ +[a-z]/.test(line));
      if (lines.length === 0) throw new Error("nothing was traced");
      return lines.filter((line) => {
        const path = /^\d+ +(?:openat\([^,]*, |open\(|creat\()"([^"]*)"/.exec(line)?.[1];
        return path === undefined ? !/resumed>/.test(line) : !usual.some((pattern) => pattern.test(path));
      });
    },
  };
}
