import type { IncomingMessage } from "node:http";
import { DataStore, Server, Upload } from "@tus/server";
import type { FastifyReply, FastifyRequest } from "fastify";
import { videosPath } from "#contract/admin/studio.ts";
import { SECOND } from "#server/base/clock.ts";
import { cleanFileName } from "#server/base/file-names.ts";
import { notFound, Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { newId } from "#server/db/id.ts";

import { studentOf } from "#server/identity/sessions/sessions.ts";
import { UploadLease } from "./leases.ts";
import { beginUpload, maxPieceBytes, receivePiece } from "./uploads.ts";
import { findVideo } from "./videos.ts";

const requestHeaders = [
  "content-length",
  "content-type",
  "tus-resumable",
  "upload-defer-length",
  "upload-length",
  "upload-metadata",
  "upload-offset",
];
/** None of them for other origins, which the library allows. */
const replyHeaders = ["location", "tus-resumable", "upload-length", "upload-metadata", "upload-offset"];

/** Answers within Fastify, so that its hooks and errors apply. @throws Refusal */
export async function answerTus(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (Number(request.headers["content-length"]) > maxPieceBytes) {
    throw new Refusal("too-large", "Send the file in smaller pieces.");
  }
  const lease = new UploadLease(ctx, request.id);
  // One server for each request, whose store knows the lease under which it writes.
  const server = new Server({
    path: videosPath,
    relativeLocation: true,
    datastore: new Pieces(ctx, studentOf(request).id, lease),
    locker: lease,
    lockDrainTimeout: SECOND,
    namingFunction: () => newId(),
    onResponseError: (_request, error) => {
      throw asRefusal(error);
    },
  });
  const response = await server.handleWeb(webRequestOf(request));
  if (response.status >= 400) throw asRefusal({ status_code: response.status, body: "" });
  for (const name of replyHeaders) {
    const value = response.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  return reply.code(response.status).send();
}

class Pieces extends DataStore {
  private readonly ctx: Context;
  private readonly actor: string;
  private readonly lease: UploadLease;

  constructor(ctx: Context, actor: string, lease: UploadLease) {
    super();
    this.ctx = ctx;
    this.actor = actor;
    this.lease = lease;
    this.extensions = ["creation"];
  }

  override async create(upload: Upload): Promise<Upload> {
    const fileName = cleanFileName(upload.metadata?.filename ?? "") || "video";
    await beginUpload(this.ctx, this.actor, { id: upload.id, fileName, size: upload.size ?? 0 });
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await findVideo(this.ctx.db, id);
    if (!row) throw notFound("upload");
    return new Upload({ id, size: row.size, offset: row.received, metadata: { filename: row.fileName } });
  }

  override async write(stream: AsyncIterable<Uint8Array>, videoId: string, start: number): Promise<number> {
    const { number: lockNumber } = this.lease;
    if (lockNumber === null) throw notFound("upload");
    return start + (await receivePiece(this.ctx, { videoId, start, lockNumber }, stream));
  }
}

/** Only what the protocol needs: no header can override the method, and creation carries no content. */
function webRequestOf({ method, url, headers, raw }: FastifyRequest): Request {
  const sent = requestHeaders.flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value] as [string, string]] : [];
  });
  const address = new URL(url, "http://academy");
  if (method !== "PATCH") {
    return new Request(address, { method, headers: sent.filter(([name]) => !name.startsWith("content-")) });
  }
  return new Request(address, { method, headers: sent, body: ReadableStream.from(whatComes(raw)), duplex: "half" });
}

/** Ends where the connection does: what came before is a piece as well. */
async function* whatComes(raw: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* raw;
  } catch (error) {
    if (!raw.destroyed) throw error;
  }
}

function asRefusal(error: unknown): Error {
  if (error instanceof Error && !("status_code" in error)) return error;
  const { status_code: status } = error as { status_code: number };
  if (status === 404) return notFound("upload");
  if (status === 409) return new Refusal("conflict", "The file doesn’t continue here.");
  if (status === 413) return new Refusal("too-large", "That’s more than the file has.");
  return new Refusal("malformed-request", "This isn’t a request of tus 1.0.0.");
}
