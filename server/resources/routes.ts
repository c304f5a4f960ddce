import { Readable } from "node:stream";
import { create as attachment } from "content-disposition";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { downloadResource, listResources } from "#contract/resources.ts";
import type { Context } from "#server/context/context.ts";
import { describeRange, requestedRange } from "#server/http/range.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import type { ByteRange } from "#server/storage/storage.ts";
import { downloadableResource, recordDownload, recordFileFound, recordFileMissing } from "./downloads/downloads.ts";
import type { ResourceRow } from "./queries.ts";
import { listResourcesFor } from "./resources.ts";
import { mimeTypes } from "./rules.ts";

export function resourceRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, listResources, ({ request, query }) => listResourcesFor(ctx, studentOf(request), query));

  serve(scope, downloadResource, async ({ request, reply, params }) =>
    sendFile(ctx, request, reply, await downloadableResource(ctx, studentOf(request), params.resourceId)),
  );
}

/** Counts downloads of whole files. A range continues a download that was counted already, and HEAD sends no file. */
async function sendFile(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  resource: ResourceRow,
): Promise<FastifyReply> {
  const size = resource.fileSize;
  const etag = `"${resource.sha256}"`;
  const range = requestedRange(request, reply, { size, etag });
  const isHead = request.method === "HEAD";
  const stored = await ctx.storage.read(resource.storageKey, (isHead ? firstByteOf(size) : range) ?? undefined);
  // The page sends HEAD before a download, to find out that the file is missing.
  if (isHead) stored?.stream.destroy();
  if (!stored) throw await recordFileMissing(ctx, resource);
  try {
    await recordFileFound(ctx, resource);
    if (!isHead && !range) await recordDownload(ctx, resource, studentOf(request));
  } catch (error) {
    // Nobody reads the stream then, and an unread stream stays open.
    stored.stream.destroy();
    throw error;
  }
  reply.headers({
    "content-type": mimeTypes[resource.format],
    "content-disposition": attachment(resource.fileName, { fallback: plainName(resource.fileName) }),
    "content-security-policy": "default-src 'none'; sandbox",
  });
  describeRange(reply, range, { size, etag });
  return reply.send(isHead ? Readable.from([]) : stored.stream);
}

/** For clients that neither read the exact name nor escapes within quotes. */
function plainName(fileName: string): string {
  return fileName.replaceAll('"', "'").replaceAll(/[^ -~]/g, "?");
}

function firstByteOf(size: number): ByteRange | null {
  return size > 0 ? { first: 0, last: 0 } : null;
}
