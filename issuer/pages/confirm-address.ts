import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { clientOf } from "#server/http/client.ts";
import { type Html, html } from "#server/http/html.ts";
import { changeAddress, confirmAddress, findAccount } from "../accounts.ts";
import { createLink, findLink } from "../links.ts";
import type { Account } from "../tables.ts";
import { countAttempt } from "../throttle.ts";
import { type BrowserSession, findDevice, findSession, rememberDevice, secondAfterEnd } from "./browser.ts";
import { field, type Site, sendPage } from "./frame.ts";
import { emailOf, type Issuer, passwordOf, textOf } from "./issuer-scope.ts";
import { isRightPassword } from "./password-attempt.ts";

/** What a mailed link confirms: the account's address, or its new one. */
interface Confirmation {
  readonly path: string;
  readonly purpose: "confirm-address" | "change-address";
  readonly title: string;
  readonly lead: string;
  readonly button: string;
  /** Afterwards the link is used up; whatever else happens, `session` goes on. */
  confirm(token: string, session: BrowserSession | null): Promise<Account | "taken" | null>;
}

/**
 * Confirms an address. Needs a press of the button, because mail scanners open every link, and a browser that has
 * signed in to the account, or its password: with the mailbox alone, owners would confirm their address for a
 * stranger's account.
 */
export function confirmAddressRoutes(scope: FastifyInstance, issuer: Issuer): void {
  const { db, clock, enqueueMail } = issuer;
  confirmationRoutes(scope, issuer, {
    path: "/confirm-address",
    purpose: "confirm-address",
    title: "Confirm your email address",
    lead: "We'll send your receipts and emails about your account there.",
    button: "Confirm my email address",
    confirm: (token, session) => confirmAddress(db, clock, token, session),
  });
  newPasswordRoute(scope, issuer);
  newLinkRoute(scope, issuer);
  confirmationRoutes(scope, issuer, {
    path: "/change-address",
    purpose: "change-address",
    title: "Confirm your new email address",
    lead: "You'll use it to sign in from now on.",
    button: "Confirm my new email address",
    confirm: (token, session) => changeAddress(db, clock, token, session, enqueueMail),
  });
}

function confirmationRoutes(scope: FastifyInstance, issuer: Issuer, confirmation: Confirmation): void {
  const { site } = issuer;
  const { path, purpose, confirm } = confirmation;
  const usedPage = purpose === "confirm-address" ? usedConfirmationPage(site) : usedChangePage(site);

  scope.get(path, async (request, reply) => {
    const token = String((request.query as { token?: unknown }).token ?? "");
    const account = await accountOf(issuer, purpose, token);
    if (!account) return sendPage(reply, site, usedPage, 410);
    const isKnown = findDevice(issuer, request, reply, account) !== null;
    return sendPage(reply, site, confirmPage(site, confirmation, token, { isKnown }));
  });

  scope.post(path, async (request, reply) => {
    const token = textOf(request, "token");
    const account = await accountOf(issuer, purpose, token);
    if (!account) return sendPage(reply, site, usedPage, 410);
    const error = await proofError(issuer, request, reply, account);
    if (error) return sendPage(reply, site, confirmPage(site, confirmation, token, { isKnown: false, error }), 422);
    const session = await findOwnSession(issuer, request, reply, account);
    const confirmed = await confirm(token, session);
    if (!confirmed) return sendPage(reply, site, usedPage, 410);
    if (confirmed === "taken") return sendPage(reply, site, takenPage(site), 409);
    rememberDevice(issuer, request, reply, confirmed, secondAfterEnd(confirmed));
    await session?.renew(confirmed);
    await issuer.logouts.deliver(confirmed.subject);
    const done = `${site.path}${path}/done`;
    return reply.redirect(session ? site.signInUrl(done) : done, 303);
  });

  scope.get(`${path}/done`, async (_request, reply) =>
    sendPage(reply, site, {
      title: "Email address confirmed",
      lead: "Thanks! We'll send your receipts and emails about your account there.",
      body: html`<p><a class="button" href="${site.homeUrl}">Continue to the academy</a></p>`,
    }),
  );
}

