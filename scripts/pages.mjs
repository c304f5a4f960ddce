import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { PlainFailure, run } from "./child.mjs";
import { fromRoot } from "./root.mjs";

/** Everything the pages are made of. */
const sources = ["app", "contract", "content", "issuer/pages", "scripts", "vite.config.ts", "package-lock.json"];

/** What the pages in dist/ were built from; written last, so that half a build is no build. */
const stampFile = fromRoot("dist/built-from.json");

/** Whether dist/ was built from the sources as they are. Sizes and times decide; contents only where those differ. */
export function arePagesFresh() {
  let stamp;
  try {
    stamp = JSON.parse(readFileSync(stampFile, "utf8"));
  } catch {
    return false;
  }
  const files = listSources();
  const times = digest(files, timeOf);
  if (stamp.times === times) return true;
  if (stamp.contents !== digest(files, contentOf)) return false;
  // A fresh checkout of the same sources: remember its times, where a release may be written.
  try {
    writeFileSync(stampFile, JSON.stringify({ ...stamp, times }));
  } catch {}
  return true;
}

export async function buildPages(node) {
  console.log("Building the pages…");
  rmSync(stampFile, { force: true });
  const files = listSources();
  const stamp = { times: digest(files, timeOf), contents: digest(files, contentOf) };
  const exitCode = await run(node, ["scripts/build.ts"]);
  if (exitCode !== 0) throw new PlainFailure("The pages could not be built.", exitCode);
  mkdirSync(fromRoot("dist"), { recursive: true });
  writeFileSync(stampFile, JSON.stringify(stamp));
}

function listSources() {
  return sources.flatMap(filesBelow).sort();
}

function filesBelow(path) {
  const stat = statSync(fromRoot(path), { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [path];
  return readdirSync(fromRoot(path)).flatMap((name) =>
    /\.test\.tsx?$/.test(name) ? [] : filesBelow(`${path}/${name}`),
  );
}

function digest(files, factOf) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\n`).update(factOf(file)).update("\n");
  return hash.digest("hex");
}

function timeOf(file) {
  const { size, mtimeMs } = statSync(fromRoot(file));
  return `${size} ${mtimeMs}`;
}

function contentOf(file) {
  return createHash("sha256")
    .update(readFileSync(fromRoot(file)))
    .digest("hex");
}
