import { existsSync, readFileSync } from "node:fs";
import { capture, PlainFailure } from "./child.mjs";
import { showProgress } from "./progress.mjs";
import { fromRoot } from "./root.mjs";

/** npm's record of the installed packages, which it writes last. */
const installed = "node_modules/.package-lock.json";

/**
 * Installs the packages of package-lock.json, unless they are installed. Without `development`, only those that a
 * production server loads, without removing others.
 */
export async function installPackages({ development }) {
  if (areInstalled(development)) return;
  const paths = pathsFor(development);
  const arrived = () => paths.filter((path) => existsSync(fromRoot(`${path}/package.json`))).length;
  const progress = showProgress("Installing packages", () => `${arrived()} of ${paths.length}`);
  const kinds = [development ? "--include=dev" : "--omit=dev", "--include=optional"];
  const args = ["ci", ...kinds, "--no-audit", "--no-fund", "--loglevel=error"];
  const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" };
  const npm = process.env.npm_execpath;
  const { exitCode, text } = await (npm?.endsWith(".js")
    ? capture(process.execPath, [npm, ...args], { env })
    : capture("npm", args, { env }));
  if (exitCode !== 0) {
    progress.stop();
    throw new PlainFailure(`${text.trim()}\nThe packages could not be installed.`);
  }
  progress.end(`Installed ${Object.keys(packagesOf(installed) ?? {}).length} packages`);
}

/** Compares the lock file with the installed packages, which takes 10 ms. */
function areInstalled(development) {
  const wanted = packagesOf("package-lock.json");
  const present = packagesOf(installed);
  if (!wanted || !present) return false;
  for (const [path, one] of Object.entries(wanted)) {
    const mayBeAbsent = one.optional || !isWanted(one, development);
    if (path === "" || (mayBeAbsent && !present[path])) continue;
    if (present[path]?.version !== one.version) return false;
  }
  return Object.keys(present).every((path) => path in wanted);
}

/** The folders of the packages that this machine needs, without optional peers. */
function pathsFor(development) {
  const fits = (names, name) => !names || names.includes(name);
  return Object.entries(packagesOf("package-lock.json") ?? {})
    .filter(([path, one]) => path !== "" && isWanted(one, development) && !(one.optional && !one.os))
    .filter(([, { os, cpu, libc }]) => fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, "glibc"))
    .map(([path]) => path);
}

function isWanted({ dev, devOptional }, development) {
  return development || !(dev || devOptional);
}

function packagesOf(lockfile) {
  try {
    return JSON.parse(readFileSync(fromRoot(lockfile), "utf8")).packages;
  } catch {
    return null; // Absent, or cut off while it was being written.
  }
}
