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

const wrong = "The password is not right.";

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
      lead: "You are signed in here, and nowhere else.",
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
      return refuse({ email: "An account with this address exists." });
    }
    await countAttempt(issuer, "mail-client", clientOf(request).key);
    await countAttempt(issuer, "mail-account", email);
    await enqueueMail(db, { kind: "change-address", to: email, subject: account.subject });
    return sendPage(reply, site, {
      title: "Check your mail",
      lead: "A link is on its way to your new address. It works for a day.",
      body: html`<p>Until you open it, your account keeps the old address.</p>${back(site)}`,
    });
  });
}

function signInPage({ profileUrl }: Site) {
  return {
    title: "Your account",
    lead: "Sign in once more to change your email or password.",
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
<button class="button" type="submit">Change the email</button>
</form>
</section>
<section class="part">
<h2>Password</h2>
<p>A new password signs you out in every other browser.</p>
<form class="form" method="post" action="${action}/password">
${field({ name: "password", label: "Current password", type: "password", autocomplete: "current-password", error: errors.password })}
${field({ name: "newPassword", label: "New password", type: "password", autocomplete: "new-password", hint: "At least 10 characters.", error: errors.newPassword })}
<button class="button" type="submit">Change the password</button>
</form>
</section>
<section class="part">
<h2>Second factor</h2>
<p>${isOn ? "It is on: signing in takes your password and a code." : "A code from an app on your phone, beside your password."}</p>
<p><a class="button" href="${action}/second-factor">${isOn ? "Recovery codes, or turn it off" : "Set up the second factor"}</a></p>
</section>
${back(site)}`;
  return { title: "Your account", lead: "What you sign in with.", body };
}

function back({ profileUrl }: Site): Html {
  return html`<nav class="links"><a href="${profileUrl}">Back to your profile</a></nav>`;
}
