import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { compressTree } from "./pages/compress.ts";
import { writePages } from "./pages/prerender.ts";

// React chooses its production code by this, also in the bundle that prerenders.
process.env.NODE_ENV = "production";

const root = fileURLToPath(new URL("..", import.meta.url));
const configFile = `${root}vite.config.ts`;
const built = `${root}dist/client`;
const startedAt = performance.now();

// Beside the pages in use, which an academy may read at any moment; they are exchanged when all is done.
await mkdir(`${root}dist`, { recursive: true });
const site = await mkdtemp(`${root}dist/building-`);
const client = `${site}/client`;
const server = `${site}/server`;

await build({
  configFile,
  logLevel: "warn",
  build: {
    outDir: client,
    emptyOutDir: true,
    manifest: "manifest.json",
    rolldownOptions: {
      input: ["index.html", "browser.tsx", "ui/styles/issuer.css"].map((file) => `${root}app/${file}`),
    },
  },
});
await build({
  configFile,
  logLevel: "warn",
  publicDir: false,
  build: { outDir: server, emptyOutDir: true, ssr: `${root}app/prerender.tsx`, minify: false },
});
const count = await writePages({ client, server });
await compressTree(client);
if (existsSync(built)) await rename(built, `${site}/before`);
await rename(client, built);
await rm(site, { recursive: true });
console.log(`Built ${count} pages in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
