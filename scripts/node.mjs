// Runs a program of this repository on the Node that it is written for: node scripts/node.mjs [OPTIONS] PROGRAM [ARGUMENTS]
//
// This file starts on a machine's own Node, 20 or newer, while nothing is installed yet. So it is plain JavaScript.
//  1. npm installs what package-lock.json names, unless it is there already. Node 24 is one of those packages. A release
//     (scripts/release.ts) has its packages and runs on the machine's Node.
//  2. PROGRAM, a file or a command of a package (tsc, vitest), runs on that Node, which reads TypeScript as it is.
//
// OPTIONS are Node's own, and --runtime: PROGRAM needs no development packages, so that MODE=production installs none.
import { existsSync } from "node:fs";
import { exitCodes, PlainFailure, run } from "./child.mjs";
import { installPackages } from "./packages.mjs";
import { fromRoot } from "./root.mjs";

/** The first Node version that strips types and has all that the server uses. */
const oldestNode = [24, 15];

try {
  const words = process.argv.slice(2);
  const at = words.findIndex((word) => !word.startsWith("-"));
  if (at < 0) throw new PlainFailure("Usage: node scripts/node.mjs [OPTIONS] PROGRAM [ARGUMENTS]", exitCodes.usage);
  const options = words.slice(0, at);
  const isLean = options.includes("--runtime") && process.env.MODE === "production";
  if (!existsSync(fromRoot("release.json"))) await installPackages({ development: !isLean });
  const nodeOptions = options.filter((option) => option !== "--runtime");
  const args = [...nodeOptions, fileOf(words[at]), ...words.slice(at + 1)];
  process.exitCode = await run(nodeProgram(), args, { input: "inherit" });
} catch (error) {
  if (!(error instanceof PlainFailure)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}

function fileOf(program) {
  const file = [program, `node_modules/.bin/${program}`].find((path) => existsSync(fromRoot(path)));
  if (!file) throw new PlainFailure(`${program} is neither a file here nor a command of a package.`, exitCodes.usage);
  return file;
}

/**
 * The Node of the npm package, so that all machines run the same one; else this one if it is new enough. The package
 * needs glibc, so it does not run on Alpine. npm 10 does not link it into node_modules/.bin.
 */
function nodeProgram() {
  const packaged = fromRoot(`node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(packaged) && !existsSync("/etc/alpine-release")) return packaged;
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return process.execPath;
  throw new PlainFailure(
    `The academy runs on Node ${oldestNode.join(".")} or newer, this is ${process.versions.node}, and npm has none ` +
      `for ${process.platform} on ${process.arch}: install it and run this again.`,
  );
}
