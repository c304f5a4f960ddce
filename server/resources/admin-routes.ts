import type { FastifyInstance } from "fastify";
import type { Problem } from "#contract/problem.ts";
import { deleteResource, getUploadLimits, moveResource, updateResource, uploadResource } from "#contract/resources.ts";
import type { Context } from "#server/context/context.ts";
import { acceptMultipart } from "#server/http/multipart.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { receiveUpload, uploadLimits } from "#server/resources/uploads/receive-upload.ts";
import { changeResource, moveResourceBefore, removeResource, storeUpload } from "./resources.ts";

export async function adminResourceRoutes(scope: FastifyInstance, ctx: Context): Promise<void> {
  await acceptMultipart(scope, uploadLimits(ctx), { max: 10, personOf: (request) => studentOf(request).id });

  serve(scope, getUploadLimits, async () => uploadLimits(ctx));

  serve(scope, uploadResource, async ({ request }) => {
    const resources = await storeUpload(ctx, studentOf(request).id, await receiveUpload(ctx, request));
    const what = resources.length === 1 ? "Resource" : `${resources.length} resources`;
    return { message: `${what} uploaded successfully!`, resources };
  });

  // Callers of uploads read `error`; those of all other calls read `message`.
  scope.addHook("onSend", async ({ routeOptions }, reply, payload) => {
    if (routeOptions.url !== uploadResource.path || reply.statusCode < 400) return payload;
    const problem = JSON.parse(String(payload)) as Problem;
    return JSON.stringify({ ...problem, error: problem.message } satisfies Problem);
  });

  serve(scope, updateResource, ({ request, params, query, body }) =>
    changeResource(ctx, studentOf(request).id, { ...params, ...query }, body),
  );

  serve(scope, moveResource, async ({ request, params, body }) => {
    await moveResourceBefore(ctx, studentOf(request).id, params.id, body.before);
    return { message: "Order changed" };
  });

  serve(scope, deleteResource, async ({ request, params }) => {
    await removeResource(ctx, studentOf(request).id, params.id);
    return { message: "Resource deleted successfully" };
  });
}
