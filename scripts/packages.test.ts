import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderOfTest } from "#test/temporary-folder.ts";
import { writeBillOfMaterials } from "./sbom.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");

interface Package {
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}
interface Locked extends Package {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly hasInstallScript?: true;
  readonly dev?: true;
  readonly optional?: true;
  readonly devOptional?: true;
}

const wanted = JSON.parse(read("package.json")) as Package & { allowScripts: Record<string, boolean> };
const lock = JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> };
const { "": lockedRoot, ...packages } = lock.packages;
const locked = Object.entries(packages).map(([path, one]) => ({ ...one, name: path.replace(/^.*node_modules\//, "") }));
const direct = { ...wanted.dependencies, ...wanted.devDependencies, ...wanted.optionalDependencies };

test("every package is named by its exact version, and the lock file holds the same ones [D01]", () => {
  expect(Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  for (const kind of ["dependencies", "devDependencies", "optionalDependencies"] as const) {
    expect(lockedRoot?.[kind], kind).toEqual(wanted[kind]);
  }
});

test("every package has a hash of what it is, and all come from one registry [D01]", () => {
  expect(locked.filter(({ integrity }) => !integrity?.startsWith("sha512-")).map(({ name }) => name)).toEqual([]);
  // The registry that npm is configured with, because the lock file names none.
  expect(new Set(locked.map(({ resolved }) => resolved && new URL(resolved).origin)).size).toBe(1);
});

test("only packages that are allowed to run a program when they are installed [D01]", () => {
  const running = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
  expect(running.sort()).toEqual(Object.keys(wanted.allowScripts).sort());
});

test("a production server stands on as many packages as docs/dependencies.md accounts for [D03]", () => {
  const direct = Object.keys(wanted.dependencies ?? {}).length;
  const production = locked.filter(({ dev, optional, devOptional }) => !dev && !optional && !devOptional);
  expect(read("docs/dependencies.md")).toContain(`The runtime's ${direct} bring ${production.length} packages in all.`);
});

test("docs/dependencies.md gives a reason for each package, and names no other [D03]", () => {
  const rows = read("docs/dependencies.md")
    .split("\n")
    .filter((row) => row.startsWith("| `"));
  const named = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
  const covers = (name: string) => (one: string) =>
    name === one || (name.endsWith("*") && one.startsWith(name.slice(0, -1)));
  expect(Object.keys(direct).filter((one) => !named.some((name) => covers(name)(one)))).toEqual([]);
  expect(named.filter((name) => !Object.keys(direct).some(covers(name)))).toEqual([]);
});

const free =
  /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|MPL-2\.0|OFL-1\.1|BlueOak-1\.0\.0|CC0-1\.0|Python-2\.0|PSF-2\.0|Unlicense)$/;
/** Their licence files or READMEs say MIT, but their package.json does not. */
const undeclared = ["busboy", "combine-errors", "dicer", "humanize-number", "only", "png-js", "streamsearch"];
/** Unchanged, in files of their own, so that anybody can replace them: `sharp` links to the first. */
const apart: Readonly<Record<string, RegExp>> = {
  "LGPL-3.0-or-later": /^@img\/sharp-/,
  "LGPL-3.0": /^libheif-js$/,
  // A program that the demo and the tests start, linked to nothing and in no release.
  GPLv3: /^@ffmpeg-installer\/linux-/,
};

test("every package has a licence that this one may build on [D04]", () => {
  const unknown = locked.filter(({ name, license = "" }) => {
    const terms = license.replace(/[()]/g, "").split(/ (?:AND|OR) /);
    return !terms.every((term) => free.test(term) || apart[term]?.test(name));
  });
  expect([...new Set(unknown.map(({ name }) => name))].sort()).toEqual(undeclared);
});

test("the bill of materials names every package that production installs, with its hash, and no other [D05]", () => {
  const file = join(folderOfTest(), "sbom.cdx.json");
  writeBillOfMaterials(file);
  const { bomFormat, components } = JSON.parse(readFileSync(file, "utf8")) as {
    bomFormat: string;
    components: { name: string; version: string; purl: string; hashes?: { alg: string; content: string }[] }[];
  };
  expect(bomFormat).toBe("CycloneDX");
  const installed = (JSON.parse(read("node_modules/.package-lock.json")) as { packages: Record<string, Locked> })
    .packages;
  const production = Object.entries(packages).filter(([path, { dev }]) => !dev && path in installed);
  const hashOf = ({ integrity = "" }: Locked) =>
    Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  const wanted = production.map(
    ([path, one]) => `${path.replace(/^.*node_modules\//, "")}@${one.version} ${hashOf(one)}`,
  );
  const named = components.map(({ name, version, hashes }) => `${name}@${version} ${hashes?.[0]?.content}`);
  expect(named.sort()).toEqual([...new Set(wanted)].sort());
  expect(production.length).toBeGreaterThan(100);
});

test("no file of the repository holds a key of somebody's [D06]", () => {
  const key =
    /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}|\b(AKIA[0-9A-Z]{16}|gh[pousr]_\w{30,}|sk_live_\w{10,}|xox[bp]-\w{10,}|npm_\w{30,})/;
  const kept = readdirSync(root).filter(
    (name) => !/^(node_modules|dist|data|test-results|playwright-report|\.git)$/.test(name),
  );
  const files = kept
    .flatMap((name) => filesBelow(name))
    .filter((file) => !/\.(png|woff2?|mp4|webm|ttf|jpg|pdf)$/.test(file));
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => key.test(read(file)))).toEqual([]);
});

function filesBelow(path: string): string[] {
  try {
    return readdirSync(join(root, path)).flatMap((name) => filesBelow(`${path}/${name}`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
    return [path];
  }
}
