import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { leanContract } from "./scripts/pages/lean-contract.ts";
import { plainImports } from "./scripts/pages/plain-imports.ts";

const academy = "http://localhost:3000";

export default defineConfig({
  root: new URL("app", import.meta.url).pathname,
  plugins: [tailwindcss(), react(), leanContract(), plainImports()],
  server: {
    port: 5173,
    // With the slash, as app/api.ts is a module of the pages.
    proxy: { "^/(api|issuer|sandbox|healthz)(/|$)": academy },
  },
  build: {
    target: "es2022",
    // These know light-dark(). Rewritten for older ones it would be fixed at :root, and no part of a page could ask
    // for the other scheme.
    cssTarget: ["chrome123", "edge123", "firefox121", "safari17.5"],
    // The HTML of each page names its scripts. For a page that a link leads to, the list of all pages' parts would be in
    // the first script of every visit.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, parts, { hostType }) => (hostType === "html" ? parts : []),
    },
    // A data: address would need its own line in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What the public pages share is one file: fewer requests, and it compresses better than its parts. It takes along
          // what its modules import.
          groups: [
            {
              name: "frame",
              test: /rolldown\/runtime|app\/(site\/page|learning\/lesson\/lesson-cover|ui\/(badge|feedback\/skeleton|brand\/price-tag)|purchases\/plans\/(chosen-plan|on-page|plans))\.tsx?$|contract\/(money|offer)/,
            },
          ],
        },
      },
    },
  },
  // The renderer is one bundle, which a server without development packages loads; its React is the one of the pages.
  ssr: { noExternal: true },
});
