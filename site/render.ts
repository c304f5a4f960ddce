import { createApp } from "astro/app/entrypoint";
import { placeholderOrigin } from "#content/site.ts";
import type { PageFacts } from "#contract/page-facts.ts";
import { sayAcademy } from "#ui/academy.ts";
import { fillIn } from "./copy.ts";
import type { Shell } from "./shell.ts";

const app = createApp({ streaming: false });

/** One page after another: `sayAcademy` is for all that is rendered. */
let before: Promise<unknown> = Promise.resolve();

/**
 * The whole HTML of the page at `path`, for a visitor, saying what `facts` say; `shells` are the application's, by path. A
 * preview says that it is one.
 * @throws when it cannot be rendered.
 */
export async function renderPage(
  path: string,
  facts: PageFacts,
  shells: Record<string, Shell>,
  isPreview = false,
): Promise<string> {
  const rendered = before.then(async () => {
    sayAcademy(facts.academy);
    const locals = { facts: { ...facts, copy: fillIn(facts.copy) }, shell: shells[path] ?? null, isPreview };
    const response = await app.render(new Request(placeholderOrigin + path), { locals });
    if (response.status !== (path === "/404" ? 404 : 200))
      throw new Error(`${path} was answered by ${response.status}`);
    return response.text();
  });
  before = rendered.catch(() => undefined);
  return rendered;
}
