import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { encodeQR } from "qr";
import { clientOf } from "#server/http/client.ts";
import { Html, html } from "#server/http/html.ts";
import { findAccount } from "../accounts.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  countRecoveryCodes,
  hasSecondFactor,
  redeemCode,
  removeSecondFactor,
} from "../second-factor/second-factor.ts";
import { methods } from "../sign-ins.ts";
import type { Account } from "../tables.ts";
import { countAttempt, forgetAttempts, returnAttempt } from "../throttle.ts";
import { findSession, rememberDevice, secondAfterEnd } from "./browser.ts";
import { field, type Site, sendPage } from "./frame.ts";
import { type Issuer, interactionOf, passwordOf, pathTo, textOf } from "./issuer-scope.ts";
import { isRightPassword, noteFailure } from "./password-attempt.ts";

const wrongCode = "That code isn't right, or it has already been used. Wait for the next code and try again.";

/** The second factor: the code during a sign-in, and the page that turns it on and off. */
export function secondFactorRoutes(scope: FastifyInstance, issuer: Issuer): void {
  codeRoutes(scope, issuer);
  securityRoutes(scope, issuer);
}

function codeRoutes(scope: FastifyInstance, issuer: Issuer): void {
  const { site } = issuer;

  const codePage = (uid: string, error?: string) => ({
    title: "Enter your code",
    lead: "Enter the code from your authenticator app.",
    body: html`<form class="form" method="post" action="${pathTo(issuer, uid, "code")}">
${codeField(error, true)}
<button class="button" type="submit">Sign in</button>
</form>
<nav class="links"><a href="${pathTo(issuer, uid)}">Back to sign in</a></nav>`,
  });

  scope.get("/interaction/:uid/code", async (request, reply) => {
    const { uid, proved } = await interactionOf(issuer, request, reply);
    if (!proved) return reply.redirect(pathTo(issuer, uid), 303);
    return sendPage(reply, site, codePage(uid));
  });

  scope.post("/interaction/:uid/code", async (request, reply) => {
    const { uid, proved, finish } = await interactionOf(issuer, request, reply);
    const account = proved && (await findAccount(issuer.db, proved.subject));
    if (!account || account.passwordChangedAt.toISOString() !== proved.passwordChangedAt) {
      return reply.redirect(pathTo(issuer, uid), 303);
    }
    if (!(await isRightCode(issuer, request, account))) return sendPage(reply, site, codePage(uid, wrongCode), 422);
    return finish(account, { hasShownCode: true });
  });
}

/** Why the typed code does not prove the account's second factor; null when it does, or there is none. */
export async function codeError(issuer: Issuer, request: FastifyRequest, account: Account): Promise<string | null> {
  if (!(await hasSecondFactor(issuer.db, account.subject))) return null;
  return (await isRightCode(issuer, request, account)) ? null : wrongCode;
}

/** For a page that a code protects besides the password. */
export function codeField(error: string | undefined, autofocus = false): Html {
  const hint = "The six digits from your app, or one of your recovery codes.";
  return field({ name: "code", label: "Code", autocomplete: "one-time-code", hint, error, autofocus });
}

/** Counts tries before they are made. The account also has a limit per day, against slow guessing. */
async function isRightCode(issuer: Issuer, request: FastifyRequest, account: Account): Promise<boolean> {
  const client = clientOf(request).key;
  await countAttempt(issuer, "code-client", client);
  await countAttempt(issuer, "code-account", account.subject);
  await countAttempt(issuer, "code-account-day", account.subject);
  if (!(await redeemCode(issuer, account, textOf(request, "code")))) {
    noteFailure(issuer, request, account.email, "code");
    return false;
  }
  await returnAttempt(issuer, "code-client", client);
  await forgetAttempts(issuer, "code-account", account.subject);
  await returnAttempt(issuer, "code-account-day", account.subject);
  return true;
}

function securityRoutes(scope: FastifyInstance, issuer: Issuer): void {
  const { site } = issuer;
  const path = "/account/second-factor";

  scope.get(path, async (request, reply) => {
    const session = await findSession(issuer, request, reply);
    return session ? sendState(issuer, reply, session.account) : sendPage(reply, site, signInPage(site));
  });

  scope.post(`${path}/begin`, async (request, reply) => {
    const account = await findProved(issuer, request, reply);
    if (!account) return reply;
    const begun =
      account.emailVerifiedAt &&
      (await beginSecondFactor(issuer, account, `${site.academy.name} (${new URL(site.url).host})`));
    return begun ? sendPage(reply, site, scanPage(site, begun)) : sendState(issuer, reply, account);
  });

  scope.post(`${path}/confirm`, async (request, reply) => {
    const session = await findSession(issuer, request, reply);
    if (!session) return sendPage(reply, site, signInPage(site), 401);
    await countAttempt(issuer, "code-client", clientOf(request).key);
    const code = textOf(request, "code").replace(/\s/g, "");
    const codes = await confirmSecondFactor(issuer, session.account, code, session);
    const changed = codes && (await findAccount(issuer.db, session.account.subject));
    if (changed) {
      rememberDevice(issuer, request, reply, changed, secondAfterEnd(changed));
      await session.renew(changed, methods.passwordAndCode);
      await issuer.logouts.deliver(changed.subject);
      return sendPage(reply, site, recoveryPage(site, codes));
    }
    // Never shows the key again, so that a stolen session does not reveal it.
    const again = { title: "Scan this code", lead: "Please try again.", body: confirmForm(site, wrongCode) };
    return sendPage(reply, site, again, 422);
  });

  scope.post(`${path}/off`, async (request, reply) => {
    const session = await findSession(issuer, request, reply);
    const account = await findProved(issuer, request, reply);
    if (!session || !account) return reply;
    const error = await codeError(issuer, request, account);
    if (error) return sendState(issuer, reply, account, { code: error });
    await removeSecondFactor(issuer, account, session);
    const changed = await findAccount(issuer.db, account.subject);
    if (!changed) return sendPage(reply, site, signInPage(site), 401);
    rememberDevice(issuer, request, reply, changed, secondAfterEnd(changed));
    await session.renew(changed, methods.password);
    await issuer.logouts.deliver(changed.subject);
    return sendState(issuer, reply, changed);
  });
}

