import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Problem } from "#contract/problem.ts";
import { deleteResource, getUploadLimits, updateResource, uploadResource } from "#contract/resources.ts";
import { recordAudit } from "#server/audit/audit.ts";
import type { Context } from "#server/context/context.ts";
import { acceptMultipart } from "#server/http/multipart.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { receiveUpload, uploadLimits } from "#server/resources/uploads/receive-upload.ts";
import { changeResource, type Note, removeResource, storeUpload } from "./resources.ts";

/** Each change is recorded in the audit log, in the same transaction. */
export async function adminResourceRoutes(scope: FastifyInstance, ctx: Context): Promise<void> {
  await acceptMultipart(scope, uploadLimits(ctx), { max: 10, personOf: (request) => studentOf(request).id });
  const noteOf =
    (request: FastifyRequest): Note =>
    (tx, change) =>
      recordAudit(tx, { actor: studentOf(request).id, ...change }, ctx.clock.now());

  serve(scope, getUploadLimits, async () => uploadLimits(ctx));

  serve(scope, uploadResource, async ({ request }) => {
    const resources = await storeUpload(ctx, await receiveUpload(ctx, request), noteOf(request));
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
    changeResource(ctx, { ...params, ...query }, body, noteOf(request)),
  );

  serve(scope, deleteResource, async ({ request, params }) => {
    await removeResource(ctx, params.id, noteOf(request));
    return { message: "Resource deleted successfully" };
  });
}
