import { Readable } from "node:stream";
import { create as attachment } from "content-disposition";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { downloadResource, listResources } from "#contract/resources.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { rangeOf } from "#server/http/range.ts";
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
  const ifRange = request.headers["if-range"];
  const range = rangeOf(ifRange === undefined || ifRange === etag ? request.headers.range : undefined, size);
  if (range === "unsatisfiable") {
    reply.header("content-range", `bytes */${size}`);
    throw new Refusal("range-not-satisfiable", "The file doesn't have the part that was asked for.");
  }
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
    "content-length": range ? range.last - range.first + 1 : size,
    "content-disposition": attachment(resource.fileName, { fallback: plainName(resource.fileName) }),
    "content-security-policy": "default-src 'none'; sandbox",
    "accept-ranges": "bytes",
    etag,
  });
  if (range) reply.code(206).header("content-range", `bytes ${range.first}-${range.last}/${size}`);
  return reply.send(isHead ? Readable.from([]) : stored.stream);
}

/** For clients that neither read the exact name nor escapes within quotes. */
function plainName(fileName: string): string {
  return fileName.replaceAll('"', "'").replaceAll(/[^ -~]/g, "?");
}

function firstByteOf(size: number): ByteRange | null {
  return size > 0 ? { first: 0, last: 0 } : null;
}
