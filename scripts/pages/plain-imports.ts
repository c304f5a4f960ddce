import type { Plugin } from "vite";

/**
 * Leaves dynamic imports as they are. Vite wraps each in a function that first fetches the style sheet of the part, half a
 * KB on the landing page too; here all styles are in one sheet. A part with a sheet of its own fails the build, since
 * nothing would fetch it.
 */
export function plainImports(): Plugin {
  return {
    name: "plain-imports",
    enforce: "pre",
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () => "export const __vitePreload = (load) => load();",
    },
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type !== "chunk" || part.isEntry || !part.viteMetadata?.importedCss.size) continue;
        this.error(`${part.name} imports a style sheet: import it in app/ui/styles/theme.css`);
      }
    },
  };
}
