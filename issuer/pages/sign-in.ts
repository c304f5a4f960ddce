import type { FastifyInstance } from "fastify";
import { html } from "#server/http/html.ts";
import { findAccount, findAccountByEmail } from "../accounts.ts";
import { createAccountPage } from "./create-account.ts";
import { alert, field, sendPage } from "./frame.ts";
import { emailOf, type Issuer, interactionOf, passwordOf, pathTo, textOf } from "./issuer-scope.ts";
import { isRightPassword } from "./password-attempt.ts";

/**
 * The first page of an interaction: sign-in by address and password, or in the demo by a button for each demo account.
 */
export function signInRoutes(scope: FastifyInstance, issuer: Issuer): void {
  const { db, site, demoAccounts } = issuer;

  const signInPage = (uid: string, email: string, message?: string) => ({
    title: "Sign in",
    lead: "Continue your course where you left off.",
    body: html`${alert(message)}
<form class="form" method="post" action="${pathTo(issuer, uid)}">
${field({ name: "email", label: "Email", type: "email", autocomplete: "username", value: email, autofocus: !email })}
${field({ name: "password", label: "Password", type: "password", autocomplete: "current-password", autofocus: Boolean(email) })}
<button class="button" type="submit">Sign in</button>
</form>
<nav class="links">
<a href="${pathTo(issuer, uid, "create-account")}">Create account</a>
<a href="${pathTo(issuer, uid, "reset-password")}">Forgot your password?</a>
</nav>
${
  demoAccounts.length > 0 &&
  html`<section class="demo">
<h2>Demo academy</h2>
<p>Sign in as one of these people. You don't need a password.</p>
<form class="demo-list" method="post" action="${pathTo(issuer, uid)}">
${demoAccounts.map((account) => html`<button type="submit" name="demo" value="${account.subject}">Continue as ${account.email}</button>`)}
</form>
</section>`
}`,
  });

  scope.get("/interaction/:uid", async (request, reply) => {
    const { uid, params } = await interactionOf(issuer, request, reply);
    if ("create" in (request.query as object)) return sendPage(reply, site, createAccountPage(issuer, uid));
    return sendPage(reply, site, signInPage(uid, typeof params.login_hint === "string" ? params.login_hint : ""));
  });

  scope.post("/interaction/:uid", async (request, reply) => {
    const { uid, finish } = await interactionOf(issuer, request, reply);
    const chosen = demoAccounts.find((account) => account.subject === textOf(request, "demo"));
    const demo = chosen && (await findAccount(db, chosen.subject));
    if (demo) return finish(demo);

    const email = emailOf(request);
    const password = passwordOf(request);
    const account = await findAccountByEmail(db, email);
    if (!(await isRightPassword(issuer, request, reply, { email, account, password })) || !account) {
      return sendPage(
        reply,
        site,
        signInPage(uid, email, "That email or password isn't right. Please try again."),
        422,
      );
    }
    return finish(account);
  });
}
