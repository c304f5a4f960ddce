import multipart, { type MultipartFile } from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import { limitUploads, type UploadTurns } from "#server/http/admission/uploads.ts";

export interface UploadLimits {
  /** Bytes of one file. */
  readonly fileSize: number;
  readonly files: number;
  readonly fields: number;
}

export type Part =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly file: UploadedFile };

export interface UploadedFile {
  /** As the sender wrote it, path and all. */
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
}

const longestValue = 16 * 1024;

/** Multipart forms are taken in this scope, within limits, one of a person at a time; see `partsOf`. */
export async function acceptMultipart(scope: FastifyInstance, limits: UploadLimits, turns: UploadTurns): Promise<void> {
  limitUploads(scope, turns);
  await scope.register(multipart, {
    preservePath: true,
    throwFileSizeLimit: false,
    limits: {
      // One byte more than allowed, so that anybody who reads sees that it was too much.
      fileSize: limits.fileSize + 1,
      files: limits.files,
      fields: limits.fields,
      parts: limits.files + limits.fields,
      fieldSize: longestValue,
      headerPairs: 20,
    },
  });
  scope.addHook("onSend", (request, reply, payload, done) => {
    discardRest(request, reply);
    done(null, payload);
  });
}

/**
 * The parts of a multipart request in the order in which they arrive; the content of a file is read before the next part
 * is asked for.
 * @throws Refusal malformed-request, too-large, unsupported-media-type.
 */
export async function* partsOf(request: FastifyRequest): AsyncGenerator<Part> {
  if (!request.isMultipart()) throw new Refusal("unsupported-media-type", "Send the files as a multipart form.");
  try {
    for await (const part of request.parts()) {
      const name = String(part.fieldname);
      if (part.type === "file") yield { name, file: { name: String(part.filename ?? ""), content: contentOf(part) } };
      else if (part.valueTruncated || part.fieldnameTruncated) throw new Refusal("too-large", `${name} is too long.`);
      else yield { name, value: textOf(part.value) };
    }
  } catch (error) {
    throw asRefusal(error);
  } finally {
    request.raw.unpipe();
  }
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
    throw new Refusal("malformed-request", "A field of the form is not text that can be kept.");
  }
  return value;
}

/** What the parser throws is the sender's doing: a broken form, one of the limits, or a connection that was lost. */
function asRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  if ((error as { statusCode?: number }).statusCode === 413) {
    return new Refusal("too-large", "The form has more parts than one upload may have.");
  }
  return new Refusal("malformed-request", "The upload did not arrive whole.");
}

/** Long enough for the sender to stop and read the answer. */
const patience = 1 * SECOND;
const mostDiscarded = 256 * 1024;

/**
 * An answer that is given before the request was read to its end would be lost if the connection were cut at once, and
 * reading everything would do the work that was refused. So the answer says that the connection ends, a little is read
 * and thrown away, and shortly afterwards it ends.
 */
function discardRest({ raw: request }: FastifyRequest, reply: FastifyReply): void {
  const { socket } = request;
  if (request.complete || socket.destroyed) return;
  reply.header("connection", "close");
  // Node calls this when it has sent such an answer, and would cut the connection with what still arrives on it.
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), patience);
    socket.once("close", () => clearTimeout(timer));
  };
  let discarded = 0;
  request.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > mostDiscarded) request.pause();
  });
}
