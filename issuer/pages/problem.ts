import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { errors } from "oidc-provider";
import { Refusal } from "#server/base/refusal.ts";
import { isUnkeepableText } from "#server/db/db.ts";
import { html } from "#server/http/html.ts";
import { noCookie } from "#server/http/standalone-page.ts";
import { type Site, sendPage } from "./frame.ts";

/** A form that another site posted. */
export class CrossOrigin extends Error {
  override name = "CrossOrigin";
}

/** An error page, always with a link back. */
export function problemPage(site: Site, title: string, sentence: string, detail?: string) {
  return {
    title,
    lead: sentence,
    body: html`${detail && html`<p class="detail">${detail}</p>`}
<p><a class="button" href="${site.homeUrl}">Back to the academy</a></p>`,
  };
}

export const expired = {
  title: "Sign-in expired",
  sentence: "This sign-in has expired, or you started it in another browser. Go back and sign in again.",
};

const cookieless = { title: "Cookies are off", sentence: noCookie };

/** For who presses Back after the sign-in. */
export function signedInPage(site: Site) {
  return problemPage(site, "You're already signed in", "This page is from an earlier sign-in.");
}

/** Answers errors of the pages. Logs only unexpected ones. */
export function sendProblem(site: Site, error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof Refusal && error.code === "too-many-requests") {
    const { retryAfterSeconds = 1 } = error;
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
    reply.header("retry-after", retryAfterSeconds);
    return sendPage(reply, site, problemPage(site, "Too many attempts", `Please wait ${wait} and try again.`), 429);
  }
  if (error instanceof errors.SessionNotFound) {
    const { title, sentence } = request.headers.cookie === undefined ? cookieless : expired;
    return sendPage(reply, site, problemPage(site, title, sentence), 400);
  }
  if (error instanceof CrossOrigin) {
    return sendPage(
      reply,
      site,
      problemPage(site, "Form not accepted", "This form was sent from another site, so we didn't change anything."),
      403,
    );
  }
  const status = isUnkeepableText(error) ? 400 : (error.statusCode ?? 500);
  if (status < 500) {
    return sendPage(
      reply,
      site,
      problemPage(site, "Form not received", "We didn't receive the whole form. Please try again."),
      status,
    );
  }
  request.log.error({ err: error }, "a page of the issuer failed");
  return sendPage(
    reply,
    site,
    problemPage(site, "Something went wrong", "It's our fault, and we've logged it. Please try again in a minute."),
    500,
  );
}
