import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { href } from "#contract/addresses.ts";
import { beyondMailServer, claimedEmail } from "#contract/email-address.ts";
import {
  getCurrentUser,
  sendConfirmationMail,
  signUpUrl,
  stopSeeing as stopSeeingCall,
} from "#contract/identity/identity.ts";
import {
  endOtherSessions as endOtherSessionsCall,
  endSession as endSessionCall,
  listSessions as listSessionsCall,
} from "#contract/identity/sessions.ts";
import { type PlanNames, Tier } from "#contract/tiers.ts";
import { Refusal, statusOf } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { sendPlainPage } from "#server/http/forms.ts";
import { serve } from "#server/http/serve.ts";
import { noCookie } from "#server/http/standalone-page.ts";
import {
  type FinishedSignIn,
  type PendingSignIn,
  ProviderUnavailable,
  SignInFailed,
  type StartOptions,
} from "#server/openid/openid.ts";
import { leadsToCheckout } from "#server/visits/visits.ts";
import { safeReturnTo } from "./return-to.ts";
import { stopSeeing } from "./sessions/seeing.ts";
import { endSessionsOf, lockSignIns, needsReauthentication, recordLogout } from "./sessions/session-ends.ts";
import { endSession, listSessionsOf } from "./sessions/session-list.ts";
import {
  closeSession,
  cookieAttributes,
  findSignedIn,
  openSession,
  signedInOf,
  studentOf,
  withVouchedAddress,
} from "./sessions/sessions.ts";
import { recordSignIn } from "./sign-ins.ts";
import { findUserByIdentity, listIdentitiesOf, presentUser, roleOf, type User } from "./users.ts";

/** OpenID Connect Back-Channel Logout. */
export const logoutPath = "/api/auth/backchannel-logout";

/** Where the user works or learns. */
async function landingOf(ctx: Context, user: User): Promise<string> {
  const { role, isCoach } = await presentUser(ctx, user);
  return role ? href.admin() : isCoach ? href.coach() : href.dashboard();
}

const pendingSeconds = 600;

export function signInRoutes(scope: FastifyInstance, ctx: Context, stylesheet: string): void {
  const start = async (request: FastifyRequest, reply: FastifyReply) => {
    const { returnTo, again, create } = request.query as Partial<Record<string, unknown>>;
    const how = { again: again === "true", create: create === "true" };
    try {
      return await leave(ctx, request, reply, safeReturnTo(returnTo, ""), how);
    } catch (error) {
      return refuse(ctx, reply, translate(ctx, error, request), stylesheet);
    }
  };
  scope.get("/api/login", { schema: { hide: true } }, start);
  scope.get("/api/auth/login", { schema: { hide: true } }, start);

  scope.get("/api/auth/callback", { schema: { hide: true } }, async (request, reply) => {
    try {
      const pending = takePending(ctx, request, reply);
      const finished = await ctx.openId.finish(new URL(request.url, ctx.site.publicUrl), pending);
      const signedIn = await signIn(ctx, request, finished, pending.again);
      if (!signedIn) return await leave(ctx, request, reply, pending.returnTo, { again: true });
      signedIn.giveCookie(reply);
      countSignIn(ctx, signedIn.user, pending);
      return reply.redirect(pending.returnTo || (await landingOf(ctx, signedIn.user)), 303);
    } catch (error) {
      return refuse(ctx, reply, translate(ctx, error, request), stylesheet);
    }
  });

  scope.get("/api/logout", { schema: { hide: true } }, async (request, reply) => {
    // No image or link of another site, a sibling subdomain included, may sign people out.
    if (["cross-site", "same-site"].includes(String(request.headers["sec-fetch-site"])))
      return reply.redirect("/", 303);
    const session = await closeSession(ctx, request, reply);
    reply.header("clear-site-data", '"storage"');
    const url = session ? await ctx.openId.signOutUrl(session.idToken).catch(() => null) : null;
    return reply.redirect(url ?? "/", 303);
  });
}

async function leave(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  returnTo: string,
  how: Pick<StartOptions, "again" | "create">,
): Promise<FastifyReply> {
  const signedIn = how.again ? await findSignedIn(ctx, request, reply) : null;
  const { url, pending } = await ctx.openId.start(returnTo, {
    ...how,
    email: (signedIn?.seeing?.by ?? signedIn?.user)?.email,
  });
  forgetOldestPending(ctx, request, reply);
  reply.setCookie(pendingCookieName(ctx, pending.state), JSON.stringify(pending), {
    ...cookieAttributes(ctx),
    maxAge: pendingSeconds,
  });
  return reply.redirect(url);
}

