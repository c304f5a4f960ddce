import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { OperatorError } from "#server/base/operator-error.ts";

const PageFiles = z.object({
  path: z.string(),
  file: z.string(),
  fileWithSession: z.string(),
  inlineScripts: z.array(z.string()),
});

const Manifest = z.object({
  pages: z.array(PageFiles.extend({ checkout: z.boolean(), lessons: z.boolean(), previews: z.boolean() })),
  notFound: PageFiles,
  styles: z.object({ issuer: z.string() }),
  facts: z.unknown(),
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
