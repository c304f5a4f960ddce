import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, utimes } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
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
  const endTurn = await waitForTurn();
  try {
    if (!areInstalled(development)) await install(development);
  } finally {
    endTurn();
  }
}

/** npm empties node_modules first, so two installations at the same time would break each other's. */
const lock = fromRoot("node_modules.lock");
const beatMs = 1000;
/** A lock without a beat for so long was left by a process that was killed. */
const staleMs = 10_000;

/** Returns what ends the turn. */
async function waitForTurn() {
  let beat;
  let beatSeenAt = performance.now();
  while (!isTaken()) {
    const latest = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    if (latest !== beat) [beat, beatSeenAt] = [latest, performance.now()];
    else if (performance.now() - beatSeenAt > staleMs) removeLock();
    await pause(100);
  }
  const timer = setInterval(() => utimes(lock, new Date(), new Date(), () => {}), beatMs);
  return () => {
    clearInterval(timer);
    removeLock();
  };
}

function isTaken() {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function removeLock() {
  try {
    rmdirSync(lock);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

async function install(development) {
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
