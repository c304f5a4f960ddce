import type { FastifyReply, FastifyRequest } from "fastify";
import { errors } from "oidc-provider";
import { beyondMailServer, emailFault, invalidEmail, storedEmail } from "#contract/email-address.ts";
import { html } from "#server/http/html.ts";
import type { DemoAccount } from "../accounts.ts";
import type { Logouts } from "../logouts.ts";
import type { EnqueueMail } from "../mails.ts";
import { hasSecondFactor } from "../second-factor/second-factor.ts";
import { createPrompt, methods, recordSignIn } from "../sign-ins.ts";
import type { Account } from "../tables.ts";
import type { ThrottleScope } from "../throttle.ts";
import { type BrowserScope, rememberDevice } from "./browser.ts";
import { sendPage } from "./frame.ts";

/** People need a while to find their phone. */
const proofTime = 10 * 60_000;

/** The dependencies of the pages. */
export interface Issuer extends BrowserScope, ThrottleScope {
  readonly demoAccounts: readonly DemoAccount[];
  readonly logouts: Logouts;
  /** Whether the address must be confirmed before it can sign in, because its owner is an administrator. */
  isReserved(email: string): boolean;
  canWriteTo(email: string): Promise<boolean>;
  /** Enqueues a mail whether or not the address has an account, so that the response time does not reveal it. */
  readonly enqueueMail: EnqueueMail;
  readonly onFailedSignIn: () => void;
  /** The first encrypts what is stored; all of them decrypt. */
  readonly secrets: readonly string[];
}

/** A sign-in with a proved password that still needs the second factor. */
interface Proof {
  readonly subject: string;
  /** ISO 8601, both. When the typed password was set. */
  readonly passwordChangedAt: string;
  readonly provedAt: string;
}

interface OpenInteraction {
  readonly uid: string;
  /** The parameters of the authorization request. */
  readonly params: Record<string, unknown>;
  /**
   * The account whose password this browser has proved within ten minutes, and whose second factor is missing. Null:
   * none.
   */
  readonly proved: Proof | null;
  /**
   * Signs the person in and redirects the browser to the client. Shows another page instead while a reserved address
   * is unconfirmed, or a second factor is missing.
   * @throws errors.SessionNotFound when the password was changed since the account was read
   */
  finish(account: Account, how?: { readonly hasShownCode: true }): Promise<FastifyReply>;
}

/**
 * The authorization request that this browser has begun.
 * @throws errors.SessionNotFound when it has expired or began in another browser
 */
export async function interactionOf(
  issuer: Issuer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<OpenInteraction> {
  const { db, clock, provider } = issuer;
  const interaction = await provider.interactionDetails(request.raw, reply.raw);
  const { uid, params } = interaction;
  if (uid !== (request.params as { uid?: string }).uid) throw new errors.SessionNotFound("another interaction");
  const { proof = null } = (interaction.result ?? {}) as { proof?: Proof };
  const isRecent = proof && clock.now().getTime() - Date.parse(proof.provedAt) < proofTime;
  const askForCode = async ({ subject, passwordChangedAt }: Account) => {
    const provedAt = clock.now().toISOString();
    interaction.result = { proof: { subject, passwordChangedAt: passwordChangedAt.toISOString(), provedAt } };
    await interaction.save(Math.max(1, interaction.exp - Math.floor(Date.now() / 1000)));
    return reply.header("cache-control", "no-store").redirect(pathTo(issuer, uid, "code"), 303);
  };
  const finish = async (account: Account, how?: { readonly hasShownCode: true }) => {
    if (!how && (await hasSecondFactor(db, account.subject))) return askForCode(account);
    const ts = await recordSignIn(db, clock, account);
    if (ts === null) throw new errors.SessionNotFound("the password was changed meanwhile");
    rememberDevice(issuer, request, reply, account, ts);
    if (!account.emailVerifiedAt && issuer.isReserved(account.email)) return sendConfirmFirst(issuer, reply, account);
    const amr = how ? methods.passwordAndCode : methods.password;
    const result = { login: { accountId: account.subject, remember: true, amr, ts }, [createPrompt]: {} };
    const next = await provider.interactionResult(request.raw, reply.raw, result, { mergeWithLastSubmission: false });
    return reply.header("cache-control", "no-store").redirect(next, 303);
  };
  return { uid, params, proved: isRecent ? proof : null, finish };
}

function sendConfirmFirst({ site }: Issuer, reply: FastifyReply, { email }: Account): FastifyReply {
  const content = {
    title: "Confirm your email address",
    lead: "Confirm your email address before you sign in.",
    body: html`<p>We sent a link to ${email}. Open it, then sign in.</p>
<form class="form" method="post" action="${site.path}/confirm-address/again">
<input type="hidden" name="email" value="${email}">
<button class="button" type="submit">Send a new link</button>
</form>
<nav class="links"><a href="${site.homeUrl}">Back to the academy</a></nav>`,
  };
  return sendPage(reply, site, content, 403);
}

export function pathTo({ site }: Issuer, uid: string, ...rest: string[]): string {
  return [site.path, "interaction", encodeURIComponent(uid), ...rest].join("/");
}

/** Whole: a password over the limit must be refused, and a cut one would be accepted. */
export function passwordOf(request: FastifyRequest, name = "password"): string {
  return textOf(request, name, Number.POSITIVE_INFINITY);
}

/** A typed address in the stored form. As typed, when it is no address. */
export function emailOf(request: FastifyRequest): string {
  const typed = textOf(request, "email", 512).trim();
  return storedEmail(typed) ?? typed;
}

/** An address for an account, as typed and in the stored form. `fault`: why no account can have it. */
export async function readNewEmail(issuer: Issuer, request: FastifyRequest) {
  const [typed, email] = [textOf(request, "email", 512), emailOf(request)];
  const fault = emailFault(typed) ?? ((await issuer.canWriteTo(email)) ? null : beyondMailServer);
  return { typed, email, fault: fault === invalidEmail ? "Enter an address like name@example.com." : fault };
}

/** A field of a posted form, cut to `maxLength` characters. Empty when absent. */
export function textOf(request: FastifyRequest, name: string, maxLength = 254): string {
  const body = (request.body ?? {}) as Record<string, unknown>;
  const value = body[name];
  return typeof value === "string" ? value.slice(0, maxLength) : "";
}
