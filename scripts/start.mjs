// npm start: builds the pages where they are stale, and is the server from then on. A production server builds nothing,
// as that would need the development packages.
//
// package.json says how Node runs it: new objects get 8 MB instead of 16, what outlived them is collected when it has
// grown by half, the server may collect what starting left behind, and the allocator has two pools: less memory
// resident, at the same speed. `npm run bench` measures it.
import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { fromRoot } from "./root.mjs";

if (process.env.MODE !== "production" && existsSync(fromRoot("release.json"))) {
  console.error(
    "A release is for MODE=production. A demo runs from a checkout of the repository, which has the sandbox.",
  );
  process.exit(1);
}

// Enables Node's compile cache before the first TypeScript file: this file is JavaScript and imports the others later,
// because one uncached TypeScript file loads the whole transpiler, 12 MB.
enableCompileCache(fromRoot("node_modules/.cache/compiled"));
const { arePagesFresh, buildStalePages } = await import("./pages/freshness.ts");
if (process.env.MODE === "production" && !arePagesFresh()) {
  console.error(
    "The pages in dist/ are not of this release: run npm run build first, here or where the release is made.",
  );
  process.exit(1);
}
const exitCode = await buildStalePages();
if (exitCode !== 0) process.exit(exitCode);

await import("../server/main.ts");
