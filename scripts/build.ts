import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build as buildPublicPages } from "astro";
import { build as buildApplication } from "vite";
import { compressTree } from "./pages/compress.ts";
import { beginBuild } from "./pages/freshness.ts";
import { writePages } from "./pages/write-pages.ts";
import { showProgress } from "./progress.mjs";
import { writeBillOfMaterials } from "./sbom.ts";

// Selects React's production code, also in the bundle that renders pages.
process.env.NODE_ENV = "production";
// Disables Astro's telemetry.
process.env.ASTRO_TELEMETRY_DISABLED = "1";

const root = fileURLToPath(new URL("..", import.meta.url));
const configFile = `${root}vite.config.ts`;
const built = `${root}dist/client`;
let step = "1 of 4, bundling the public pages";
const progress = showProgress("Building the pages", () => step);
const finishBuild = beginBuild();

// A folder beside the pages in use, which a running academy may read at any time. Swapped in when all are built.
await mkdir(`${root}dist`, { recursive: true });
const site = await mkdtemp(`${root}dist/building-`);
const client = `${site}/client`;
const renderer = `${site}/${basename(site)}`;
// A running academy uses the renderer of the build that it started with, so the renderers of two builds are kept.
const renderers = `${root}dist/renderers`;
await mkdir(renderers, { recursive: true });

// First, because it empties the folder.
await buildPublicPages({
  root,
  logLevel: "warn",
  outDir: site,
  build: { client: `${client}/`, server: `${renderer}/` },
  // Loaded by servers without development packages.
  vite: { ssr: { noExternal: true } },
});
step = "2 of 4, bundling the application";
await buildApplication({
  configFile,
  logLevel: "warn",
  publicDir: false,
  build: { outDir: client, emptyOutDir: false },
});
// Only for a release.
await rename(`${client}/licenses.md`, `${root}dist/licenses.md`);
step = "3 of 4, writing HTML";
const count = await writePages({ client, renderer });
step = "4 of 4, compressing";
await compressTree(client);
const inUse = await rendererOf(built);
// Only now, because another build removes what it does not know from there.
await rename(renderer, `${renderers}/${basename(renderer)}`);
if (existsSync(built)) await rename(built, `${site}/before`);
await rename(client, built);
await rm(site, { recursive: true });
for (const name of await readdir(renderers)) {
  if (![basename(renderer), inUse].includes(name)) await rm(`${renderers}/${name}`, { recursive: true });
}
writeBillOfMaterials();
finishBuild();
progress.end(`Built ${count} pages`);

/** The file name of the renderer. Null without a build. */
async function rendererOf(pages: string): Promise<string | null> {
  try {
    return (JSON.parse(await readFile(`${pages}/pages.json`, "utf8")) as { renderer?: string }).renderer ?? null;
  } catch {
    return null;
  }
}
