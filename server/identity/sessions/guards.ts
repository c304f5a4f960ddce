import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { needsFreshSignIn } from "#contract/fresh-sign-in.ts";
import { mayNotSentence, roleMay } from "#contract/permissions.ts";
import type { Role } from "#contract/roles.ts";
import { tokenScopeOf } from "#contract/token-scopes.ts";
import { after, HOUR, SECOND } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
// Declares what a route says of itself: its permission.
import type {} from "#server/http/serve.ts";
import { secondFactorRequired } from "../second-factor.ts";
import { anyRoleOf, roleOf, type User } from "../users.ts";
import { isFresh, requireFreshSignIn } from "./fresh-sign-in.ts";
import { closeSession, findSignedIn, type SignedIn, signedInOf, staffAbsolute, studentOf } from "./sessions.ts";

const reads = new Set(["GET", "HEAD"]);

/** Whoever sees the academy as a student changes nothing, and does not read what only the student may. */
export function refuseWhileSeeing(scope: FastifyInstance, ctx: Context): void {
  scope.addHook("onRequest", async (request, reply) => {
    const rule = request.routeOptions.config.whileSeeing ?? (reads.has(request.method) ? "allowed" : "refused");
    if (rule === "allowed") return;
    // First whose page asks: the administrator's own pages keep what they could not send, and send it again afterwards.
    const signedIn = await findSignedIn(ctx, request, reply);
    if (!signedIn?.seeing) return;
    throw new Refusal(
      "not-allowed",
      `You’re seeing the academy as ${signedIn.user.email}, so you can’t do this. Stop first.`,
    );
  });
}

export function requireSignedIn(scope: FastifyInstance, ctx: Context): void {
  scope.addHook("onRequest", async (request, reply) => {
    if (!(await findSignedIn(ctx, request, reply))) throw new Refusal("not-signed-in", "Please sign in.");
  });
}

interface Guard {
  /** Null for users who may use none of these routes. */
  readonly roleOf: (user: User) => Role | null | Promise<Role | null>;
  /** The message to those users, the same for every route. */
  readonly refusal: string;
}

/**
 * 401 for visitors, 403 without the permission, a required second factor or a recent sign-in. A route that names no
 * permission stops the start.
 */
export function requirePermission(scope: FastifyInstance, ctx: Context, guard: Guard): void {
  scope.addHook("onRoute", ({ method, url, config }) => {
    if (!config?.permission) throw new Error(`${method} ${url} says no permission`);
  });
  scope.addHook("onRequest", async (request, reply) => {
    const { config, method } = request.routeOptions;
    const { permission } = config;
    if (request.byToken) return requireScope(ctx, request, reply, request.byToken);
    const signedIn = await findSignedIn(ctx, request, reply);
    if (!signedIn) throw new Refusal("not-signed-in", "Please sign in.");
    const { lacksSecondFactor, ...user } = signedIn.user;
    const role = await guard.roleOf(user);
    if (!role || !permission) throw new Refusal("not-allowed", guard.refusal);
    await endOfStaff(ctx, signedIn, request, reply);
    if (lacksSecondFactor) throw secondFactorRequired();
    if (!roleMay(role, permission)) throw new Refusal("not-allowed", mayNotSentence(role, permission));
    if (needsFreshSignIn({ ...config, method: String(method) })) await requireFreshSignIn(ctx, signedIn);
  });
}

/** What its creator may not do, a token may not either. @throws Refusal not-allowed. */
function requireScope(ctx: Context, { routeOptions }: FastifyRequest, reply: FastifyReply, creator: User): void {
  const { config, method } = routeOptions;
  const { permission } = config;
  const scope = tokenScopeOf({ ...config, method: String(method) });
  const isInScope = scope !== null && creator.token?.scopes.includes(scope);
  if (isInScope && permission && roleMay(roleOf(ctx, creator), permission)) return;
  reply.header("www-authenticate", `Bearer error="insufficient_scope"${scope ? `, scope="${scope}"` : ""}`);
  throw new Refusal(
    "not-allowed",
    scope ? `This token doesn’t have the scope ${scope}.` : "Tokens can’t be used for this.",
  );
}

/** A coach's session reads what students wrote, so it ends as early as those of team members who may see people. */
async function endOfStaff(ctx: Context, { session }: SignedIn, request: FastifyRequest, reply: FastifyReply) {
  if (ctx.clock.now() < after(new Date(session.signedInAt), staffAbsolute)) return;
  await closeSession(ctx, request, reply);
  throw new Refusal("not-signed-in", "Please sign in.");
}

/** @param options.withCoaches admits coaches who still offer sessions */
export function requireTeam(scope: FastifyInstance, ctx: Context, { withCoaches = false } = {}): void {
  const refusal = "You don't have administrator privileges to access this page.";
  /** At most one entry for each member of the team and each token, with 1,000 addresses of at most 254 bytes: 254 kB each. */
  const peopleListed = new Map<string, PeopleListed>();
  requirePermission(scope, ctx, { roleOf: (user) => (withCoaches ? anyRoleOf : roleOf)(ctx, user), refusal });
  scope.addHook("preSerialization", async (request, reply, payload) => {
    const isRead = request.method === "GET" && reply.statusCode < 400;
    if (isRead) requireFewPeople(request, { answer: payload, peopleListed, now: ctx.clock.now() });
    return payload;
  });
}

/**
 * Against copying people's data, page by page or one by one, with a stolen session or token.
 * @param of.answer may hold people's addresses anywhere
 * @throws Refusal sign-in-again, for a token too-many-requests, beyond `mostPeopleListed` different addresses within an
 * hour
 */
function requireFewPeople(
  request: FastifyRequest,
  of: { readonly answer: unknown; readonly peopleListed: Map<string, PeopleListed>; readonly now: Date },
): void {
  const { answer, peopleListed, now } = of;
  const token = request.byToken?.token;
  if (!token && isFresh(signedInOf(request).session, now)) return;
  const reader = token?.id ?? studentOf(request).id;
  const known = peopleListed.get(reader);
  const listed = known && now < after(known.since, HOUR) ? known : { since: now, addresses: new Set<string>() };
  peopleListed.set(reader, listed);
  for (const address of addressesIn(answer)) {
    if (listed.addresses.size >= mostPeopleListed && !listed.addresses.has(address)) {
      if (token) {
        const retryAfterSeconds = (after(listed.since, HOUR).getTime() - now.getTime()) / SECOND;
        const advice = "This token has read many people’s data within an hour. Download a list instead.";
        throw new Refusal("too-many-requests", advice, { retryAfterSeconds });
      }
      throw new Refusal(
        "sign-in-again",
        "You've opened many people's data in a short time. Sign in again to see more.",
      );
    }
    listed.addresses.add(address);
  }
}

function* addressesIn(value: unknown): Generator<string> {
  if (typeof value === "string") {
    if (/^[^\s@]+@[^\s@]+$/.test(value)) yield value;
  } else if (value !== null && typeof value === "object") {
    for (const part of Object.values(value)) yield* addressesIn(part);
  }
}

const mostPeopleListed = 1000;
interface PeopleListed {
  readonly since: Date;
  readonly addresses: Set<string>;
}
