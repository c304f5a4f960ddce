import type { FastifyInstance } from "fastify";
import { z } from "zod";
import {
  discardDrafts as discardDraftsCall,
  draftCopy,
  draftLesson,
  draftModule,
  draftOffer,
  draftPlan,
  draftSettings,
  getConfigured,
  getContent,
  moveContent,
  publishContent,
  reviewLegalText,
} from "#contract/admin/content.ts";
import { checkVideo, previewVideo, VideoQuery } from "#contract/admin/videos.ts";
import { notFound } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { signedInOf, studentOf } from "#server/identity/sessions/sessions.ts";
import { sendFile } from "#server/lessons/files.ts";
import { previewOf, readPosterOf } from "#server/lessons/lessons.ts";
import { requireWritable } from "#server/mail/recipients.ts";
import { findSample } from "#server/video/samples.ts";
import { describeContent, offerId, settingsId } from "./content.ts";
import { discard, draft, move, publish, review } from "./editing.ts";
import { describeVideo } from "./video-facts.ts";

const SampleParams = z.object({ sampleId: z.string(), part: z.enum(["video", "poster", "captions"]) });

const posterPath = "/api/admin/videos/poster";
const posterAddress = (videoId: string) => `${posterPath}?videoId=${encodeURIComponent(videoId)}`;

export function contentRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getContent, () => describeContent(ctx.db));

  serve(scope, draftModule, ({ request, params, query, body }) =>
    draft(ctx, studentOf(request), { kind: "module", id: params.id, text: body, ...query }),
  );
  // Captions and legal texts may be longer than the usual body limit.
  scope.register(async (long) => {
    long.addHook("onRoute", (route) => {
      route.bodyLimit = 1024 * 1024;
    });
    serve(long, draftLesson, ({ request, params, query, body }) =>
      draft(ctx, studentOf(request), { kind: "lesson", id: params.id, text: body, ...query }),
    );
    serve(long, draftCopy, ({ request, query, body }) =>
      draft(ctx, studentOf(request), { kind: "copy", id: body.part, text: body, ...query }),
    );
  });
  serve(scope, draftPlan, ({ request, params, query, body }) =>
    draft(ctx, studentOf(request), { kind: "plan", id: params.id, text: body, ...query }),
  );
  serve(scope, draftOffer, ({ request, query, body }) =>
    draft(ctx, studentOf(request), { kind: "offer", id: offerId, text: body, ...query }),
  );
  serve(scope, draftSettings, async ({ request, query, body }) => {
    if (body.supportEmail) await requireWritable(ctx.mail, "supportEmail", body.supportEmail);
    return draft(ctx, studentOf(request), { kind: "settings", id: settingsId, text: body, ...query });
  });
  serve(scope, reviewLegalText, ({ request, params, query }) =>
    review(ctx, studentOf(request), params.part, query.version),
  );
  serve(scope, getConfigured, async () => {
    const { configuredSupportEmail: supportEmail, configuredSenderName: senderName } = ctx.site;
    return { supportEmail, senderName };
  });
  serve(scope, checkVideo, ({ query: { videoId } }) => describeVideo(ctx, videoId, posterAddress(videoId)));
  serve(scope, previewVideo, ({ query: { videoId } }) =>
    previewOf(ctx, videoId, { samples: (id) => `/api/admin/samples/${id}`, poster: posterAddress(videoId) }),
  );
  scope.get(
    posterPath,
    { schema: { hide: true, querystring: VideoQuery }, config: { permission: "content:write" } },
    async (request, reply) => {
      const { videoId } = request.query as z.output<typeof VideoQuery>;
      return sendFile(request, reply, await readPosterOf(ctx, videoId));
    },
  );
  scope.get(
    "/api/admin/samples/:sampleId/:part",
    { schema: { hide: true, params: SampleParams }, config: { permission: "content:write" } },
    async (request, reply) => {
      const { sampleId, part } = request.params as z.output<typeof SampleParams>;
      const file = findSample(sampleId, part);
      if (!file) throw notFound("file");
      return sendFile(request, reply, file);
    },
  );
  serve(scope, moveContent, ({ request, body }) => move(ctx, studentOf(request), body));

  serve(scope, publishContent, async ({ request, body }) => {
    const published = await publish(ctx, signedInOf(request), body.only);
    return { success: true as const, message: `Published: ${published}` };
  });
  serve(scope, discardDraftsCall, async ({ request, body }) => {
    const dropped = await discard(ctx, studentOf(request), body.only);
    return { success: true as const, message: `Drafts dropped: ${dropped}` };
  });
}
