/*
 * The pages as they are worked on, for `npm run dev`: reloading, on one port, in front of an academy on another one, which
 * answers everything else. Arguments: the two ports.
 */
process.env.ASTRO_TELEMETRY_DISABLED = "1";

import { fileURLToPath } from "node:url";
import { dev } from "astro";

const [port, behind] = process.argv.slice(2);
const target = `http://127.0.0.1:${behind}`;
const academy = { target, changeOrigin: false };

await dev({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  logLevel: "warn",
  server: { port: Number(port), host: "localhost" },
  vite: {
    server: {
      strictPort: true,
      proxy: {
        "^/(api|issuer|sandbox|healthz|readyz|metrics|\\.well-known|robots\\.txt|sitemap\\.xml)(/|$|\\?)": academy,
        // The built style sheet of the sign-in pages.
        "^/assets/": academy,
        // The content type of HTML forms.
        "^/(contact|signup)(\\?|$)": {
          ...academy,
          bypass: ({ method, url }) => (method === "POST" ? undefined : url),
        },
        // For site/dev.ts, which asks the academy for a page's headers.
        "^/@academy/": { ...academy, rewrite: (path) => path.replace("/@academy", "") },
      },
    },
  },
});
