import { randomBytes, hash as sha } from "node:crypto";
import cookie from "@fastify/cookie";
import { and, desc, eq, notInArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { viewerHeader } from "#contract/identity/identity.ts";
import { after, DAY, HOUR } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context, Site } from "#server/context/context.ts";
import { batched } from "#server/db/batching.ts";
import { type Db, readStatement } from "#server/db/db.ts";
import type { FinishedSignIn, Person } from "#server/openid/openid.ts";
import { isSecondFactorRequired } from "../second-factor.ts";
import { recordSignIn } from "../sign-ins.ts";
import { type SessionData, sessions, users } from "../tables.ts";
import { roleOf, type User } from "../users.ts";
import { findSeen, mergeIntoSession, type Seeing, stopSeeing } from "./seeing.ts";
import { ofUser } from "./session-ends.ts";

declare module "fastify" {
  interface FastifyRequest {
    signedIn: SignedIn | null | undefined;
    /** Whose token the request carries, instead of a session's cookie. */
    byToken: User | undefined;
  }
}

export interface SignedIn {
  /** The student, while an administrator sees the academy as one. */
  readonly user: User;
  readonly session: SessionData;
  readonly sid: string;
  readonly seeing?: Seeing;
}

const idle = 7 * DAY;
const absolute = 30 * DAY;
export const staffAbsolute = 12 * HOUR;
const touchEvery = 1 * HOUR;
/** Per user: far more than anybody has browsers, so that repeated sign-ins cannot fill the table. */
const mostSessions = 200;

/**
 * `__Host-` binds the cookie to this host. On http the name has the port, so that two academies on one machine do not
 * collide.
 */
export function sessionCookieName({ publicUrl }: Pick<Site, "publicUrl">): string {
  if (publicUrl.startsWith("https:")) return "__Host-academy";
  return `academy-${/:(\d+)$/.exec(publicUrl)?.[1] ?? "80"}`;
}

export function cookieAttributes(ctx: Context) {
  return {
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: ctx.site.publicUrl.startsWith("https:"),
    signed: true,
  } as const;
}

/** The first secret signs; all of them verify. */
export async function acceptCookies(scope: FastifyInstance, secrets: readonly string[]): Promise<void> {
  await scope.register(cookie, { secret: [...secrets] });
  scope.decorateRequest("signedIn", undefined).decorateRequest("byToken", undefined);
}

