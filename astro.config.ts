import react from "@astrojs/react";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, passthroughImageService } from "astro/config";
import { placeholderOrigin } from "./content/site.ts";
import { bundlerOptions, ofPath } from "./scripts/pages/bundler.ts";
import { stripSchemas } from "./scripts/pages/strip-schemas.ts";
import { publicPages } from "./site/integration.ts";

const notOfTheCourse = ofPath(/^(?!.*\/(react-router|app\/learning)\/)/);

/** The public pages (`site/`); scripts/build.ts says where what is built goes. */
export default defineConfig({
  srcDir: "./site",
  publicDir: "./app/public",
  // The build asks for every page once, and a server for those whose facts have changed since.
  output: "server",
  site: placeholderOrigin,
  trailingSlash: "never",
  build: { assets: "assets", inlineStylesheets: "always" },
  image: { service: passthroughImageService() },
  devToolbar: { enabled: false },
  adapter: publicPages(),
  integrations: [
    // Streamed, React would put the parts of a long island behind it, and a script at their places.
    react({ experimentalDisableStreaming: true }),
  ],
  vite: {
    plugins: [tailwindcss(), stripSchemas()],
    build: {
      target: "es2022",
      // These know light-dark(). Rewritten for older ones it would be fixed at :root, and no part of a page could ask
      // for the other scheme.
      cssTarget: ["chrome123", "edge123", "firefox121", "safari17.5"],
      // A page's own scripts stand in it, whose hashes its policy names; a data: address would need a line of its own there.
      chunkSizeWarningLimit: 700,
      rolldownOptions: bundlerOptions,
      assetsInlineLimit: (file) => /\.(js|mjs)$/.test(file),
    },
    environments: {
      client: {
        build: {
          rolldownOptions: {
            // What most islands need is one file: fewer requests, and it compresses better than its parts. The preview
            // alone is of the course, with its router.
            output: {
              codeSplitting: { groups: [{ name: "islands", minShareCount: 3, test: notOfTheCourse }] },
            },
          },
        },
      },
    },
  },
});