/** Whoever has the link reads the account's mail, which is all that a password reset needs. */
function newPasswordRoute(scope: FastifyInstance, issuer: Issuer): void {
  const { db, clock, site } = issuer;
  scope.post("/confirm-address/new-password", async (request, reply) => {
    await countAttempt(issuer, "link-client", clientOf(request).key);
    const account = await accountOf(issuer, "confirm-address", textOf(request, "token"));
    if (!account) return sendPage(reply, site, usedConfirmationPage(site), 410);
    const token = await createLink(db, clock, "reset-password", account.subject);
    return reply.redirect(`${site.path}/reset-password?token=${token}`, 303);
  });
}

function newLinkRoute(scope: FastifyInstance, issuer: Issuer): void {
  const { site } = issuer;
  scope.post("/confirm-address/again", async (request, reply) => {
    const email = emailOf(request);
    await countAttempt(issuer, "mail-client", clientOf(request).key);
    await orderConfirmation(issuer, email);
    return sendPage(reply, site, {
      title: "Check your email",
      lead: "If this email address still needs to be confirmed, we've sent it a new link.",
      body: home(site),
    });
  });
}

async function accountOf(
  { db, clock }: Issuer,
  purpose: Confirmation["purpose"],
  token: string,
): Promise<Account | null> {
  const link = await findLink(db, clock, purpose, token);
  return link && findAccount(db, link.subject);
}

/** Why this browser does not prove the account. Null when it has signed in to it, or its password was typed. */
async function proofError(
  issuer: Issuer,
  request: FastifyRequest,
  reply: FastifyReply,
  account: Account,
): Promise<string | null> {
  if (findDevice(issuer, request, reply, account)) return null;
  const password = passwordOf(request);
  if (!password) return "Enter your account's password.";
  const isRight = await isRightPassword(issuer, request, reply, { email: account.email, account, password });
  return isRight ? null : "That password isn't right. Please try again.";
}

async function findOwnSession(issuer: Issuer, request: FastifyRequest, reply: FastifyReply, { subject }: Account) {
  const session = await findSession(issuer, request, reply);
  return session?.account.subject === subject ? session : null;
}

function confirmPage(
  site: Site,
  { path, purpose, title, lead, button }: Confirmation,
  token: string,
  { isKnown, error }: { readonly isKnown: boolean; readonly error?: string },
) {
  const action = `${site.path}${path}`;
  const body = html`<form class="form" method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
${!isKnown && field({ name: "password", label: "Password", type: "password", autocomplete: "current-password", hint: "We ask for your account's password to make sure it's you.", error })}
<button class="button" type="submit">${button}</button>
</form>
${
  !isKnown &&
  purpose === "confirm-address" &&
  html`<form class="links" method="post" action="${action}/new-password">
<input type="hidden" name="token" value="${token}">
<button class="link-button" type="submit">Forgot the password, or didn't create this account? Choose a new password</button>
</form>`
}`;
  return { title, lead, body };
}

function usedConfirmationPage(site: Site) {
  return {
    title: "Link no longer works",
    lead: "It has already been used, or it's more than a day old.",
    body: html`<p>If you haven't confirmed your email address yet, we can send you a new link.</p>
<form class="form" method="post" action="${site.path}/confirm-address/again">
${field({ name: "email", label: "Email", type: "email", autocomplete: "username" })}
<button class="button" type="submit">Send a new link</button>
</form>
${home(site)}`,
  };
}

function usedChangePage(site: Site) {
  return {
    title: "Link no longer works",
    lead: "It has already been used, or it's more than a day old.",
    body: home(site),
  };
}

function takenPage(site: Site) {
  return {
    title: "Email address already in use",
    lead: "Another account now uses this email address. Your account keeps the old one.",
    body: home(site),
  };
}

function home({ homeUrl }: Site): Html {
  return html`<nav class="links"><a href="${homeUrl}">Back to the academy</a></nav>`;
}

/**
 * Enqueues a new confirmation link. It is mailed only when an account has the address and has not confirmed it.
 * @throws Refusal too-many-requests
 */
export async function orderConfirmation(issuer: Issuer, email: string): Promise<void> {
  await countAttempt(issuer, "confirmation-account", email);
  await issuer.enqueueMail(issuer.db, { kind: "confirm-address", to: email });
}
