import { createApp } from "astro/app/entrypoint";
import { placeholderOrigin } from "#content/site.ts";
import type { PageFacts } from "#contract/page-facts.ts";

/** What stands around a page of the application, whose scripts are built apart. */
export interface Shell {
  /** The elements by which it asks for its style sheet, its fonts and its scripts. */
  head: string;
  checkout: boolean;
  lessons: boolean;
}

const app = createApp({ streaming: false });

/**
 * The whole HTML of the page at `path`, for a visitor, saying what `facts` say; `shells` are the application's, by path.
 * @throws when it cannot be rendered.
 */
export async function renderPage(path: string, facts: PageFacts, shells: Record<string, Shell>): Promise<string> {
  const locals = { facts, shell: shells[path] ?? null };
  const response = await app.render(new Request(placeholderOrigin + path), { locals });
  if (response.status !== (path === "/404" ? 404 : 200)) throw new Error(`${path} was answered by ${response.status}`);
  return response.text();
}
