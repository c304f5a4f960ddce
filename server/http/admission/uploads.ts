import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "#server/base/refusal.ts";

export interface UploadTurns {
  /** How many uploads this process takes in at once. */
  readonly most: number;
  /** Whose upload it is; the hooks before this one know. */
  readonly personOf: (request: FastifyRequest) => string;
}

/**
 * Takes in one upload of a person at a time, and `most` of them together, before a byte of a body is read. Counted in
 * this process, whose memory and disk they take: with several nodes a person may have one upload at each.
 */
export function limitUploads(scope: FastifyInstance, { most, personOf }: UploadTurns): void {
  const uploading = new Set<string>();
  scope.addHook("onRequest", (request, reply, done) => {
    if (!isForm(request)) return done();
    const person = personOf(request);
    if (uploading.has(person)) {
      return done(
        new Refusal("conflict", "Another upload of yours is under way. Please wait until it ends.", {
          retryAfterSeconds: 15,
        }),
      );
    }
    if (uploading.size >= most) {
      return done(
        new Refusal("unavailable", "Many uploads are under way. Please try again in a minute.", {
          retryAfterSeconds: 15,
        }),
      );
    }
    uploading.add(person);
    reply.raw.once("close", () => uploading.delete(person));
    done();
  });
}

/** Whether a request says that it carries a form with files. */
export function isForm({ headers }: Pick<FastifyRequest, "headers">): boolean {
  return /^\s*multipart\//i.test(headers["content-type"] ?? "");
}
