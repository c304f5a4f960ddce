import type { FastifyInstance } from "fastify";
import { href } from "#contract/addresses.ts";
import { chooseAnnouncements, getAnnouncementChoice } from "#contract/announcements.ts";
import type { Context } from "#server/context/context.ts";
import { sendPlainPage } from "#server/http/forms.ts";
import type { PlainPage } from "#server/http/plain-page.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { choose, findChoice, findChoiceByToken, type Topic, unsubscribe, unsubscribePath } from "./choices.ts";

/** Allowed also while the account is on hold or suspended. */
export function announcementChoiceRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getAnnouncementChoice, ({ request }) => findChoice(ctx.db, studentOf(request).id));
  serve(scope, chooseAnnouncements, ({ request, body }) =>
    choose(ctx.db, studentOf(request).id, body, ctx.clock.now()),
  );
}

const topics = { wanted: "news and reminders", answers: "answers to your questions" } as const;
const account = "You'll still get receipts and emails about your account.";
const asked = (topic: Topic): PlainPage => ({
  title: `Unsubscribe from ${topics[topic]}?`,
  message: `If you unsubscribe, we won't email you ${topics[topic]} anymore. ${account}`,
  link: { post: "Unsubscribe" },
});
const done = (topic: Topic): PlainPage => ({
  title: "You are unsubscribed",
  message: `We won't email you ${topics[topic]} anymore. ${account} You can turn these emails back on in your profile.`,
  link: { href: href.home(), text: "Go to Home" },
});
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
  for (const topic of Object.keys(topics) as Topic[]) {
    const path = unsubscribePath(topic);
    // Link scanners open every link, so GET changes nothing.
    scope.get<{ Params: { token: string } }>(path, { schema }, async ({ params: { token } }, reply) => {
      const choice = await findChoiceByToken(ctx.db, token);
      if (!choice) return sendPlainPage(ctx, reply, 404, unknown, stylesheet);
      return sendPlainPage(ctx, reply, 200, choice[topic] ? asked(topic) : done(topic), stylesheet);
    });
    scope.post<{ Params: { token: string } }>(path, { schema }, async ({ params: { token } }, reply) => {
      const isKnown = await unsubscribe(ctx.db, token, topic, ctx.clock.now());
      return sendPlainPage(ctx, reply, isKnown ? 200 : 404, isKnown ? done(topic) : unknown, stylesheet);
    });
  }
}
