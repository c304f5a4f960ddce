import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { AcademySettings } from "#contract/academy.ts";
import { pageOfCopy } from "#contract/admin/content.ts";
import { copyParts } from "#contract/copy.ts";
import { PageFacts } from "#contract/page-facts.ts";
import { notFound } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Pages } from "#server/http/pages/pages.ts";
import { onPages } from "#server/settings/settings.ts";
import { readWords } from "./catalogue.ts";
import { describeContent } from "./content.ts";

const Params = z.object({ part: z.enum(copyParts) });

/** Public pages with the drafts of copy and settings. They are HTML and so not in the contract. */
export function previewRoute(scope: FastifyInstance, ctx: Context, pages: Pages): void {
  scope.get(
    "/api/admin/preview/:part",
    { schema: { hide: true, params: Params }, config: { permission: "content:write" } },
    async (request, reply) => {
      const { part } = request.params as z.output<typeof Params>;
      const page = await pages.preview(pageOfCopy[part].path, (facts) => withDrafts(ctx, PageFacts.parse(facts)));
      if (!page) throw notFound("page");
      return reply.headers(page.headers).type("text/html; charset=utf-8").send(page.html);
    },
  );
}

async function withDrafts(ctx: Context, facts: PageFacts): Promise<PageFacts> {
  const { copy, settings, plans } = await describeContent(ctx.db);
  const drafts = copy.flatMap(({ draft }) => draft ?? []);
  const words = await readWords(ctx.db, drafts, ctx.clock.now());
  const planNames = {
    ...facts.academy.planNames,
    ...Object.fromEntries(plans.map(({ tier, draft, published }) => [tier, (draft ?? published)?.name])),
  };
  const academy = onPages((settings.draft ?? settings.published) as AcademySettings, words.edited, planNames);
  return { ...facts, academy, copy: words.copy, claims: words.claimsBeside(facts.plans) };
}
