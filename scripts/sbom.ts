import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Bill {
  readonly metadata: { readonly component: { readonly "bom-ref": string } };
  readonly components: readonly { readonly name: string; readonly version: string; readonly "bom-ref": string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/**
 * Writes a CycloneDX bill of materials of all installed packages, except those for development. Uses no network.
 * @returns the number of packages.
 */
export function writeBillOfMaterials(file = `${root}dist/sbom.cdx.json`): number {
  // NODE_ENV=production would also omit packages that production shares with development.
  const include = ["--include=dev", "--include=optional", "--include=peer"];
  const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--loglevel=silent", ...include];
  const npm = process.env.npm_execpath;
  const [program, first] = npm?.endsWith(".js") ? [process.execPath, [npm]] : ["npm", []];
  const output = execFileSync(program, [...first, ...args], { cwd: root, encoding: "utf8", maxBuffer: 64 * 1024 ** 2 });
  const all = JSON.parse(output) as Bill;
  const production = productionPackages();
  const components = all.components.filter((one) => production.has(`${one.name}@${one.version}`));
  const kept = new Set([all.metadata.component["bom-ref"], ...components.map((one) => one["bom-ref"])]);
  const dependencies = all.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`);
  return components.length;
}

function productionPackages(): Set<string> {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")) as {
    packages: Record<string, { version: string; dev?: boolean }>;
  };
  const wanted = Object.entries(packages).filter(([path, { dev }]) => path !== "" && !dev);
  return new Set(wanted.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")}@${version}`));
}

if (import.meta.main) console.log(`dist/sbom.cdx.json: ${writeBillOfMaterials()} packages.`);
