import react from "@astrojs/react";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, passthroughImageService } from "astro/config";
import { buildTargets } from "./content/browsers.ts";
import { placeholderOrigin } from "./content/site.ts";
import { bundlerOptions, ofPath } from "./scripts/pages/bundler.ts";
import { stripSchemas } from "./scripts/pages/strip-schemas.ts";
import { publicPages } from "./site/integration.ts";

const notOfTheCourse = ofPath(/^(?!.*\/(react-router|app\/learning)\/)/);

/** Builds the public pages (`site/`). scripts/build.ts sets where the output goes. */
export default defineConfig({
  srcDir: "./site",
  publicDir: "./app/public",
  // The build requests every page once, and a server those whose content has changed since.
  output: "server",
  site: placeholderOrigin,
  trailingSlash: "never",
  build: { assets: "assets", inlineStylesheets: "always" },
  image: { service: passthroughImageService() },
  devToolbar: { enabled: false },
  adapter: publicPages(),
  integrations: [
    // With streaming, React would put parts of a long island behind it, and scripts at their places.
    react({ experimentalDisableStreaming: true }),
  ],
  vite: {
    plugins: [tailwindcss(), stripSchemas()],
    build: {
      target: buildTargets,
      // Inlines the pages' scripts, whose hashes are in the content security policy. Data URLs would need their own
      // entry there.
      chunkSizeWarningLimit: 700,
      rolldownOptions: bundlerOptions,
      assetsInlineLimit: (file) => /\.(js|mjs)$/.test(file),
    },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            // Puts what most islands need into one file: fewer requests, and better compression. Only the preview needs
            // the course with its router.
            output: {
              codeSplitting: { groups: [{ name: "islands", minShareCount: 3, test: notOfTheCourse }] },
            },
          },
        },
      },
    },
  },
});
