import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "#server/base/refusal.ts";

export interface ConcurrentUploads {
  readonly max: number;
  readonly personOf: (request: FastifyRequest) => string;
}

/** Before a byte of a body is read. By process, whose memory and disk uploads take. */
export function limitUploads(scope: FastifyInstance, { max, personOf }: ConcurrentUploads): void {
  // At most `max` entries, 200 of about 60 bytes: 12 kB.
  const uploading = new Set<string>();
  scope.addHook("onRequest", (request, reply, done) => {
    if (!isForm(request)) return done();
    const person = personOf(request);
    if (uploading.has(person)) {
      return done(
        new Refusal("conflict", "You have another upload in progress. Please wait until it's done.", {
          retryAfterSeconds: 15,
        }),
      );
    }
    if (uploading.size >= max) {
      return done(
        new Refusal("unavailable", "A lot of files are being uploaded right now. Please try again in a minute.", {
          retryAfterSeconds: 15,
          turnsAway: true,
        }),
      );
    }
    uploading.add(person);
    reply.raw.once("close", () => uploading.delete(person));
    done();
  });
}

export function isForm({ headers }: Pick<FastifyRequest, "headers">): boolean {
  return /^\s*multipart\//i.test(headers["content-type"] ?? "");
}
