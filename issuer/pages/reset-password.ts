import type { FastifyInstance } from "fastify";
import { clientOf } from "#server/http/client.ts";
import { html } from "#server/http/html.ts";
import { findAccount, resetPassword } from "../accounts.ts";
import { findLink } from "../links.ts";
import { findWeakness } from "../passwords/weak-password.ts";
import { countAttempt } from "../throttle.ts";
import { rememberDevice, secondAfterEnd } from "./browser.ts";
import { field, type Site, sendPage } from "./frame.ts";
import { emailOf, type Issuer, interactionOf, passwordOf, pathTo, textOf } from "./issuer-scope.ts";

/** Pages for a forgotten password: request a link, during a sign-in or without one, then choose a new password. */
export function resetPasswordRoutes(scope: FastifyInstance, issuer: Issuer): void {
  askRoutes(scope, issuer);
  chooseRoutes(scope, issuer);
}

/** A link below a form, back to where the person came from. */
interface Back {
  readonly href: string;
  readonly text: string;
}

function askRoutes(scope: FastifyInstance, issuer: Issuer): void {
  const { db, site, enqueueMail } = issuer;
  const action = `${site.path}/reset-password/ask`;
  const home = { href: site.homeUrl, text: "Back to the academy" };
  const signIn = (uid: string) => ({ href: pathTo(issuer, uid), text: "Back to sign in" });

  async function sendLink(email: string, client: string): Promise<void> {
    await countAttempt(issuer, "mail-client", client);
    await countAttempt(issuer, "mail-account", email);
    await enqueueMail(db, { kind: "reset-password", to: email });
  }

  scope.get("/interaction/:uid/reset-password", async (request, reply) => {
    const { uid } = await interactionOf(issuer, request, reply);
    return sendPage(reply, site, askPage(pathTo(issuer, uid, "reset-password"), signIn(uid)));
  });

  scope.post("/interaction/:uid/reset-password", async (request, reply) => {
    const { uid } = await interactionOf(issuer, request, reply);
    await sendLink(emailOf(request), clientOf(request).key);
    return sendPage(reply, site, sentPage(signIn(uid)));
  });

  scope.get("/reset-password/ask", async (_request, reply) => sendPage(reply, site, askPage(action, home)));

  scope.post("/reset-password/ask", async (request, reply) => {
    await sendLink(emailOf(request), clientOf(request).key);
    return sendPage(reply, site, sentPage(home));
  });
}

function chooseRoutes(scope: FastifyInstance, issuer: Issuer): void {
  const { db, clock, site, logouts, enqueueMail } = issuer;
  const path = "/reset-password";

  scope.get(path, async (request, reply) => {
    const token = String((request.query as { token?: unknown }).token ?? "");
    if (!(await findLink(db, clock, "reset-password", token))) return sendPage(reply, site, usedPage(site), 410);
    return sendPage(reply, site, choosePage(site, token));
  });

  scope.post(path, async (request, reply) => {
    const token = textOf(request, "token");
    const password = passwordOf(request);
    const link = await findLink(db, clock, "reset-password", token);
    const person = link && (await findAccount(db, link.subject));
    if (!person) return sendPage(reply, site, usedPage(site), 410);
    const weakness = findWeakness(password, person);
    if (weakness) return sendPage(reply, site, choosePage(site, token, weakness), 422);

    const account = await resetPassword(db, clock, token, password, enqueueMail);
    if (!account) return sendPage(reply, site, usedPage(site), 410);
    // The link's owner may sign in now, however many wrong passwords were tried.
    rememberDevice(issuer, request, reply, account, secondAfterEnd(account));
    await logouts.deliver(account.subject);
    return reply.redirect(`${site.path}${path}/done`, 303);
  });

  scope.get(`${path}/done`, async (_request, reply) =>
    sendPage(reply, site, {
      title: "Password saved",
      lead: "You can sign in with your new password now.",
      body: html`<p><a class="button" href="${site.homeUrl}">Continue to the academy</a></p>`,
    }),
  );
}

function askPage(to: string, back: Back) {
  return {
    title: "Reset password",
    lead: "Enter your email address, and we'll send you a link to choose a new password.",
    body: html`<form class="form" method="post" action="${to}">
${field({ name: "email", label: "Email", type: "email", autocomplete: "username", autofocus: true })}
<button class="button" type="submit">Send the link</button>
</form>
<nav class="links"><a href="${back.href}">${back.text}</a></nav>`,
  };
}

function sentPage(back: Back) {
  return {
    title: "Check your email",
    lead: "If there's an account with that email address, we've sent it a link. It works for an hour.",
    body: html`<p>Don't see it? Check your spam folder and the email address you entered.</p>
<nav class="links"><a href="${back.href}">${back.text}</a></nav>`,
  };
}

function usedPage({ path, homeUrl }: Site) {
  return {
    title: "Link no longer works",
    lead: "It has already been used, or it's more than an hour old.",
    body: html`<p><a class="button" href="${path}/reset-password/ask">Send a new link</a></p>
<nav class="links"><a href="${homeUrl}">Back to the academy</a></nav>`,
  };
}

function choosePage({ path }: Site, token: string, error?: string) {
  return {
    title: "New password",
    lead: "It replaces your old password, and signs you out on all devices.",
    body: html`<form class="form" method="post" action="${path}/reset-password">
<input type="hidden" name="token" value="${token}">
${field({ name: "password", label: "New password", type: "password", autocomplete: "new-password", hint: "Use at least 10 characters.", error, autofocus: true })}
<button class="button" type="submit">Save password</button>
</form>`,
  };
}