/** The session's account, once its password was typed. Null when a reply was sent. */
async function findProved(issuer: Issuer, request: FastifyRequest, reply: FastifyReply): Promise<Account | null> {
  const account = (await findSession(issuer, request, reply))?.account ?? null;
  if (!account) {
    await sendPage(reply, issuer.site, signInPage(issuer.site), 401);
    return null;
  }
  const password = passwordOf(request);
  if (await isRightPassword(issuer, request, reply, { email: account.email, account, password })) return account;
  await sendState(issuer, reply, account, { password: "That password isn't right. Please try again." });
  return null;
}

async function sendState(
  { db, site }: Issuer,
  reply: FastifyReply,
  { subject, email, emailVerifiedAt }: Account,
  errors: Errors = {},
): Promise<FastifyReply> {
  const isOn = await hasSecondFactor(db, subject);
  const whenOff = emailVerifiedAt ? offPage(site, errors) : unconfirmedPage(site, email);
  const content = isOn ? onPage(site, await countRecoveryCodes(db, subject), errors) : whenOff;
  return sendPage(reply, site, content, errors.password || errors.code ? 422 : 200);
}

const title = "Second factor";

function signInPage({ profileUrl }: Site) {
  return {
    title,
    lead: "Sign in again to change how you sign in.",
    body: html`<p><a class="button" href="${profileUrl}">Sign in</a></p>`,
  };
}

interface Errors {
  readonly password?: string;
  readonly code?: string;
}

function onPage(site: Site, codesLeft: number, errors: Errors) {
  return {
    title,
    lead: "It's on. You need your password and a code to sign in.",
    body: html`<p>${codesLeft === 1 ? "1 recovery code is" : `${codesLeft} recovery codes are`} left. For new ones, turn it off and on again.</p>
<p>Turning it off signs you out in all other browsers.</p>
${passwordForm(site, "off", "Turn it off", errors, codeField(errors.code))}${back(site)}`,
  };
}

function offPage(site: Site, errors: Errors) {
  return {
    title,
    lead: "It's off. You need only your password to sign in.",
    body: html`<p>With a second factor, you also enter a code from an app on your phone. Nobody can sign in with a stolen password alone.</p>
<p>Turning it on signs you out in all other browsers.</p>
${passwordForm(site, "begin", "Turn it on", errors)}${back(site)}`,
  };
}

/** Otherwise a stranger could lock the owner of a mistyped address out. */
function unconfirmedPage(site: Site, email: string) {
  return {
    title,
    lead: "Confirm your email address first.",
    body: html`<p>We sent a link to ${email}. Open it, then come back to this page.</p>
<form class="form" method="post" action="${site.path}/confirm-address/again">
<input type="hidden" name="email" value="${email}">
<button class="button" type="submit">Send a new link</button>
</form>${back(site)}`,
  };
}

function scanPage(site: Site, { url, key }: { readonly url: string; readonly key: string }) {
  return {
    title: "Scan this code",
    lead: "Use an authenticator app on your phone, then enter the code it shows.",
    body: html`<div class="qr" role="img" aria-label="QR code with the key below">${new Html(encodeQR(url, "svg", { ecc: "low", border: 4 }))}</div>
<p>Can't scan it? Enter this key in the app:</p>
<p class="key">${key.replace(/(.{4})(?=.)/g, "$1 ")}</p>
${confirmForm(site)}`,
  };
}

function recoveryPage({ profileUrl }: Site, codes: readonly string[]) {
  return {
    title: "Your second factor is on",
    lead: "Save these recovery codes where you can find them without your phone.",
    body: html`<p>If you don't have your app at hand, each code signs you in once. We show them only now.</p>
<ol class="codes">${codes.map((code) => html`<li>${code}</li>`)}</ol>
<p><a class="button" href="${profileUrl}">I've saved them</a></p>`,
  };
}

function passwordForm({ path }: Site, to: string, label: string, { password: error }: Errors, more?: Html): Html {
  return html`<form class="form" method="post" action="${path}/account/second-factor/${to}">
${field({ name: "password", label: "Password", type: "password", autocomplete: "current-password", error })}
${more ?? ""}
<button class="button" type="submit">${label}</button>
</form>`;
}

function confirmForm({ path }: Site, error?: string): Html {
  return html`<form class="form" method="post" action="${path}/account/second-factor/confirm">
${field({ name: "code", label: "Code", autocomplete: "one-time-code", hint: "The six digits your app shows.", error, autofocus: error !== undefined })}
<button class="button" type="submit">Turn it on</button>
</form>
<nav class="links"><a href="${path}/account/second-factor">Start over</a></nav>`;
}

function back({ path, profileUrl }: Site): Html {
  return html`<nav class="links"><a href="${path}/account">Your account</a><a href="${profileUrl}">Back to your profile</a></nav>`;
}
