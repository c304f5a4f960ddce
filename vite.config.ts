import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { buildTargets } from "./content/browsers.ts";
import { bundlerOptions, ofPath } from "./scripts/pages/bundler.ts";
import { stripSchemas } from "./scripts/pages/strip-schemas.ts";

const root = fileURLToPath(new URL(".", import.meta.url));

/** Builds the app (`app/`) and the style sheet of the sign-in pages. astro.config.ts builds the public pages. */
export default defineConfig({
  root,
  plugins: [tailwindcss(), react(), stripSchemas()],
  build: {
    manifest: "manifest.json",
    license: { fileName: "licenses.md" },
    target: buildTargets,
    modulePreload: { polyfill: false },
    // Data URLs would need their own entry in the content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      ...bundlerOptions,
      input: ["app/browser.tsx", "ui/styles/theme.css", "ui/styles/issuer.css"].map((file) => root + file),
      output: {
        codeSplitting: {
          groups: [
            // Only the forms of administrators and coaches load it.
            {
              name: "forms",
              test: ofPath(
                /\?schemas$|node_modules\/zod\/|api\/zod|validation-messages|app\/editing\/(?!change|kept|resumable|sent)|open-all|contract\/coaching\/coach\./,
              ),
              priority: 2,
              includeDependenciesRecursively: false,
            },
            // What pages of the administration share: one file instead of three dozen, most of them smaller than their
            // headers. Without what only settings use, which brings pictures and times, and without the questions' contract,
            // which coaches load.
            {
              name: "administration",
              test: ofPath(
                /\/(app\/(admin\/(?!settings)|identity\/may)|contract\/(admin\/(?!questions)|video-id)|ui\/table)/,
              ),
              minShareCount: 3,
              includeDependenciesRecursively: false,
            },
            // What every page starts with, and the small parts that half of the pages use: one file compresses better
            // than its parts. Without controls, which would bring their library to pages that do not need it.
            { name: "application", tags: ["$initial"], test: /\.m?[jt]sx?$/, priority: 1 },
            {
              name: "shared",
              test: ofPath(
                /\/(contract\/(?!admin|entries|permissions)|ui\/(?!controls|format\/local|player|table|toast))/,
              ),
              minShareCount: 12,
            },
            // The parts of the dashboard and of Course Access that are on the screen without a press.
            {
              name: "course",
              test: ofPath(
                /app\/learning\/(module-cards|[\w-]*lesson\.ts|course-(frame|heading|loading|queries)|dashboard\/(course-|paywall|locked)|lesson\/(lesson-(body|cover|panel)|beside-player)|checks\/(check-(of|q)|next-)|questions\/questions-of|reached-|progress\/|finish\/finish-when|kept-choice|playhead|search\/(search\.|debounced)|tab-in|address-)|app\/access\/(credited-|declined-banner)|app\/resources\/lesson-|contract\/lesson-(pages|start)|ui\/format\/lesson-/,
              ),
              includeDependenciesRecursively: false,
            },
            // The bar and the footer of the student's area, the player's settings, which the profile shows too, and formatted
            // texts, which the administration shows as well.
            {
              name: "frame",
              test: ofPath(
                /student-(page|heading)|player-choices|formatted-text|ui\/(avatar|frame\/(footer|operate-bar|privacy|small-print|support))/,
              ),
              includeDependenciesRecursively: false,
            },
            // What forms with a draft share, students' as well.
            {
              name: "drafts",
              test: ofPath(/app\/editing\/(kept-(draft|state)|change)|contract\/entries/),
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // What a page loads after its first screen.
            {
              name: "later",
              test: ofPath(/app\/(kept-focus|identity\/(ended-sign-in|unconfirmed-address))\./),
              includeDependenciesRecursively: false,
            },
            // Otherwise two dozen small files, each with its own request, headers and compression. Their imports stay
            // where they are.
            {
              name: "tabs",
              test: ofPath(/@radix-ui\/react-(tabs|roving-focus|collection|direction)|ui\/controls\/tabs/),
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: "radix",
              test: ofPath(
                /@radix-ui\/(primitive|react-(presence|primitive|slot|compose-refs|context|id|use-[\w-]+))\//,
              ),
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            {
              name: "student",
              test: ofPath(
                /app\/(access|identity|plans)\/(?!interrupted)[\w-]+\.ts$|resumable|plans\/quote|upgrade-|resource-queries|progress\/numbers|[mM]utation|useIsFetching|signed-out|ui\/(feedback|format|number-ranges|controls\/field)|contract\/(access|catalogue|certificates|checks|languages|offer|progress|purchases|resources)/,
              ),
              minShareCount: 3,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
});
