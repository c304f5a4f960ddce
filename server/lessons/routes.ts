import { send } from "@fastify/send";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { getCatalogue, getPlayback } from "#contract/catalogue.ts";
import type { Context } from "#server/context.ts";
import { serve } from "#server/http/serve.ts";
import { findSignedIn } from "#server/identity/sessions.ts";
import { Refusal } from "#server/refusal.ts";
import { catalogueFor, playbackOf, sampleOf, watchableLesson } from "./lessons.ts";

const FileParams = z.object({
  lessonId: z.string().regex(/^[a-z0-9-]{1,40}$/),
  part: z.enum(["video", "captions", "poster"]),
});

/** The course as it may be seen and played; open to everyone, since visitors see previews. */
export function lessonRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getCatalogue, async ({ request, reply }) => {
    const signedIn = await findSignedIn(ctx, request, reply);
    return catalogueFor(ctx, signedIn?.user ?? null);
  });

  serve(scope, getPlayback, async ({ request, reply, params }) => {
    const signedIn = await findSignedIn(ctx, request, reply);
    return playbackOf(ctx, signedIn?.user ?? null, params.lessonId);
  });

  // The files of the shipped samples, with ranges, decided anew at each request like the address that leads here.
  scope.get("/api/lessons/:lessonId/:part", { schema: { hide: true, params: FileParams } }, async (request, reply) => {
    const { lessonId, part } = request.params as z.output<typeof FileParams>;
    const signedIn = await findSignedIn(ctx, request, reply);
    const file = sampleOf(await watchableLesson(ctx, signedIn?.user ?? null, lessonId), part);
    if (!file) throw new Refusal("not-found", "There is no such file.");
    const result = await send(request.raw, file.path, { root: file.root, cacheControl: false });
    return reply
      .code(result.statusCode)
      .headers({ ...result.headers, "cache-control": "private, max-age=300" })
      .send(result.stream);
  });
}