/** Runs no query for visitors, who have no cookie of ours. @throws Refusal signed-in-as-another. */
export async function findSignedIn(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn | null> {
  if (request.signedIn === undefined) request.signedIn = await readSession(ctx, request, reply);
  requireViewer(request, request.signedIn);
  return request.signedIn;
}

/** A tab that was left open must not act as the user who signed in with the same browser since. */
function requireViewer({ headers }: FastifyRequest, signedIn: SignedIn | null): void {
  const viewerId = headers[viewerHeader];
  if (viewerId === undefined || !signedIn || viewerId === signedIn.user.id) return;
  const { user, seeing } = signedIn;
  const now = seeing ? `seeing the academy as ${user.email} in this browser` : `now signed in as ${user.email}`;
  throw new Refusal("signed-in-as-another", `You're ${now}. Reload this page to continue.`);
}

export function signedInOf(request: FastifyRequest): SignedIn {
  if (!request.signedIn) throw new Refusal("not-signed-in", "Please sign in.");
  return request.signedIn;
}

export function studentOf(request: FastifyRequest): User {
  return request.byToken ?? signedInOf(request).user;
}

/** Always creates a new id. Set the cookie after the transaction of `lockSignIns` has committed. */
export async function openSession(
  ctx: Context,
  tx: Db,
  request: FastifyRequest,
  user: User,
  finished: FinishedSignIn,
): Promise<(reply: FastifyReply) => void> {
  const before = sessionId(ctx, request);
  if (before) await tx.delete(sessions).where(eq(sessions.sid, before));
  const value = await recordSession(ctx, tx, user, finished, request.headers["user-agent"]);
  return (reply) =>
    reply.setCookie(sessionCookieName(ctx.site), value, { ...cookieAttributes(ctx), maxAge: absolute / 1000 });
}

/**
 * Signs a person in without a provider: makes the rows of user, identity and session that a finished sign-in makes, and
 * no account at the issuer.
 * @returns the session's cookie, signed with `secret`
 * @internal for tests in which the sign-in is not the subject
 */
export async function signInDirectly(
  ctx: Pick<Context, "db" | "clock" | "administratorEmails"> & { readonly site: Pick<Site, "publicUrl"> },
  person: Person,
  secret: string,
): Promise<{ readonly name: string; readonly value: string }> {
  const proof = { authenticatedAt: ctx.clock.now(), isAuthenticationTold: true, usedSecondFactor: false };
  const finished = { idToken: "", sid: null, ...proof };
  const value = await ctx.db.transaction(async (tx) =>
    recordSession(ctx, tx, await recordSignIn(ctx, tx, person, proof.usedSecondFactor), finished),
  );
  return { name: sessionCookieName(ctx.site), value: cookie.sign(value, secret) };
}

/** @returns the value of the cookie, not signed yet */
async function recordSession(
  ctx: Pick<Context, "clock" | "administratorEmails">,
  tx: Db,
  user: User,
  { idToken, sid: providerSid, ...proof }: Omit<FinishedSignIn, "person">,
  userAgent = "",
): Promise<string> {
  const value = randomBytes(32).toString("base64url");
  const now = ctx.clock.now();
  const session: SessionData = {
    userId: user.id,
    signedInAt: now.toISOString(),
    ...proofOf(proof),
    lastSeenAt: now.toISOString(),
    idToken,
    ...(providerSid && { providerSid }),
    userAgent: userAgent.slice(0, 300),
  };
  const expire = endOfSession(ctx, withVouchedAddress(user, proof.authenticatedAt), session, now);
  await tx.insert(sessions).values({ sid: hash(value), sess: session, expire });
  await endOldestOf(tx, user.id);
  return value;
}

/** What a sign-in proves, as the session keeps it: whoever refreshes a session writes all of it. */
function proofOf({
  authenticatedAt,
  isAuthenticationTold,
  usedSecondFactor,
}: Pick<FinishedSignIn, "authenticatedAt" | "isAuthenticationTold" | "usedSecondFactor">) {
  return { authenticatedAt: authenticatedAt.toISOString(), isAuthenticationTold, usedSecondFactor };
}

/** The least recently used. */
async function endOldestOf(tx: Db, userId: string): Promise<void> {
  const kept = tx
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(ofUser(userId))
    .orderBy(desc(sql`${sessions.sess} ->> 'lastSeenAt'`))
    .limit(mostSessions);
  await tx.delete(sessions).where(and(ofUser(userId), notInArray(sessions.sid, kept)));
}

export async function closeSession(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SessionData | null> {
  const sid = sessionId(ctx, request);
  reply.clearCookie(sessionCookieName(ctx.site), cookieAttributes(ctx));
  if (!sid) return null;
  const [row] = await ctx.db.delete(sessions).where(eq(sessions.sid, sid)).returning();
  if (row) await stopSeeing(ctx, { sid }, row.sess, "signed out");
  return row?.sess ?? null;
}

async function readSession(ctx: Context, request: FastifyRequest, reply: FastifyReply): Promise<SignedIn | null> {
  const sid = sessionId(ctx, request);
  if (!sid) return null;
  const signedIn = await findSignedInBy(ctx, sid);
  if (!signedIn) reply.clearCookie(sessionCookieName(ctx.site), cookieAttributes(ctx));
  return signedIn;
}

/** Who has the session with this id; null once it has ended. */
export async function findSignedInBy(ctx: Context, sid: string): Promise<SignedIn | null> {
  const now = ctx.clock.now();
  const row = await findSession(ctx.db, sid);
  if (!row || row.expire <= now) return null;
  const user = withVouchedAddress(row.user, new Date(row.session.authenticatedAt));
  const expire = endOfSession(ctx, user, row.session, now);
  if (expire <= now) return null;
  if (now.getTime() - Date.parse(row.session.lastSeenAt) > touchEvery) {
    await mergeIntoSession(ctx.db, sid, { lastSeenAt: now.toISOString() }, { expire });
  }
  const lacksSecondFactor = row.isSecondFactorRequired && !row.session.usedSecondFactor;
  const own = { user: { ...user, lacksSecondFactor }, session: row.session, sid };
  const seen = await findSeen(ctx, { ...own, student: row.student }, now);
  return seen ? { ...own, user: seen.student, seeing: seen.seeing } : own;
}

/**
 * Ignores a confirmation of the address that is newer than the sign-in: an attacker who signed up with somebody's
 * address gains nothing when its owner confirms it.
 */
export function withVouchedAddress(user: User, authenticatedAt: Date): User {
  const isYounger = !user.emailVerifiedAt || authenticatedAt > user.emailVerifiedAt;
  return isYounger ? user : { ...user, emailVerified: false };
}

interface FoundSession {
  readonly user: User;
  readonly session: SessionData;
  readonly expire: Date;
  readonly isSecondFactorRequired: boolean;
  /** Whom an administrator sees the academy as. */
  readonly student: User | null;
}

const student = alias(users, "student");

function findSession(db: Db, sid: string): Promise<FoundSession | null> {
  return batched(db, "identity_session", findEachSession)(sid);
}

async function findEachSession(db: Db, sids: readonly string[]): Promise<(FoundSession | null)[]> {
  const rows = await readStatement(db, "identity_session", (db, name) =>
    db
      .select({
        ...{ sid: sessions.sid, user: users, session: sessions.sess, expire: sessions.expire, student },
        isSecondFactorRequired: isSecondFactorRequired(db),
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sql`${sessions.sess} ->> 'userId'`))
      .leftJoin(student, eq(student.id, sql`${sessions.sess} -> 'seeing' ->> 'userId'`))
      .where(sql`${sessions.sid} = any(${sql.placeholder("sids")})`)
      .prepare(name),
  ).execute({ sids });
  const bySid = new Map(rows.map((row) => [row.sid, row]));
  return sids.map((sid) => bySid.get(sid) ?? null);
}

function endOfSession(ctx: Pick<Context, "administratorEmails">, user: User, session: SessionData, now: Date): Date {
  const longest = roleOf(ctx, user) ? staffAbsolute : absolute;
  const end = after(new Date(session.signedInAt), longest);
  const idleEnd = after(now, idle);
  return idleEnd < end ? idleEnd : end;
}

/** Without a session's cookie that this server has signed. */
export function isAnonymous(ctx: Context, request: FastifyRequest): boolean {
  return sessionId(ctx, request) === null;
}

/** What the session's cookie names; null unless this server has signed it. Runs no query. */
export function sessionId(ctx: { readonly site: Pick<Site, "publicUrl"> }, request: FastifyRequest): string | null {
  const cookie = request.cookies[sessionCookieName(ctx.site)];
  const unsigned = cookie === undefined ? null : request.unsignCookie(cookie);
  return unsigned?.valid ? hash(unsigned.value) : null;
}

function hash(value: string): string {
  return sha("sha256", value, "base64url");
}
