// npm run dev: the server, which starts again when a file changes, and Astro in front of it, which reloads the pages.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { runTogether } from "./child.mjs";
import { buildStalePages } from "./pages/freshness.ts";
import { fromRoot } from "./root.mjs";

const port = process.env.PORT || "3000";
const behind = String(await freePort());
const publicUrl = process.env.PUBLIC_URL || `http://localhost:${port}`;
// Stale pages are enough: the server provides only the pages' headers, and Astro the rest.
const failed = existsSync(fromRoot("dist/client")) ? 0 : await buildStalePages();
process.exitCode =
  failed ||
  (await runTogether([
    [
      process.execPath,
      ["--watch", "--watch-preserve-output", "server/main.ts"],
      { env: { ...process.env, PORT: behind, PUBLIC_URL: publicUrl } },
    ],
    [process.execPath, ["scripts/pages/serve.ts", port, behind], {}],
  ]));

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}
