import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { leanContract } from "./scripts/lean-contract.ts";

const academy = "http://localhost:3000";

export default defineConfig({
  root: new URL("app", import.meta.url).pathname,
  plugins: [tailwindcss(), react(), leanContract()],
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
    modulePreload: { polyfill: false },
    // A data: address would need its own line in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  // The prerenderer is one bundle: its copy of React must be the one that the pages use.
  ssr: { noExternal: true },
});
