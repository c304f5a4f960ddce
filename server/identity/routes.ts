import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { getCurrentUser } from "#contract/identity/identity.ts";
import {
  endOtherSessions as endOtherSessionsCall,
  endSession as endSessionCall,
  listSessions as listSessionsCall,
} from "#contract/identity/sessions.ts";
import type { Context } from "#server/context.ts";
import { plainPage, plainPagePolicy } from "#server/http/plain-page.ts";
import { serve } from "#server/http/serve.ts";
import { Refusal, statusOf } from "#server/refusal.ts";
import { type PendingSignIn, ProviderUnavailable, SignInFailed } from "./openid/openid.ts";
import { safeReturnTo } from "./return-to.ts";
import { endSession, listSessionsOf } from "./sessions/session-list.ts";
import {
  closeSession,
  cookieAttributes,
  endSessionsOf,
  isProofDemanded,
  openSession,
  signedInOf,
  studentOf,
} from "./sessions/sessions.ts";
import { presentUser, recordSignIn } from "./users.ts";

const afterSignIn = "/dashboard";
const pendingSeconds = 600;

/** Sign-in and sign-out: navigations of the browser, open to everyone. */
export function signInRoutes(scope: FastifyInstance, ctx: Context, stylesheet: string | null): void {
  const refuse = (reply: FastifyReply, refusal: Refusal, retry: string) =>
    reply
      .code(statusOf[refusal.code])
      .type("text/html; charset=utf-8")
      .header("content-security-policy", plainPagePolicy)
      .send(
        plainPage(
          { title: "Sign-in did not work", message: refusal.message, link: { href: retry, text: "Try again" } },
          stylesheet,
        ),
      );

  const leave = async (reply: FastifyReply, returnTo: string, again: boolean) => {
    const { url, pending } = await ctx.openId.start(returnTo, { again });
    reply.setCookie(pendingCookieName(pending.state), JSON.stringify(pending), {
      ...cookieAttributes(ctx),
      maxAge: pendingSeconds,
    });
    return reply.redirect(url);
  };

  const start = async (request: FastifyRequest, reply: FastifyReply) => {
    const { returnTo, again } = request.query as { returnTo?: unknown; again?: unknown };
    try {
      return await leave(reply, safeReturnTo(returnTo, afterSignIn), again === "true");
    } catch (error) {
      return refuse(reply, translate(ctx, error), "/api/login");
    }
  };
  scope.get("/api/login", { schema: { hide: true } }, start);
  scope.get("/api/auth/login", { schema: { hide: true } }, start);

  scope.get("/api/auth/callback", { schema: { hide: true } }, async (request, reply) => {
    try {
      const pending = takePending(ctx, request, reply);
      const finished = await ctx.openId.finish(new URL(request.url, ctx.config.publicUrl), pending);
      const user = await recordSignIn(ctx, finished.person);
      // Whoever was signed out from elsewhere does not come back because the provider remembers this browser.
      if (isProofDemanded(user, finished.authenticatedAt)) return await leave(reply, pending.returnTo, true);
      await openSession(ctx, request, reply, user, finished);
      return reply.redirect(pending.returnTo, 303);
    } catch (error) {
      return refuse(reply, translate(ctx, error), "/api/login");
    }
  });

  scope.get("/api/logout", { schema: { hide: true } }, async (request, reply) => {
    // Another site's picture or link must not sign people out.
    if (request.headers["sec-fetch-site"] === "cross-site") return reply.redirect("/", 303);
    const session = await closeSession(ctx, request, reply);
    reply.header("clear-site-data", '"storage"');
    const url = session ? await ctx.openId.signOutUrl(session.idToken).catch(() => null) : null;
    return reply.redirect(url ?? "/", 303);
  });
}

/** The signed-in person's own record and sessions. */
export function identityRoutes(scope: FastifyInstance, ctx: Context): void {
  serve(scope, getCurrentUser, async ({ request }) => presentUser(ctx, studentOf(request)));
  serve(scope, listSessionsCall, ({ request }) => listSessionsOf(ctx, signedInOf(request)));
  serve(scope, endSessionCall, async ({ request, params }) => {
    await endSession(ctx, signedInOf(request), params.id);
    return listSessionsOf(ctx, signedInOf(request));
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
    }),
  );

function pendingCookieName(state: string): string {
  return `academy-sign-in-${state.slice(0, 16)}`;
}

/** What this browser kept when it left for the provider. It serves one callback. */
function takePending(ctx: Context, request: FastifyRequest, reply: FastifyReply): PendingSignIn {
  const { state } = request.query as { state?: unknown };
  if (typeof state !== "string") throw new SignInFailed("state-missing");
  const name = pendingCookieName(state);
  const raw = request.cookies[name];
  if (raw === undefined) throw new SignInFailed("state-unknown");
  reply.clearCookie(name, cookieAttributes(ctx));
  const unsigned = request.unsignCookie(raw);
  // A signature says that the value is ours, not that it belongs under this name.
  const pending = unsigned.valid ? Pending.safeParse(unsigned.value) : null;
  if (!pending?.success) throw new SignInFailed("state-tampered");
  if (pending.data.state !== state) throw new SignInFailed("state-unknown");
  return pending.data;
}

function translate(ctx: Context, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof SignInFailed) {
    ctx.log.warn({ reason: error.reason }, "sign-in refused");
    return new Refusal(
      "sign-in-failed",
      "This sign-in has expired or was started in another window. Please start again.",
    );
  }
  if (error instanceof ProviderUnavailable) {
    ctx.log.error({ err: error }, "the OpenID provider does not answer");
    return new Refusal("unavailable", "Our sign-in service does not answer right now. Please try again in a minute.");
  }
  throw error;
}