function refuse(
  ctx: Context,
  reply: FastifyReply,
  { code, message }: Refusal,
  stylesheet: string,
): Promise<FastifyReply> {
  const link = { href: "/api/login", text: "Try again" };
  return sendPlainPage(ctx, reply, statusOf[code], { title: "Sign-in did not work", message, link }, stylesheet);
}

const ChosenPlan = z.object({
  tier: Tier,
  priceId: z.string().min(1),
  price: z.string().min(1),
  code: z.string().nullable().default(null),
});

/** For a form that was sent before scripts ran. A link, because `form-action` forbids a redirect to another site. */
export function signUpFormRoute(
  scope: FastifyInstance,
  ctx: Context,
  stylesheet: string,
  findPlanNames: (db: Db) => Promise<PlanNames>,
): void {
  scope.post("/signup", { schema: { hide: true } }, async (request, reply) => {
    const { data: plan } = ChosenPlan.safeParse(request.query);
    const name = plan && (await findPlanNames(ctx.db))[plan.tier];
    const returnTo = plan && name ? href.checkout({ ...plan, name }) : href.dashboard();
    const message = name ? `Next, you pay for ${name}.` : "Next, you can choose your plan.";
    const link = { href: signUpUrl(returnTo), text: "Create account" };
    return sendPlainPage(ctx, reply, 200, { title: "Create your account", message, link }, stylesheet);
  });
}

/** Authenticated by the provider's signature, whoever sends it. */
export function logoutRoutes(scope: FastifyInstance, ctx: Context): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 16_000 },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );

  scope.post(logoutPath, { schema: { hide: true } }, async (request, reply) => {
    const token = request.body instanceof URLSearchParams ? request.body.get("logout_token") : null;
    try {
      await recordLogout(ctx, await ctx.openId.readLogout(token ?? ""));
    } catch (error) {
      throw error instanceof SignInFailed || error instanceof ProviderUnavailable ? refusalOfLogout(ctx, error) : error;
    }
    return reply.code(204).send();
  });
}

export function identityRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getCurrentUser, async ({ request }) => {
    const { user, seeing } = signedInOf(request);
    return presentUser(ctx, user, seeing?.endsAt);
  });
  serve(scope, stopSeeingCall, async ({ request }) => {
    const signedIn = signedInOf(request);
    await stopSeeing(ctx, signedIn, signedIn.session, "stopped");
    return { success: true as const };
  });
  serve(scope, listSessionsCall, ({ request }) => listSessionsOf(ctx, signedInOf(request)));
  serve(scope, endSessionCall, async ({ request, params }) => {
    await endSession(ctx, signedInOf(request), params.id);
    return listSessionsOf(ctx, signedInOf(request));
  });
  serve(scope, sendConfirmationMail, async ({ request }) => {
    const user = studentOf(request);
    const [identity] = await listIdentitiesOf(ctx.db, user.id);
    const answer = identity ? await ctx.openId.sendConfirmation(identity).catch(translateOutage) : "not-offered";
    if (answer === "too-often") {
      throw new Refusal(
        "too-many-requests",
        "We've already sent you several links. Check your spam folder, or try again in an hour.",
      );
    }
    if (answer === "not-offered") {
      throw new Refusal(
        "not-allowed",
        "Your sign-in provider confirms your email address, so we can't send you a link.",
      );
    }
    return { sentTo: user.email };
  });
  serve(scope, endOtherSessionsCall, async ({ request }) => {
    const { user, sid } = signedInOf(request);
    await endSessionsOf(ctx.db, user.id, ctx.clock.now(), { except: sid });
    return listSessionsOf(ctx, signedInOf(request));
  });
}

const Pending = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue("not JSON");
      return z.NEVER;
    }
  })
  .pipe(
    z.object({
      state: z.string(),
      verifier: z.string(),
      nonce: z.string(),
      returnTo: z.string(),
      startedAt: z.string(),
      again: z.boolean(),
    }),
  );

/** `__Host-`, because a sibling subdomain could plant a sign-in of its own otherwise. */
function pendingCookieName({ site }: Context, state: string): string {
  const prefix = site.publicUrl.startsWith("https:") ? "__Host-" : "";
  return `${prefix}academy-sign-in-${state.slice(0, 16)}`;
}

/** Whether the browser with these cookies began a sign-in with this state. */
export function hasBegunSignIn(ctx: Context, cookies: string, state: string): boolean {
  const name = pendingCookieName(ctx, state);
  // Any host of the domain can set a cookie whose name merely ends like this.
  return cookies.split(";").some((cookie) => cookie.replace(/^[ \t]+/, "").startsWith(`${name}=`));
}

