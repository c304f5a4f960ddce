import { existsSync, readFileSync } from "node:fs";
import { capture, PlainFailure } from "./child.mjs";
import { fromRoot } from "./root.mjs";

/** The first Node that strips types and has all that the server uses. */
const oldestNode = [24, 15];

/**
 * Installs what package-lock.json names, unless it is installed already. Without `development` that is what a production
 * server loads; what is there beside it stays.
 */
export async function installPackages({ development }) {
  if (areInstalled(development)) return;
  console.log("Installing packages…");
  const kinds = [development ? "--include=dev" : "--omit=dev", "--include=optional"];
  const args = ["ci", ...kinds, "--no-audit", "--no-fund", "--loglevel=error"];
  const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1" };
  const npm = process.env.npm_execpath;
  const { exitCode, text } = await (npm?.endsWith(".js")
    ? capture(process.execPath, [npm, ...args], { env })
    : capture("npm", args, { env }));
  if (exitCode !== 0) throw new PlainFailure(`${text.trim()}\nThe packages could not be installed.`);
}

/** Compares what is wanted with npm's own record of what is there, which npm writes last: 10 ms. */
function areInstalled(development) {
  const wanted = packagesOf("package-lock.json");
  const present = packagesOf("node_modules/.package-lock.json");
  if (!wanted || !present) return false;
  for (const [path, { version, optional, dev, devOptional }] of Object.entries(wanted)) {
    const mayBeAbsent = optional || (!development && (dev || devOptional));
    if (path === "" || (mayBeAbsent && !present[path])) continue;
    if (present[path]?.version !== version) return false;
  }
  return Object.keys(present).every((path) => path in wanted);
}

function packagesOf(lockfile) {
  try {
    return JSON.parse(readFileSync(fromRoot(lockfile), "utf8")).packages;
  } catch {
    return null; // Absent, or cut off while it was being written.
  }
}

/**
 * The Node that comes as a package, so that every machine runs the same one; else this one when it is new enough.
 * The package is built for glibc and does not run on Alpine. npm 10 does not link it into node_modules/.bin.
 */
export function nodeProgram() {
  const packaged = fromRoot(`node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(packaged) && !existsSync("/etc/alpine-release")) return packaged;
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return process.execPath;
  throw new PlainFailure(
    `The academy runs on Node ${oldestNode.join(".")} or newer, this is ${process.versions.node}, and npm has none ` +
      `for ${process.platform} on ${process.arch}: install it and run this again.`,
  );
}
