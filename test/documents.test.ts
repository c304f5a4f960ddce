import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { supportedBrowsers } from "#content/browsers.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(root + file, "utf8");
const documents = globSync(["README.md", "CONTRIBUTING.md", "docs/**/*.md"], { cwd: root });
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

const folders = "{.ci,app,bench,content,contract,deploy,docs,e2e,issuer,sandbox,scripts,server,site,test,ui}";
const files = globSync(["*", ".*", `${folders}/**`], { cwd: root });
const names = new Set(files.map((file) => basename(file)));
/** What exists only after a run, in an archive, or as a package. */
const madeLater =
  /^(\.\/)?(data|dist|node_modules|test-results)(\/|$)|^(pages|release|storyboard|restore-unfinished)\.json$/;
const ofOthers = ["THIRD-PARTY-LICENSES.md", "ical.js", "ipaddr.js"];

test("the README is short, and names the supported browsers", () => {
  const readme = read("README.md");
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(12_000);
  expect(readme.replaceAll("\n", " ")).toContain(`in ${supportedBrowsers} (`);
});

test("every path and link in README, docs and decisions leads to something", () => {
  const dangling = documents.flatMap((document) => {
    const text = read(document);
    const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, path = ""]) => path);
    const linked = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    return [
      ...quoted.filter((path) => isPath(path) && !isThere(path)),
      ...linked.filter((target) => !/^\w+:/.test(target) && !isLinked(document, target)),
    ].map((path) => `${document}: ${path}`);
  });
  expect(dangling).toEqual([]);
});

test("every npm script that a document names exists", () => {
  const named = documents.flatMap((document) =>
    [...read(document).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short ?? ""),
  );
  expect(new Set(named).size).toBeGreaterThan(20);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

/** Programs of an operator's machine that the documents use. */
const programs =
  /^(\(?(academy|age|apt-get|aws|cat|cd|certbot|chown|cp|createdb|docker|echo|install|journalctl|ln|mkdir|nginx|npm|openssl|rm|sed|sha256sum|su|systemctl|tar|umask|until|useradd)|[A-Z_0-9]+=.*)$/;

test("every line of a block for the shell is a command, and the shell reads it", () => {
  const blocks = documents.flatMap((document) =>
    [...read(document).matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => ({ document, block })),
  );
  expect(blocks.length).toBeGreaterThan(10);
  for (const { document, block } of blocks) {
    const isVariables = block.split("\n").every((line) => line === "" || /^[A-Z_0-9]+=/.test(line));
    if (isVariables) continue;
    expect(spawnSync("bash", ["-n"], { input: block }).stderr.toString(), document).toBe("");
    // Without the texts that commands read, and with lines that continue joined.
    const commands = block
      .replaceAll(/ <<END\n.*?^END$/gms, "")
      .replaceAll("\\\n", " ")
      .split("\n");
    const words = commands.map((line) => line.trim().split(/\s+/)[0] ?? "").filter((word) => !/^(#|$)/.test(word));
    expect(
      words.filter((word) => !programs.test(word)),
      document,
    ).toEqual([]);
  }
});

test("every script runs something that exists", () => {
  const broken = Object.entries(scripts).filter(([, command]) => {
    const runs = command.split(/ && |; /).filter((run) => !run.startsWith("export "));
    return runs.some((run) => {
      const [program, file = "", ...words] = run.replace(/^(\w+=\S+ )*(exec )?/, "").split(/\s+/);
      const ran = words.find((word) => !word.startsWith("-")) ?? "";
      const exists = existsSync(root + ran) || existsSync(`${root}node_modules/.bin/${ran}`);
      return program !== "node" || file !== "scripts/node.mjs" || ran === "" || !exists;
    });
  });
  expect(broken).toEqual([]);
});

/** A path such as `server/main.ts`, `bench/` or `knip.json`, but no URL, pattern, route or placeholder. */
function isPath(text: string): boolean {
  if (!/^(\.\/)?[\w.-]+(\/[\w.-]+)*\/?$/.test(text)) return false;
  const [first = ""] = text.replace(/^\.\//, "").split("/", 1);
  return text.includes("/") ? existsSync(root + first) : /\.(ts|tsx|js|mjs|json|md|sql|css|html|yml|astro)$/.test(text);
}

/** A name alone may be of a file in any folder. */
function isThere(path: string): boolean {
  const isKnown = path.includes("/") ? existsSync(root + path) : names.has(path) || ofOthers.includes(path);
  return isKnown || madeLater.test(path);
}

function isLinked(document: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? document : join(dirname(document), path);
  if (!existsSync(root + file)) return false;
  if (anchor === undefined) return true;
  const headings = read(file).match(/^#+ .*$/gm) ?? [];
  return headings.some((heading) => anchorOf(heading) === anchor);
}

function anchorOf(heading: string): string {
  return heading
    .replace(/^#+ /, "")
    .toLowerCase()
    .replaceAll(/[^\w -]/g, "")
    .replaceAll(" ", "-");
}
