import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { deleteVideo, getVideo, listVideos, retryVideo, tellHash, videosPath } from "#contract/admin/studio.ts";
import type { Context } from "#server/context/context.ts";
import { discardRest } from "#server/http/multipart.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { answerTus } from "./tus.ts";
import { describeUploads } from "./uploads.ts";
import { type FindUses, getUploadedVideo, removeVideo, retryConversion, tellHashOf } from "./videos.ts";

const uploadUrl = `${videosPath}/:id`;

/** Whether the request streams a piece of a video, which may take minutes. */
export function isPiece({ method, routeOptions }: FastifyRequest): boolean {
  return method === "PATCH" && routeOptions.url === uploadUrl;
}

export function studioRoutes(scope: FastifyInstance, ctx: Context, findUses: FindUses): void {
  // Left unread for the protocol's handler.
  scope.addContentTypeParser("application/offset+octet-stream", (_request, _payload, done) => done(null));
  scope.addHook("onSend", (request, reply, payload, done) => {
    discardRest(request, reply);
    done(null, payload);
  });
  const uploads = {
    schema: { hide: true },
    config: { permission: "content:write", withoutFreshSignIn: "Nobody sees what is uploaded before it is published" },
    handler: (request: FastifyRequest, reply: FastifyReply) => answerTus(ctx, request, reply),
  } as const;
  scope.route({ method: "POST", url: videosPath, ...uploads });
  scope.route({ method: ["HEAD", "PATCH"], url: uploadUrl, ...uploads });

  serve(scope, listVideos, () => describeUploads(ctx, findUses));
  serve(scope, getVideo, ({ params }) => getUploadedVideo(ctx, findUses, params.id));
  serve(scope, deleteVideo, async ({ request, params }) => {
    const wasWhole = await removeVideo(ctx, studentOf(request).id, findUses, params.id);
    return { message: wasWhole ? "Video deleted" : "Upload cancelled" };
  });
  serve(scope, tellHash, ({ request, params, body }) =>
    tellHashOf(ctx, studentOf(request).id, { id: params.id, toldSha256: body.sha256 }),
  );
  serve(scope, retryVideo, ({ request, params }) => retryConversion(ctx, studentOf(request).id, findUses, params.id));
}
