import { text } from "node:stream/consumers";
import { renderToStaticMarkup } from "react-dom/server";
import { prerenderToNodeStream } from "react-dom/static";
import type { PageFacts } from "#contract/page-facts.ts";
import { href } from "./addresses.ts";
import { chosenForHero, freeLessonsQuery } from "./landing/hero/free-lessons.ts";
import { catalogueQuery } from "./learning/course-queries.ts";
import { Router } from "./navigation/router.tsx";
import { headOf } from "./page-head.ts";
import { type OnPage, onPageKey } from "./purchases/plans/on-page.ts";
import { createQueryClient } from "./query.ts";
import { Root } from "./root.tsx";
import { notFoundPage, pages } from "./routes.ts";
import { NeedsScript } from "./site/needs-script.tsx";

export { notFoundPage, pages };

interface Prerendered {
  /** What belongs in `<head>`: the title, the description. */
  head: string;
  body: string;
  /** The query cache as JSON that is safe inside a script element, `[[key, data]]`. */
  data: string;
}

/** What the shells of the other pages hold for browsers without scripts. */
const needsScript = renderToStaticMarkup(<NeedsScript />);

/** Title, meta and link elements, which React puts in front of everything else when it renders no document. */
const hoisted = /^(?:<title>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)+/;

/** What the build knows of its pages, and the renderer needs. */
interface Frames {
  /** The HTML around every page. */
  template: string;
  /** The element by which the template asks for the style sheet of all pages. */
  stylesheet: string;
  /** By path: what the page loads besides its HTML, and its own part of the style sheet, where it has one. */
  pages: Record<string, { rest: string; styles: string | null }>;
}

/** The whole HTML of the page at `path`, for a visitor, saying what `facts` say. @throws what the page throws. */
export async function renderPage(path: string, facts: PageFacts, frames: Frames): Promise<string> {
  const page = [...pages, notFoundPage].find((one) => one.path === path);
  const frame = frames.pages[path];
  if (!page || !frame) throw new Error(`There is no page ${path}`);
  const rendered = page.prerendered
    ? await prerender(path, facts)
    : { head: "<title>Academy</title>", body: "", data: jsonInScript([[onPageKey, onPageOf(facts)]]) };
  const head = headOf(path, page.prerendered && page !== notFoundPage, rendered.head, facts);
  const data = `<script type="application/json" id="query-data">${rendered.data}</script>`;
  const html = frames.template
    .replace("<!--head-->", () => rendered.head + head)
    .replace("<!--app-->", () => rendered.body)
    .replace("<!--data-->", () => (page.prerendered ? data : `<noscript>${needsScript}</noscript>${data}`))
    .replace("<!--rest-->", () => frame.rest);
  const { styles } = frame;
  return styles === null ? html : html.replace(frames.stylesheet, () => `<style>${styles}</style>`);
}

/** Renders the page at `path` as it is for a visitor. Throws what the page throws. */
async function prerender(path: string, facts: PageFacts): Promise<Prerendered> {
  const queryClient = createQueryClient();
  const { catalogue } = facts;
  queryClient.setQueryData(onPageKey, onPageOf(facts));
  if (path === href.home()) {
    // The whole catalogue stays behind. Pictures come after the page can be read: until then they would keep the
    // headline waiting.
    const chosen = chosenForHero(catalogue.flatMap(({ lessons }) => lessons));
    queryClient.setQueryData(
      freeLessonsQuery.queryKey,
      chosen.map((lesson) => ({ ...lesson, thumbnail: null })),
    );
  }
  if (path === href.demoDashboard()) queryClient.setQueryData(catalogueQuery.queryKey, catalogue);
  const failures: unknown[] = [];
  const { prelude } = await prerenderToNodeStream(
    <Router path={path}>
      <Root queryClient={queryClient} />
    </Router>,
    // Large boundaries would otherwise arrive late and be moved into place by an inline script.
    { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error) => void failures.push(error) },
  );
  const html = await text(prelude);
  if (failures.length > 0) throw failures[0];
  const head = hoisted.exec(html)?.[0] ?? "";
  const known = queryClient.getQueriesData({}).filter(([, data]) => data !== undefined);
  return { head, body: html.slice(head.length), data: jsonInScript(known) };
}

function jsonInScript(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

function onPageOf({ plans, offer }: PageFacts): OnPage {
  return { plans, offer };
}
