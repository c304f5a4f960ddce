import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { OperatorError } from "#server/base/operator-error.ts";

/**
 * Two variants of a page. The second has `data-session`, for browsers with a session cookie, so that visitors' pages
 * need not ask who is signed in.
 */
const PageFiles = z.object({
  path: z.string(),
  file: z.string(),
  fileWithSession: z.string(),
  /** The Content-Security-Policy hashes of inline scripts. */
  inlineScripts: z.array(z.string()),
});

const Manifest = z.object({
  pages: z.array(PageFiles.extend({ checkout: z.boolean(), lessons: z.boolean(), previews: z.boolean() })),
  /** The page for unknown paths, sent with status 404. */
  notFound: PageFiles,
  /** Style sheets for pages that are not built here. */
  styles: z.object({ issuer: z.string() }),
  /** The published content that the pages were built with. When it changes, the renderer renders them again. */
  facts: z.unknown(),
  /** Below dist/renderers. */
  renderer: z.string(),
});

export type Build = z.infer<typeof Manifest> & { root: string };

/** The message tells the operator what to do. */
class NoPages extends OperatorError {
  override name = "NoPages";
}

/** @throws NoPages when `root` has no build of this release */
export async function findBuild(root: string): Promise<Build> {
  const text = await readFile(join(root, "pages.json"), "utf8").catch(() => "null");
  const parsed = Manifest.safeParse(JSON.parse(text));
  if (!parsed.success) throw new NoPages("The pages in dist/ are not of this release: run npm run build first.");
  return { root, ...parsed.data };
}
