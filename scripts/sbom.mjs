import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { capture, PlainFailure } from "./child.mjs";
import { fromRoot } from "./root.mjs";

/**
 * Writes down in CycloneDX what a production server stands on: every installed package but those of development. It
 * reads what is installed, and reaches nothing.
 * @returns how many packages there are.
 */
export async function writeBillOfMaterials(file = fromRoot("dist/sbom.cdx.json")) {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--loglevel=silent"];
  const npm = process.env.npm_execpath;
  const { exitCode, text } = await (npm?.endsWith(".js")
    ? capture(process.execPath, [npm, ...args])
    : capture("npm", args));
  if (exitCode !== 0) throw new PlainFailure(`${text.trim()}\nThe bill of materials could not be made.`);
  const all = JSON.parse(text);
  // npm's own --omit dev leaves out what development needs as well.
  const production = namesOf(fromRoot("package-lock.json"), ({ dev }) => !dev);
  const components = all.components.filter((one) => production.has(`${one.name}@${one.version}`));
  const kept = new Set([all.metadata.component["bom-ref"], ...components.map((one) => one["bom-ref"])]);
  const dependencies = all.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...all, components, dependencies }, null, 2)}\n`);
  return components.length;
}

function namesOf(lockFile, isWanted) {
  const { packages } = JSON.parse(readFileSync(lockFile, "utf8"));
  const wanted = Object.entries(packages).filter(([path, one]) => path !== "" && isWanted(one));
  return new Set(wanted.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")}@${version}`));
}
