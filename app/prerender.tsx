import { text } from "node:stream/consumers";
import { renderToStaticMarkup } from "react-dom/server";
import { prerenderToNodeStream } from "react-dom/static";
import { seedFreeLessons } from "./landing/hero/free-lessons-seed.ts";
import { seedCatalogue } from "./learning/dashboard/catalogue-seed.ts";
import { Router } from "./navigation/router.tsx";
import { createQueryClient } from "./query.ts";
import { Root } from "./root.tsx";
import { href } from "./routes.ts";
import { NeedsScript } from "./site/needs-script.tsx";

export { notFoundPage, pages } from "./routes.ts";

export interface Prerendered {
  /** What belongs in `<head>`: the title, the description. */
  head: string;
  body: string;
  /** The query cache as JSON that is safe inside a script element, `[[key, data]]`; null when the page needed none. */
  data: string | null;
}

/** What the shells of the other pages hold for browsers without scripts. */
export const needsScript = renderToStaticMarkup(<NeedsScript />);

/** Title, meta and link elements, which React puts in front of everything else when it renders no document. */
const hoisted = /^(?:<title>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)+/;

/** Renders the page at `path` as it is for a visitor. Throws what the page throws. */
export async function prerender(path: string): Promise<Prerendered> {
  const queryClient = createQueryClient();
  if (path === href.home()) seedFreeLessons(queryClient);
  if (path === href.demoDashboard()) seedCatalogue(queryClient);
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
  return {
    head,
    body: html.slice(head.length),
    data: known.length > 0 ? JSON.stringify(known).replaceAll("<", "\\u003c") : null,
  };
}
