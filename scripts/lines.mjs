// Counts the lines of source per folder, and tests, migrations, documents and data apart: npm run lines [-- COMMIT]
// With a commit, compares the work tree with it. Binary and untracked files do not count.
import { execFileSync } from "node:child_process";
import { fromRoot } from "./root.mjs";

const commit = process.argv[2];
const now = linesOf([]);
const before = commit ? linesOf([commit]) : now;
console.log(`Lines${commit ? `: now, at ${commit}, and the change` : ""}`);
for (const name of [...new Set([...before.keys(), ...now.keys()])].sort()) {
  const [was = 0, is = 0] = [before.get(name), now.get(name)];
  const change = commit ? [was, is - was].map((count) => String(count).padStart(8)).join("") : "";
  console.log(`${name.padEnd(34)}${String(is).padStart(8)}${change}`);
}

/** Lines by kind and, for source, by its first folder and the one in it. */
function linesOf(revision) {
  const args = ["grep", "-cI", "", ...revision];
  const listed = execFileSync("git", args, { cwd: fromRoot(""), encoding: "utf8", maxBuffer: 2 ** 26 });
  const lines = new Map();
  for (const line of listed.trimEnd().split("\n")) {
    const [count, path = ""] = line.split(":").reverse();
    const [first, second, file] = path.split("/");
    const kind = kindOf(path);
    const names =
      kind === "source" ? [kind, `source ${second ? first : "."}`, file && `source ${first}/${second}`] : [kind];
    for (const name of names.filter(Boolean)) lines.set(name, (lines.get(name) ?? 0) + Number(count));
  }
  return lines;
}

function kindOf(path) {
  if (path.startsWith("server/db/migrations/")) return "migrations";
  if (/^(test|e2e)\/|\.(test|spec)\.tsx?$|\.fixture\.json$/.test(path)) return "tests";
  return /\.(tsx?|m?js|mts|astro|css|grit|sh|py)$/.test(path) ? "source" : "documents and data";
}
