import type { FastifyInstance, FastifyReply } from "fastify";
import { type Asking, describeAcademy } from "#server/settings/settings.ts";
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

export async function sendPlainPage(
  ctx: Asking,
  reply: FastifyReply,
  status: number,
  page: PlainPage,
  stylesheet: string,
): Promise<FastifyReply> {
  // While the database is away the page has neither the academy's name nor its branding.
  const academy = await describeAcademy(ctx).catch(() => null);
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .header("content-security-policy", plainPagePolicy)
    .send(plainPage(page, academy ? { ...academy, stylesheet } : null));
}
