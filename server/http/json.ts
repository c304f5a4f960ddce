import type { FastifyInstance } from "fastify";
import { Refusal } from "#server/base/refusal.ts";

/** Parses JSON and refuses NUL characters, which PostgreSQL cannot store, and keys that would change prototypes. */
export function acceptCleanJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (/\\u0000|\0/.test(String(body))) {
      done(new Refusal("malformed-request", "This text contains characters that can’t be saved."));
      return;
    }
    parse(request, String(body), done);
  });
}
