import type { FastifyInstance } from "fastify";
import { href } from "#contract/addresses.ts";
import { chooseAnnouncements, getAnnouncementChoice } from "#contract/announcements.ts";
import type { Context } from "#server/context/context.ts";
import { sendPlainPage } from "#server/http/forms.ts";
import type { PlainPage } from "#server/http/plain-page.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { choose, findChoice, findChoiceByToken, unsubscribe } from "./choices.ts";

/** Allowed also while the account is on hold or suspended. */
export function announcementChoiceRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getAnnouncementChoice, ({ request }) => findChoice(ctx.db, studentOf(request).id));
  serve(scope, chooseAnnouncements, ({ request, body }) =>
    choose(ctx.db, studentOf(request).id, body.wanted, ctx.clock.now()),
  );
}

const path = "/unsubscribe/:token";
const account = "You'll still get receipts and emails about your account.";
const asked: PlainPage = {
  title: "Unsubscribe from announcements?",
  message: `If you unsubscribe, we won't email you announcements anymore. ${account}`,
  link: { post: "Unsubscribe" },
};
const done: PlainPage = {
  title: "You are unsubscribed",
  message: `We won't email you announcements anymore. ${account} You can turn announcements back on in your profile.`,
  link: { href: href.home(), text: "Go to Home" },
};
const unknown: PlainPage = {
  title: "Nothing to unsubscribe",
  message: "This link doesn't belong to an account. Check that you copied the whole link.",
  link: { href: href.contact(), text: "Contact us" },
};

/**
 * For people, and for mail programs' one-click unsubscription (RFC 8058): without sign-in, from any origin, with any
 * body. The token only allows unsubscribing.
 */
export function unsubscribeRoutes(scope: FastifyInstance, ctx: Context, stylesheet: string): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: 4096 }, (_request, _body, parsed) => parsed(null));
  const schema = { hide: true };
  // Link scanners open every link, so GET changes nothing.
  scope.get<{ Params: { token: string } }>(path, { schema }, async ({ params: { token } }, reply) => {
    const choice = await findChoiceByToken(ctx.db, token);
    if (!choice) return sendPlainPage(ctx, reply, 404, unknown, stylesheet);
    return sendPlainPage(ctx, reply, 200, choice.wanted ? asked : done, stylesheet);
  });
  scope.post<{ Params: { token: string } }>(path, { schema }, async ({ params: { token } }, reply) => {
    const isKnown = await unsubscribe(ctx.db, token, ctx.clock.now());
    return sendPlainPage(ctx, reply, isKnown ? 200 : 404, isKnown ? done : unknown, stylesheet);
  });
}
