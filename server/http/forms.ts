import type { FastifyInstance, FastifyReply } from "fastify";
import { type PlainPage, plainPage, plainPagePolicy } from "./plain-page.ts";

/** Largest form that a browser may send by itself, in bytes. */
const bodyLimit = 64_000;

/** Reads forms that a browser sends by itself, before or without the scripts of their page: fields by name. */
export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}

/** Answers such a form with a page. @param stylesheet as `plainPage` has it. */
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
