import { fileURLToPath } from "node:url";
import { build } from "vite";
import { compressTree } from "./compress.ts";
import { writePages } from "./prerender.ts";

// React chooses its production code by this, also in the bundle that prerenders.
process.env.NODE_ENV = "production";

const root = fileURLToPath(new URL("..", import.meta.url));
const configFile = `${root}vite.config.ts`;
const client = `${root}dist/client`;
const server = `${root}dist/server`;
const startedAt = performance.now();

await build({
  configFile,
  logLevel: "warn",
  build: {
    outDir: client,
    emptyOutDir: true,
    manifest: "manifest.json",
    rolldownOptions: { input: [`${root}app/index.html`, `${root}app/browser.tsx`, `${root}app/ui/issuer.css`] },
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
console.log(`Built ${count} pages in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
