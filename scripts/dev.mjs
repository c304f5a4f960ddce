// npm run dev: the server, which starts again when a file changes, and Vite in front of it, which reloads the pages.
import { existsSync } from "node:fs";
import { handOver } from "./child.mjs";
import { bringPages } from "./pages/freshness.ts";
import { fromRoot } from "./root.mjs";

const pages = "http://localhost:5173";
const env = { ...process.env, PUBLIC_URL: process.env.PUBLIC_URL || pages };
// Stale pages will do: the server only wants some, and Vite serves those that are worked on.
const failed = existsSync(fromRoot("dist/client")) ? 0 : await bringPages();
if (!failed) console.log(`The pages, reloading: ${pages}`);
process.exitCode =
  failed ||
  (await handOver([
    [process.execPath, ["--watch", "--watch-preserve-output", "server/main.ts"], { env }],
    [process.execPath, ["node_modules/.bin/vite", "--clearScreen", "false", "--logLevel", "warn"], {}],
  ]));
