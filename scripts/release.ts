import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { buildStalePages } from "./pages/freshness.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const changesRefused =
  "The checkout has uncommitted changes: commit or stash them, so that a commit identifies the release.";

/** npm's path, which `npm run` sets. */
const npm = process.env.npm_execpath;

/**
 * Makes an archive of the checked-out commit that runs on a machine with Node 24 and without a network: source, built
 * pages, production packages, licences, a bill of materials and checksums. Only for this machine's processor
 * architecture.
 * @returns the archive below dist/release/, next to a file with its checksum.
 * @throws Error when the checkout has uncommitted changes.
 */
export function makeRelease(): string {
  if (hasChanges()) throw new Error(changesRefused);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const name = `academy-${version}`;
  const releases = join(root, "dist/release");
  mkdirSync(releases, { recursive: true });
  const staging = mkdtempSync(join(releases, "making-"));
  try {
    const folder = join(staging, name);
    console.log("Copying the source and the pages");
    execFileSync("sh", ["-c", `git archive --prefix=${name}/ HEAD | tar -x -C "$0"`, staging], { cwd: root });
    copyPages(folder);
    console.log("Installing the production packages");
    installProduction(folder);
    console.log("Collecting licences and checksums");
    writeFileSync(join(folder, "THIRD-PARTY-LICENSES.md"), licencesOf(folder));
    writeFileSync(
      join(folder, "release.json"),
      `${JSON.stringify({ version, commit: git("rev-parse", "HEAD").trim() })}\n`,
    );
    writeFileSync(join(folder, "SHA256SUMS"), checksumsOf(folder));
    console.log("Packing");
    return pack(staging, name, releases);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function copyPages(folder: string): void {
  const { renderer } = JSON.parse(readFileSync(join(root, "dist/client/pages.json"), "utf8")) as { renderer: string };
  for (const part of ["built-from.json", "client", "sbom.cdx.json", `renderers/${renderer}`]) {
    cpSync(join(root, "dist", part), join(folder, "dist", part), { recursive: true });
  }
}

/**
 * Leaves out the package of Node, two thirds of the archive, because the machine has it, the demo's ffmpeg, and the
 * fonts' weights that no receipt is written in.
 */
function installProduction(folder: string): void {
  const args = ["ci", "--omit=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const [program, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  execFileSync(program, [...first, ...args], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const packages = join(folder, "node_modules");
  for (const name of readdirSync(packages).filter((one) => one.startsWith("node-linux-"))) {
    rmSync(join(packages, name), { recursive: true });
  }
  rmSync(join(packages, "@ffmpeg-installer"), { recursive: true, force: true });
  for (const file of ["@embedpdf", "@expo-google-fonts"].flatMap((scope) => filesBelow(join(packages, scope)))) {
    if (/\.(otf|ttf|woff2?)$/.test(file) && !/[-0]Regular\.\w+$/.test(file)) rmSync(file);
  }
}

/** Packages that are part of the pages, but not as modules, whose licences the build lists. */
const inPages = ["astro", "tailwindcss", "@fontsource-variable/archivo", "@fontsource-variable/martian-mono"];

/** The licences of the server's packages, then of those in pages. */
function licencesOf(folder: string): string {
  const manifests = filesBelow(join(folder, "node_modules")).filter((file) => file.endsWith("/package.json"));
  const server = manifests.flatMap(licenceOf);
  const pages = inPages.flatMap((name) => licenceOf(join(root, "node_modules", name, "package.json")));
  const modules = readFileSync(join(root, "dist/licenses.md"), "utf8").trim();
  return `# Packages of the server\n\n${[...server, "# Packages of the pages", ...pages, modules].join("\n\n")}\n`;
}

/** Skips manifests inside of packages, which have no version. */
function licenceOf(manifest: string): string[] {
  const { name, version, license } = JSON.parse(readFileSync(manifest, "utf8")) as Record<string, unknown>;
  if (typeof name !== "string" || typeof version !== "string") return [];
  const directory = dirname(manifest);
  const texts = readdirSync(directory)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(directory, file), "utf8").trim());
  return [`## ${name} - ${version} (${license ?? "see its text"})\n\n${texts.join("\n\n")}`];
}

/** In the format of `sha256sum --check`. */
function checksumsOf(folder: string): string {
  return filesBelow(folder)
    .map((file) => `${sha256(file)}  ${relative(folder, file)}\n`)
    .join("");
}

function pack(staging: string, name: string, releases: string): string {
  const file = `${name}-${process.platform}-${process.arch}.tar.gz`;
  const archive = join(releases, file);
  const owner = ["--owner=0", "--group=0", "--numeric-owner"];
  const time = `--mtime=@${git("log", "-1", "--format=%ct").trim()}`;
  execFileSync("tar", ["--sort=name", ...owner, time, "-I", "gzip -n", "-cf", archive, "-C", staging, name]);
  writeFileSync(`${archive}.sha256`, `${sha256(archive)}  ${file}\n`);
  return archive;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

function hasChanges(): boolean {
  return git("status", "--porcelain").trim() !== "";
}

if (import.meta.main) {
  if (hasChanges()) {
    console.error(changesRefused);
    process.exitCode = 1;
  } else {
    process.exitCode = await buildStalePages();
    if (process.exitCode === 0) console.log(`Made ${relative(root, makeRelease())}`);
  }
}
