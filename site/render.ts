import { createApp } from "astro/app/entrypoint";
import { placeholderOrigin } from "#content/site.ts";
import type { PageFacts } from "#contract/page-facts.ts";
import { renderFor } from "./academy-of-page.ts";
import { fillIn } from "./copy.ts";
import type { Shell } from "./shell.ts";

const app = createApp({ streaming: false });

/**
 * Renders the HTML of the page at `path` for a visitor, with the content of `facts`. `shells` has the app's pages by
 * path. A preview contains a note.
 * @throws when rendering fails
 */
export async function renderPage(
  path: string,
  facts: PageFacts,
  shells: Record<string, Shell>,
  isPreview = false,
): Promise<string> {
  return renderFor(facts.academy, async () => {
    const locals = { facts: { ...facts, copy: fillIn(facts.copy, facts) }, shell: shells[path] ?? null, isPreview };
    const response = await app.render(new Request(placeholderOrigin + path), { locals });
    if (response.status !== (path === "/404" ? 404 : 200))
      throw new Error(`${path} was answered by ${response.status}`);
    return response.text();
  });
}
