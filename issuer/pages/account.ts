import type { FastifyInstance } from "fastify";
import { clientOf } from "#server/http/client.ts";
import { type Html, html } from "#server/http/html.ts";
import { changePassword, findAccountByEmail } from "../accounts.ts";
import { findWeakness } from "../passwords/weak-password.ts";
import { hasSecondFactor } from "../second-factor/second-factor.ts";
import type { Account } from "../tables.ts";
import { countAttempt } from "../throttle.ts";
import { findSession, rememberDevice, secondAfterEnd } from "./browser.ts";
import { field, type Site, sendPage } from "./frame.ts";
import { type Issuer, passwordOf, readNewEmail } from "./issuer-scope.ts";
import { isRightPassword } from "./password-attempt.ts";
import { codeError, codeField } from "./second-factor.ts";

type Errors = Partial<Record<"password" | "newPassword" | "email" | "emailPassword" | "code", string>>;

const wrong = "That password isn't right. Please try again.";

/** Pages where a signed-in person changes the password or the address. Both ask for the current password. */
export function accountRoutes(scope: FastifyInstance, issuer: Issuer): void {
  const { site } = issuer;
  scope.get("/account", async (request, reply) => {
    const session = await findSession(issuer, request, reply);
    return sendPage(reply, site, session ? await accountPage(issuer, session.account) : signInPage(site));
  });
  passwordRoutes(scope, issuer);
  emailRoute(scope, issuer);
}

function passwordRoutes(scope: FastifyInstance, issuer: Issuer): void {
  const { db, clock, site, logouts, enqueueMail } = issuer;

  scope.post("/account/password", async (request, reply) => {
    const session = await findSession(issuer, request, reply);
    if (!session) return sendPage(reply, site, signInPage(site), 401);
    const { account } = session;
    const password = passwordOf(request);
    const newPassword = passwordOf(request, "newPassword");
    const refuse = async (errors: Errors) => sendPage(reply, site, await accountPage(issuer, account, "", errors), 422);
    const weakness = findWeakness(newPassword, account);
    if (weakness) return refuse({ newPassword: weakness });
    if (!(await isRightPassword(issuer, request, reply, { email: account.email, account, password }))) {
      return refuse({ password: wrong });
    }
    const changed = await changePassword(db, clock, account, newPassword, session, enqueueMail);
    if (!changed) return sendPage(reply, site, signInPage(site), 401);
    rememberDevice(issuer, request, reply, changed, secondAfterEnd(changed));
    await session.renew(changed);
    await logouts.deliver(changed.subject);
    return reply.redirect(`${site.path}/account/password-changed`, 303);
  });

  scope.get("/account/password-changed", async (_request, reply) =>
    sendPage(reply, site, {
      title: "Password changed",
      lead: "You're still signed in here. We signed you out on all other devices.",
      body: html`<p><a class="button" href="${site.profileUrl}">Back to your profile</a></p>`,
    }),
  );
}

function emailRoute(scope: FastifyInstance, issuer: Issuer): void {
  const { db, site, enqueueMail } = issuer;
  scope.post("/account/email", async (request, reply) => {
    const session = await findSession(issuer, request, reply);
    if (!session) return sendPage(reply, site, signInPage(site), 401);
    const { account } = session;
    const { typed, email, fault } = await readNewEmail(issuer, request);
    const password = passwordOf(request);
    const refuse = async (errors: Errors) =>
      sendPage(reply, site, await accountPage(issuer, account, typed, errors), 422);
    if (fault) return refuse({ email: fault });
    if (!(await isRightPassword(issuer, request, reply, { email: account.email, account, password }))) {
      return refuse({ emailPassword: wrong });
    }
    const code = await codeError(issuer, request, account);
    if (code) return refuse({ code });
    await countAttempt(issuer, "taken-client", clientOf(request).key);
    const holder = await findAccountByEmail(db, email);
    if (holder && holder.subject !== account.subject) {
      return refuse({ email: "Another account already uses this email address." });
    }
    await countAttempt(issuer, "mail-client", clientOf(request).key);
    await countAttempt(issuer, "mail-account", email);
    await enqueueMail(db, { kind: "change-address", to: email, subject: account.subject });
    return sendPage(reply, site, {
      title: "Check your email",
      lead: "We've sent a link to your new email address. It works for 24 hours.",
      body: html`<p>Until you open it, your account keeps the old one.</p>${back(site)}`,
    });
  });
}

function signInPage({ profileUrl }: Site) {
  return {
    title: "Your account",
    lead: "Sign in again to change your email or password.",
    body: html`<p><a class="button" href="${profileUrl}">Sign in</a></p>`,
  };
}

async function accountPage({ db, site }: Issuer, account: Account, typedEmail = "", errors: Errors = {}) {
  const { email, emailVerifiedAt, subject } = account;
  const action = `${site.path}/account`;
  const isOn = await hasSecondFactor(db, subject);
  const body = html`<section class="part">
<h2>Email</h2>
<p>${email}${!emailVerifiedAt && " (not confirmed)"}</p>
<form class="form" method="post" action="${action}/email">
${field({ name: "email", label: "New email", type: "email", autocomplete: "email", value: typedEmail, error: errors.email })}
${field({ id: "email-password", name: "password", label: "Password", type: "password", autocomplete: "current-password", error: errors.emailPassword })}
${isOn ? codeField(errors.code) : ""}
<button class="button" type="submit">Change email</button>
</form>
</section>
<section class="part">
<h2>Password</h2>
<p>Changing your password signs you out in all other browsers.</p>
<form class="form" method="post" action="${action}/password">
${field({ name: "password", label: "Current password", type: "password", autocomplete: "current-password", error: errors.password })}
${field({ name: "newPassword", label: "New password", type: "password", autocomplete: "new-password", hint: "Use at least 10 characters.", error: errors.newPassword })}
<button class="button" type="submit">Change password</button>
</form>
</section>
<section class="part">
<h2>Second factor</h2>
<p>${isOn ? "It's on. You need your password and a code to sign in." : "Sign in with your password and a code from an app on your phone."}</p>
<p><a class="button" href="${action}/second-factor">${isOn ? "Manage the second factor" : "Set up second factor"}</a></p>
</section>
${back(site)}`;
  return { title: "Your account", lead: "Manage how you sign in.", body };
}

function back({ profileUrl }: Site): Html {
  return html`<nav class="links"><a href="${profileUrl}">Back to your profile</a></nav>`;
}
