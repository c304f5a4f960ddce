import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { clientOf } from "#server/http/client.ts";
import { html } from "#server/http/html.ts";
import { createAccount, findAccountByEmail } from "../accounts.ts";
import { findWeakness } from "../passwords/weak-password.ts";
import { countAttempt, returnAttempt, tryAttempt } from "../throttle.ts";
import { alert, field, sendPage } from "./frame.ts";
import { type Issuer, interactionOf, passwordOf, pathTo, readNewEmail, textOf } from "./issuer-scope.ts";

const name = z
  .string()
  .trim()
  .max(80, "Use at most 80 characters.")
  // The name appears in mails and lists, so it must contain no links or markup.
  .regex(/^[^\p{Cc}<>/\\:@]*$/u, "Leave out special characters.");

const NewAccount = z.object({
  firstName: name.min(1, "Enter your first name."),
  // Some people have one name.
  lastName: name,
});
type Typed = z.infer<typeof NewAccount> & { email: string };
type Errors = Partial<Record<keyof Typed | "password", string>>;

/** Sign-up. Signs the new account in at once; the address is confirmed later by email. */
export function createAccountRoutes(scope: FastifyInstance, issuer: Issuer): void {
  const { db, clock, site, enqueueMail } = issuer;

  scope.get("/interaction/:uid/create-account", async (request, reply) => {
    const { uid } = await interactionOf(issuer, request, reply);
    return sendPage(reply, site, createAccountPage(issuer, uid));
  });

  scope.post("/interaction/:uid/create-account", async (request, reply) => {
    const { uid, finish } = await interactionOf(issuer, request, reply);
    const { typed, person, errors } = await readForm(issuer, request);
    if (!person) return sendPage(reply, site, createAccountPage(issuer, uid, typed, errors), 422);

    await countAttempt(issuer, "taken-client", clientOf(request).key);
    if (await findAccountByEmail(db, person.email)) return sendTaken();
    await countAttempt(issuer, "sign-up-client", clientOf(request).key);
    const mayWrite = await tryAttempt(issuer, "sign-up-account", person.email);
    const account = await createAccount(db, clock, person, mayWrite ? enqueueMail : async () => {});
    if (!account) return sendTaken();
    await returnAttempt(issuer, "taken-client", clientOf(request).key);

    return finish(account);

    function sendTaken() {
      const message = "There's already an account with this email address. Sign in, or reset your password.";
      return sendPage(reply, site, createAccountPage(issuer, uid, typed, {}, message), 422);
    }
  });
}

export function createAccountPage(
  issuer: Issuer,
  uid: string,
  typed: Partial<Typed> = {},
  errors: Errors = {},
  message?: string,
) {
  // Browsers focus the first field with autofocus, so after a mistake this is the first invalid one.
  const isFresh = !message && Object.keys(errors).length === 0;
  return {
    title: "Create account",
    lead: "You'll use it for the course, your purchases, and your progress.",
    body: html`${alert(message)}
<form class="form" method="post" action="${pathTo(issuer, uid, "create-account")}">
<div class="form-pair">
${field({ name: "firstName", label: "First name", autocomplete: "given-name", value: typed.firstName, error: errors.firstName, autofocus: isFresh })}
${field({ name: "lastName", label: "Last name", autocomplete: "family-name", value: typed.lastName, error: errors.lastName, hint: "Leave empty if you don't have one.", isOptional: true })}
</div>
${field({ name: "email", label: "Email", type: "email", autocomplete: "username", value: typed.email, error: errors.email })}
${field({ name: "password", label: "Password", type: "password", autocomplete: "new-password", hint: "Use at least 10 characters.", error: errors.password })}
<button class="button" type="submit">Create account</button>
</form>
<nav class="links">
<span>Already have an account? <a href="${pathTo(issuer, uid)}">Sign in</a></span>
${message && html`<a href="${pathTo(issuer, uid, "reset-password")}">Reset your password</a>`}
</nav>`,
  };
}

async function readForm(issuer: Issuer, request: FastifyRequest) {
  const { typed: typedEmail, email, fault } = await readNewEmail(issuer, request);
  const typed = {
    firstName: textOf(request, "firstName"),
    lastName: textOf(request, "lastName"),
    email: typedEmail,
  };
  const password = passwordOf(request);
  const parsed = NewAccount.safeParse(typed);
  const weakness = findWeakness(password, { ...(parsed.data ?? typed), email });
  if (parsed.success && !fault && !weakness) return { typed, person: { ...parsed.data, email, password }, errors: {} };
  const errors: Errors = { ...(fault && { email: fault }), ...(weakness && { password: weakness }) };
  for (const issue of parsed.error?.issues ?? []) errors[issue.path[0] as keyof Typed] ??= issue.message;
  return { typed, person: null, errors };
}
