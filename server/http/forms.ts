import type { FastifyInstance, FastifyReply } from "fastify";
import { type Academy, type Asking, describeAcademy } from "#server/settings/settings.ts";
import { type PlainPage, plainPage, plainPagePolicy } from "./plain-page.ts";
import type { PageBranding } from "./standalone-page.ts";

const bodyLimit = 64_000;

export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}

/** For a sign-in of a browser that sends no cookie at all: it keeps none, or the sign-in's has ended. */
export const noCookie =
  "Your browser sent no cookie, and signing in needs one. Allow cookies for this site in the browser's settings, then try again. If they are allowed, the sign-in took too long: just start again.";

export async function sendPlainPage(
  ctx: Asking,
  reply: FastifyReply,
  status: number,
  page: PlainPage,
  stylesheet: string | null,
): Promise<FastifyReply> {
  // While the database is away the page has neither the academy's name nor its branding.
  const academy = stylesheet && (await describeAcademy(ctx).catch(() => null));
  const branding = academy && { stylesheet, ...pageBrandingOf(academy) };
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .header("content-security-policy", plainPagePolicy)
    .send(plainPage(page, branding || null));
}

export function pageBrandingOf({
  name: academyName,
  branding: { icon, stylesheet: brandingStylesheet, logo },
}: Academy): PageBranding {
  return { academyName, icon, brandingStylesheet, logo };
}