/**
 * Bytes. Another site could make a browser begin so many sign-ins that its Cookie header exceeds the server's limit.
 */
const mostPending = 2500;

function forgetOldestPending(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  const prefix = pendingCookieName(ctx, "");
  const newestFirst = Object.entries(request.cookies)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, value = ""]) => ({
      name,
      length: name.length + encodeURIComponent(value).length,
      startedAt: Pending.safeParse(request.unsignCookie(value).value).data?.startedAt ?? "",
    }))
    .toSorted((one, other) => other.startedAt.localeCompare(one.startedAt));
  let kept = 0;
  for (const { name, length } of newestFirst) {
    kept += length;
    if (kept > mostPending) reply.clearCookie(name, cookieAttributes(ctx));
  }
}

function takePending(ctx: Context, request: FastifyRequest, reply: FastifyReply): PendingSignIn {
  const { state } = request.query as { state?: unknown };
  if (typeof state !== "string") throw new SignInFailed("state-missing");
  const name = pendingCookieName(ctx, state);
  const raw = request.cookies[name];
  if (raw === undefined) throw new SignInFailed("state-unknown");
  reply.clearCookie(name, cookieAttributes(ctx));
  const unsigned = request.unsignCookie(raw);
  // A signature proves that we made the value, not that it was made for this cookie name.
  const pending = unsigned.valid ? Pending.safeParse(unsigned.value) : null;
  if (!pending?.success) throw new SignInFailed("state-tampered");
  if (pending.data.state !== state) throw new SignInFailed("state-unknown");
  return pending.data;
}

/** Null when the user must authenticate again: signed out elsewhere, or an administrator's address confirmed since. */
async function signIn(ctx: Context, request: FastifyRequest, finished: FinishedSignIn, isAgain: boolean) {
  const { person, authenticatedAt, usedSecondFactor } = finished;
  const isNew = !(await findUserByIdentity(ctx.db, person));
  if (isNew && !(await ctx.mail.canWriteTo(claimedEmail(person.email) ?? "")))
    throw new Refusal("sign-in-failed", beyondMailServer);
  return ctx.db.transaction(async (tx) => {
    const endedAt = await lockSignIns(tx, person);
    if (endedAt && authenticatedAt <= endedAt) return null;
    const user = await recordSignIn(ctx, tx, person, usedSecondFactor);
    if (needsReauthentication(user, authenticatedAt)) return null;
    const lacksRights = roleOf(ctx, user) !== roleOf(ctx, withVouchedAddress(user, authenticatedAt));
    if (lacksRights && !isAgain) return null;
    if (withVouchedAddress(user, authenticatedAt).emailVerified) await claimImported(ctx, tx, user);
    return { user, giveCookie: await openSession(ctx, tx, request, user, finished) };
  });
}

/** A fault of it must keep nobody from signing in. */
async function claimImported(ctx: Context, tx: Db, user: User): Promise<void> {
  await tx
    .transaction((nested) => ctx.claimImported(nested, user))
    .catch((error) => ctx.log.error({ err: error, userId: user.id }, "an import was not claimed"));
}

/** Counts a sign-in on the way to checkout with an existing account. New accounts are counted by their own rows. */
function countSignIn(ctx: Context, user: User, { returnTo, startedAt }: PendingSignIn): void {
  const isNew = user.createdAt >= new Date(startedAt);
  if (leadsToCheckout(returnTo) && !isNew && roleOf(ctx, user) === null) ctx.visits.count("sign-in");
}

function refusalOfLogout(ctx: Context, error: SignInFailed | ProviderUnavailable): Refusal {
  ctx.log.warn({ err: error }, "a logout token was not accepted");
  return error instanceof SignInFailed
    ? new Refusal("malformed-request", "This is no logout token of the sign-in provider.")
    : new Refusal("unavailable", "The sign-in provider's keys cannot be read now.");
}

function translateOutage(error: unknown): never {
  if (error instanceof ProviderUnavailable) {
    throw new Refusal("unavailable", "We can't reach our sign-in service right now. Please try again in a minute.");
  }
  throw error;
}

function translate(ctx: Context, error: unknown, { headers }: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof SignInFailed) {
    ctx.log.warn({ reason: error.reason }, "sign-in refused");
    return new Refusal(
      "sign-in-failed",
      headers.cookie === undefined
        ? noCookie
        : "This sign-in has expired, or you started it in another window. Please sign in again.",
    );
  }
  if (error instanceof ProviderUnavailable) {
    ctx.log.error({ err: error }, "the OpenID provider does not answer");
    return new Refusal("unavailable", "We can't reach our sign-in service right now. Please try again in a minute.");
  }
  throw error;
}
