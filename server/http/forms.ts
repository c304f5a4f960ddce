import type { FastifyInstance, FastifyReply } from "fastify";
import { type PlainPage, plainPage, plainPagePolicy } from "./plain-page.ts";

const bodyLimit = 64_000;

export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}

export function sendPlainPage(
  reply: FastifyReply,
  status: number,
  page: PlainPage,
  stylesheet: string | null,
): FastifyReply {
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .header("content-security-policy", plainPagePolicy)
    .send(plainPage(page, stylesheet));
}
