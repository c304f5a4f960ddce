import multipart, { type MultipartFile } from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { type ConcurrentUploads, limitUploads } from "#server/http/load-shedding/uploads.ts";

export interface UploadLimits {
  readonly fileSize: number;
  readonly files: number;
  readonly fields: number;
}

export type Part =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly file: UploadedFile };

export interface UploadedFile {
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
}

const maxValueBytes = 16 * 1024;

export async function acceptMultipart(
  scope: FastifyInstance,
  limits: UploadLimits,
  uploads: ConcurrentUploads,
): Promise<void> {
  limitUploads(scope, uploads);
  await scope.register(multipart, {
    preservePath: true,
    throwFileSizeLimit: false,
    limits: {
      // One byte above the limit, so that the reader can tell that the file was too large.
      fileSize: limits.fileSize + 1,
      files: limits.files,
      fields: limits.fields,
      parts: limits.files + limits.fields,
      fieldSize: maxValueBytes,
      headerPairs: 20,
    },
  });
  scope.addHook("onSend", (request, reply, payload, done) => {
    discardRest(request, reply);
    done(null, payload);
  });
}

/**
 * Yields the parts of a form; content that is not read is gone with the next part.
 * @throws Refusal malformed-request, too-large, unsupported-media-type.
 */
export async function* partsOf(request: FastifyRequest): AsyncGenerator<Part> {
  if (!request.isMultipart()) throw new Refusal("unsupported-media-type", "Send the files as a multipart form.");
  try {
    for await (const part of request.parts()) {
      const name = String(part.fieldname);
      if (part.type === "file") yield { name, file: { name: fileNameOf(part), content: contentOf(part) } };
      else if (part.valueTruncated || part.fieldnameTruncated) throw new Refusal("too-large", `${name} is too long.`);
      else yield { name, value: textOf(part.value) };
    }
  } catch (error) {
    throw asRefusal(error);
  } finally {
    request.raw.unpipe();
  }
}

/** Browsers escape quotes and line breaks in a file's name, and nothing else. */
function fileNameOf({ filename }: MultipartFile): string {
  return String(filename ?? "").replaceAll(/%(22|0d|0a)/gi, decodeURIComponent);
}

async function* contentOf(part: MultipartFile): AsyncGenerator<Buffer> {
  try {
    yield* part.file;
  } catch (error) {
    throw asRefusal(error);
  }
}

function textOf(value: unknown): string {
  if (typeof value !== "string" || value.includes("\0")) {
    throw new Refusal("malformed-request", "One of the fields contains text that can’t be saved.");
  }
  return value;
}

function asRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  if ((error as { statusCode?: number }).statusCode === 413) {
    return new Refusal("too-large", "The form has more parts than one upload may have.");
  }
  return new Refusal("malformed-request", "We didn't receive the whole upload. Please try again.");
}

/** Time for the sender to stop and read the answer. */
const lingerTimeout = 1 * SECOND;
const maxDiscarded = 256 * 1024;

/**
 * Reads a little of a refused body and closes: closing at once would lose the answer, and reading everything is the
 * work that was refused.
 */
export function discardRest({ raw: request }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request;
  if (request.complete || socket.destroyed) return;
  reply.header("connection", "close");
  // Node calls `destroySoon` after such an answer, which would reset a connection on which data still arrives.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerTimeout);
    socket.once("close", () => clearTimeout(timer));
  };
  let discarded = 0;
  request.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > maxDiscarded) request.pause();
  });
}
