import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { arePagesFresh, bringPages } from "./pages/freshness.ts";

// npm start: builds the pages where they are stale, and is the server from then on. A production server builds nothing,
// as that would need the development packages.
//
// package.json says how Node runs it: new objects get 8 MB instead of 16, what outlived them is collected when it has
// grown by half, and the allocator has two pools: less memory resident, at the same speed. `npm run bench` measures it.
if (process.env.MODE === "production" && !arePagesFresh()) {
  console.error(
    "The pages in dist/ are not of this release: run npm run build first, here or where the release is made.",
  );
  process.exit(1);
}
const exitCode = await bringPages();
if (exitCode !== 0) process.exit(exitCode);

// Node keeps what it compiled, so that the next start is quicker and takes less memory.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)));
await import("../server/main.ts");
