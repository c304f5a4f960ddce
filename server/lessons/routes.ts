import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { getCatalogue, getIntroPlayback, getPlayback, searchCatalogue } from "#contract/catalogue.ts";
import * as calls from "#contract/lesson-pages.ts";
import { MINUTE } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import { clientOf } from "#server/http/client.ts";
import { limitInMemory } from "#server/http/rate-limit-in-memory.ts";
import { serve } from "#server/http/serve.ts";
import { findSignedIn, studentOf } from "#server/identity/sessions/sessions.ts";
import type { User } from "#server/identity/users.ts";
import { cacheControl, sendFile } from "./files.ts";
import {
  bodyFor,
  captionsFor,
  catalogueFor,
  introFileFor,
  introPlaybackOf,
  playbackOf,
  posterFor,
  sampleVideoFor,
  searchFor,
} from "./lessons.ts";
import { askForOpening, listOpeningRequestsOf, withdrawOpeningRequest } from "./openings.ts";

const LessonParams = z.object({ lessonId: z.string().regex(/^[a-z0-9-]{1,40}$/) });
const CaptionsQuery = z.object({ language: z.string().max(35).optional() });
const IntroFileParams = z.object({
  moduleId: LessonParams.shape.lessonId,
  part: z.enum(["video", "poster", "captions"]),
});
const FileParams = LessonParams.extend({ part: z.enum(["video", "poster"]) });

const searches = { max: 30, window: MINUTE, message: "That's a lot of searches. Please wait a minute." };

export function openingRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, calls.listOpeningRequests, ({ request }) => listOpeningRequestsOf(ctx.db, studentOf(request).id));
  serve(scope, calls.askForOpening, ({ request, params }) => askForOpening(ctx, studentOf(request), params.lessonId));
  serve(scope, calls.withdrawOpeningRequest, ({ request, params }) =>
    withdrawOpeningRequest(ctx.db, studentOf(request).id, params.lessonId),
  );
}

/** Open to visitors, who may watch previews. */
export function lessonRoutes(scope: FastifyInstance, ctx: Context): void {
  const viewerOf = async (request: FastifyRequest, reply: FastifyReply): Promise<User | null> =>
    (await findSignedIn(ctx, request, reply))?.user ?? null;

  serve(scope, getCatalogue, async ({ request, reply }) => catalogueFor(ctx, await viewerOf(request, reply)));

  const countSearch = limitInMemory(searches);
  serve(scope, searchCatalogue, async ({ request, reply, query }) => {
    countSearch(clientOf(request).key);
    return searchFor(ctx, await viewerOf(request, reply), query.q);
  });

  serve(scope, getPlayback, async ({ request, reply, params }) =>
    playbackOf(ctx, await findSignedIn(ctx, request, reply), params.lessonId),
  );

  serve(scope, calls.getLessonBody, async ({ request, reply, params }) => ({
    html: await bodyFor(ctx, await viewerOf(request, reply), params.lessonId),
  }));

  serve(scope, getIntroPlayback, async ({ request, reply, params }) =>
    introPlaybackOf(ctx, await findSignedIn(ctx, request, reply), params.moduleId),
  );

  scope.get(
    "/api/lessons/:lessonId/captions",
    { schema: { hide: true, params: LessonParams, querystring: CaptionsQuery } },
    async (request, reply) => {
      const { lessonId } = request.params as z.output<typeof LessonParams>;
      const { language } = request.query as z.output<typeof CaptionsQuery>;
      const captions = await captionsFor(ctx, await viewerOf(request, reply), lessonId, language);
      return reply.headers({ "content-type": "text/vtt; charset=utf-8", "cache-control": cacheControl }).send(captions);
    },
  );

  // Each request checks access again.
  scope.get("/api/lessons/:lessonId/:part", { schema: { hide: true, params: FileParams } }, async (request, reply) => {
    const { lessonId, part } = request.params as z.output<typeof FileParams>;
    const find = part === "video" ? sampleVideoFor : posterFor;
    return sendFile(request, reply, await find(ctx, await viewerOf(request, reply), lessonId));
  });

  scope.get(
    "/api/modules/:moduleId/intro/:part",
    { schema: { hide: true, params: IntroFileParams } },
    async (request, reply) => {
      const { moduleId, part } = request.params as z.output<typeof IntroFileParams>;
      return sendFile(request, reply, await introFileFor(ctx, await viewerOf(request, reply), moduleId, part));
    },
  );
}
