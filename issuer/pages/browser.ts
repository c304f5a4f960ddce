import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Provider } from "oidc-provider";
import { type Clock, DAY } from "#server/base/clock.ts";
import type { Db } from "#server/db/db.ts";
import { findAccount } from "../accounts.ts";
import { sessionPath } from "../cookies.ts";
import { type Device, readDevices, writeDevices } from "../devices.ts";
import { type KeptSession, recordSignIn, sessionSeconds } from "../sign-ins.ts";
import type { Account } from "../tables.ts";
import type { Site } from "./frame.ts";

/** The longest that browsers keep a cookie. */
const deviceLifetime = 400 * DAY;

/** What is needed to recognize a browser. */
export interface BrowserScope {
  readonly db: Db;
  readonly clock: Clock;
  readonly provider: Provider;
  readonly site: Site;
  /** The one relying party. */
  readonly clientId: string;
}

export interface BrowserSession extends KeptSession {
  readonly account: Account;
  /**
   * Keeps the session after the account's other sign-ins were ended, with a new id and the time of now.
   * @param methods what the person has just proved the account by; by default what they signed in by
   */
  renew(account: Account, methods?: readonly string[]): Promise<void>;
}

/** Null when nobody is signed in at the issuer in this browser. */
export async function findSession(
  scope: BrowserScope,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<BrowserSession | null> {
  const { db, clock, provider, site, clientId } = scope;
  const context = contextOf(scope, request, reply);
  const session = await provider.Session.get(context);
  const account = session.accountId ? await findAccount(db, session.accountId) : null;
  if (!account) return null;
  return {
    account,
    uid: session.uid,
    sid: session.sidFor(clientId) ?? null,
    async renew(changed, methods = session.amr) {
      const loginTs = await recordSignIn(db, clock, changed);
      if (loginTs === null) return;
      session.loginAccount({ accountId: account.subject, loginTs, ...(methods && { amr: [...methods] }) });
      session.resetIdentifier();
      await session.save(sessionSeconds);
      context.cookies.set(provider.cookieName("session"), session.jti, {
        ...attributes(sessionPath(site)),
        maxAge: sessionSeconds * 1000,
      });
    },
  };
}

/** A browser is a device of an account when it has signed in to it since the account's sign-ins were last ended. */
export function findDevice(
  scope: BrowserScope,
  request: FastifyRequest,
  reply: FastifyReply,
  account: Account,
): Device | null {
  const value = contextOf(scope, request, reply).cookies.get(deviceCookie(scope), { signed: true });
  const ended = (account.signInsEndedAt?.getTime() ?? 0) / 1000;
  return (
    readDevices(value).find(({ subject, signedInAt }) => subject === account.subject && signedInAt > ended) ?? null
  );
}

/** Records in the browser's cookie that it has signed in to the account. */
export function rememberDevice(
  scope: BrowserScope,
  request: FastifyRequest,
  reply: FastifyReply,
  { subject }: Account,
  signedInAt: number,
): void {
  const { cookies } = contextOf(scope, request, reply);
  const before = readDevices(cookies.get(deviceCookie(scope), { signed: true }));
  const id = before.find((device) => device.subject === subject)?.id ?? randomBytes(16).toString("base64url");
  cookies.set(deviceCookie(scope), writeDevices(before, { subject, id, signedInAt }), {
    ...attributes(scope.site.path),
    maxAge: deviceLifetime,
  });
}

/** The time for a device that proved the account other than by its password, while the sign-ins were being ended. */
export function secondAfterEnd({ signInsEndedAt }: Account): number {
  return (signInsEndedAt?.getTime() ?? 0) / 1000 + 1;
}

function contextOf({ provider, site }: BrowserScope, { raw }: FastifyRequest, reply: FastifyReply) {
  // The cookies are secure when our own URL is, whatever the request's headers say.
  raw.headers["x-forwarded-proto"] = new URL(site.url).protocol.slice(0, -1);
  return provider.createContext(raw, reply.raw);
}

function deviceCookie({ site }: BrowserScope): string {
  const { port } = new URL(site.url);
  return `issuer-device${port && `-${port}`}`;
}

function attributes(path: string) {
  return { path, httpOnly: true, sameSite: "lax", signed: true } as const;
}
