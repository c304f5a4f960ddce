import type { AstroIntegration } from "astro";

/** Builds the public pages into one render function (`site/render.ts`), and adds our client directives. */
export function publicPages(): AstroIntegration {
  const name = "public-pages";
  return {
    name,
    hooks: {
      "astro:config:setup": ({ addClientDirective }) => {
        addClientDirective({ name: "press", entrypoint: "./site/directives/press.ts" });
        addClientDirective({ name: "marked", entrypoint: "./site/directives/marked.ts" });
      },
      "astro:config:done": ({ setAdapter }) =>
        setAdapter({
          name,
          entrypointResolution: "auto",
          serverEntrypoint: new URL("./render.ts", import.meta.url),
          supportedAstroFeatures: { serverOutput: "stable", sharpImageService: "unsupported" },
        }),
    },
  };
}
