import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { getCatalogue, getPlayback, searchCatalogue } from "#contract/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import { serve } from "#server/http/serve.ts";
import { findSignedIn } from "#server/identity/sessions/sessions.ts";
import type { User } from "#server/identity/users.ts";
import { captionsFor, catalogueFor, playbackOf, sampleFileFor, searchFor } from "./lessons.ts";

const LessonParams = z.object({ lessonId: z.string().regex(/^[a-z0-9-]{1,40}$/) });
const FileParams = LessonParams.extend({ part: z.enum(["video", "poster"]) });

/** Browsers ask again and again while a lesson plays. */
const cacheControl = "private, max-age=300";

/** Open to everyone, since visitors see previews. */
export function lessonRoutes(scope: FastifyInstance, ctx: Context): void {
  const viewerOf = async (request: FastifyRequest, reply: FastifyReply): Promise<User | null> =>
    (await findSignedIn(ctx, request, reply))?.user ?? null;

  serve(scope, getCatalogue, async ({ request, reply }) => catalogueFor(ctx, await viewerOf(request, reply)));

  serve(scope, searchCatalogue, async ({ request, reply, query }) =>
    searchFor(ctx, await viewerOf(request, reply), query.q),
  );

  serve(scope, getPlayback, async ({ request, reply, params }) =>
    playbackOf(ctx, await viewerOf(request, reply), params.lessonId),
  );

  scope.get(
    "/api/lessons/:lessonId/captions",
    { schema: { hide: true, params: LessonParams } },
    async (request, reply) => {
      const { lessonId } = request.params as z.output<typeof LessonParams>;
      const captions = await captionsFor(ctx, await viewerOf(request, reply), lessonId);
      return reply.headers({ "content-type": "text/vtt; charset=utf-8", "cache-control": cacheControl }).send(captions);
    },
  );

  // Decided anew at each request, like the address that leads here.
  scope.get("/api/lessons/:lessonId/:part", { schema: { hide: true, params: FileParams } }, async (request, reply) => {
    const { lessonId, part } = request.params as z.output<typeof FileParams>;
    const file = await sampleFileFor(ctx, await viewerOf(request, reply), lessonId, part);
    // Loaded here: its list of media types takes memory.
    const { send } = await import("@fastify/send");
    const result = await send(request.raw, file.path, { root: file.root, cacheControl: false });
    return reply
      .code(result.statusCode)
      .headers({ ...result.headers, "cache-control": cacheControl })
      .send(result.stream);
  });
}
