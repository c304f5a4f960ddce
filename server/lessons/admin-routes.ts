import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { checkVideo, listVideoProblems, previewVideo, VideoQuery } from "#contract/admin/videos.ts";
import { notFound } from "#server/base/refusal.ts";
import { describeVideo, listUnplayable } from "#server/catalogue/video-facts.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { signedInOf } from "#server/identity/sessions/sessions.ts";
import { findSample } from "#server/video/samples.ts";
import { sendFile } from "./files.ts";
import { previewOf, readPosterOf } from "./lessons.ts";

const SampleParams = z.object({ sampleId: z.string(), part: z.enum(["video", "poster", "captions"]) });

const posterPath = "/api/admin/videos/poster";
const posterAddress = (videoId: string) => `${posterPath}?videoId=${encodeURIComponent(videoId)}`;

/** The videos that administrators enter into drafts. */
export function videoRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, checkVideo, ({ query: { videoId } }) => describeVideo(ctx, videoId, posterAddress(videoId)));
  serve(scope, listVideoProblems, () => listUnplayable(ctx));
  serve(scope, previewVideo, ({ request, query: { videoId } }) =>
    previewOf(ctx, signedInOf(request), videoId, {
      samples: (id) => `/api/admin/samples/${id}`,
      poster: posterAddress(videoId),
    }),
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
}
