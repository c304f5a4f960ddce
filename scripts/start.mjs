// npm start: builds the pages where they are stale, and is the server from then on. A production server builds nothing,
// as that would need the development packages.
//
// package.json says how Node runs it: new objects get 8 MB instead of 16, what outlived them is collected when it has
// grown by half, the server may collect what starting left behind, and the allocator has two pools: less memory
// resident, at the same speed. `npm run bench` measures it.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Node keeps what it compiled. This file is JavaScript and imports the others later: reading one TypeScript file that
// is not kept loads the whole transpiler, which takes 12 MB.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
const { arePagesFresh, bringPages } = await import("./pages/freshness.ts");
if (process.env.MODE === "production" && !arePagesFresh()) {
  console.error(
    "The pages in dist/ are not of this release: run npm run build first, here or where the release is made.",
  );
  process.exit(1);
}
const exitCode = await bringPages();
if (exitCode !== 0) process.exit(exitCode);

await import("../server/main.ts");
