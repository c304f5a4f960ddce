import { readFile } from "node:fs/promises";
import type { FastifyError, FastifyInstance, FastifyRequest } from "fastify";
import { errors } from "oidc-provider";
import { MINUTE, SECOND } from "#server/base/clock.ts";
import { keyedHash } from "#server/base/keyed-hash.ts";
import type { Db } from "#server/db/db.ts";
import { clientOf } from "#server/http/client.ts";
import type { Mail } from "#server/mail/mail.ts";
import { createDemoAccounts, type DemoAccount, type ImportedAccount, importAccounts } from "./accounts.ts";
import { clientRoutes } from "./client-routes.ts";
import { openLogouts } from "./logouts.ts";
import type { EnqueueMail, MailOrder } from "./mails.ts";
import { sendOrderedMail } from "./outbox.ts";
import { accountRoutes } from "./pages/account.ts";
import { findSession } from "./pages/browser.ts";
import { confirmAddressRoutes } from "./pages/confirm-address.ts";
import { createAccountRoutes } from "./pages/create-account.ts";
import { type Site, sendPage } from "./pages/frame.ts";
import type { Issuer } from "./pages/issuer-scope.ts";
import { CrossOrigin, sendProblem, signedInPage } from "./pages/problem.ts";
import { resetPasswordRoutes } from "./pages/reset-password.ts";
import { secondFactorRoutes } from "./pages/second-factor.ts";
import { signInRoutes } from "./pages/sign-in.ts";
import { deleteExpired } from "./provider/payload-store.ts";
import { type CurrentProvider, openProvider, type ProviderOptions } from "./provider/provider.ts";
import { rotateSigningKey } from "./provider/signing-keys.ts";
import { countAttempt } from "./throttle.ts";

export interface IssuerOptions
  extends Omit<ProviderOptions, "site" | "warn">,
    Pick<Site, "url" | "homeUrl" | "profileUrl" | "signInUrl" | "contactUrl" | "stylesheet"> {
  readonly mail: Mail;
  /** Keeps an order with what the transaction writes; afterwards `sendMail` is called with it until it succeeds. */
  readonly enqueueMail: EnqueueMail;
  /** In the stored form: addresses that open nothing before they are confirmed, because of what their owners may do. */
  readonly reservedEmails: readonly string[];
  /** The academy that people sign in to. */
  readonly findAcademy: () => Promise<Site["academy"]>;
  /** Called for each wrong password and code. */
  readonly onFailedSignIn: () => void;
  /** Inserted when absent, and offered as buttons; empty outside the demo. */
  readonly demoAccounts: readonly DemoAccount[];
}

export interface MountedIssuer {
  /** Sends an enqueued mail. `id` is the same for each try. @throws Error when the mail server did not accept it. */
  sendMail(order: MailOrder, id: string): Promise<void>;
  /** Adds accounts with a random password. The owner of the address can set one. */
  importAccounts(tx: Db, people: readonly ImportedAccount[]): Promise<void>;
  /** Publishes a key that will replace the signing one in an hour. */
  rotateSigningKey(): Promise<void>;
}

/**
 * Serves the OpenID Connect issuer under the path of `options.url`, from a migrated database. Creates missing signing
 * keys and demo accounts.
 */
export async function mountIssuer(app: FastifyInstance, options: IssuerOptions): Promise<MountedIssuer> {
  const { db, clock, client, secrets, demoAccounts, send, hasBegun, mail, enqueueMail, onFailedSignIn } = options;
  const { origin, href: url } = new URL(options.url);
  const site = siteOf(options, await options.findAcademy());
  const nameAcademy = async () => {
    // Keeps the last one while the database is unavailable.
    site.academy = await options.findAcademy().catch(() => site.academy);
  };
  await createDemoAccounts(db, clock, demoAccounts);
  const warn = (message: string) => app.log.warn(message);
  const current = await openProvider({ db, clock, site, secrets, warn, client, send, hasBegun }, (error) =>
    app.log.error({ err: error }, "the issuer failed"),
  );
  const onFailure = (error: unknown) => app.log.error({ err: error }, "the client was not told that sign-ins ended");
  const logouts = openLogouts({ db, issuer: url, signingKey: () => current.signingKey, client, send, onFailure });
  tidyRegularly(app, { db, clock, logouts }, current);

  // At most the addresses of ADMIN_EMAILS.
  const reserved = new Set(options.reservedEmails);
  const isReserved = (email: string) => reserved.has(email);
  const canWriteTo = (email: string) => mail.canWriteTo(email);
  const clientId = client.id;
  const hash = keyedHash(secrets);
  const issuer = {
    db,
    clock,
    hash,
    get provider() {
      return current.provider;
    },
    site,
    clientId,
    demoAccounts,
    logouts,
    isReserved,
    canWriteTo,
    enqueueMail,
    secrets,
    onFailedSignIn,
  };
  const prefix = site.path;
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", nameAcademy);
      await pages(scope, issuer, origin);
    },
    { prefix },
  );
  await app.register(async (scope) => clientRoutes(scope, issuer, client), { prefix });
  await app.register(
    async (scope) => {
      scope.addHook("onRequest", nameAcademy);
      await protocol(scope, issuer, current);
    },
    { prefix },
  );
  return {
    async sendMail(order, id) {
      await nameAcademy();
      await sendOrderedMail({ db, clock, site, mail }, order, id);
    },
    importAccounts,
    async rotateSigningKey() {
      await rotateSigningKey({ db, clock, secrets });
      await current.readKeys();
    },
  };
}

function siteOf(
  { client, stylesheet, homeUrl, profileUrl, signInUrl, contactUrl, ...options }: IssuerOptions,
  academy: Site["academy"],
): Site {
  const { pathname: path, origin, href: url } = new URL(options.url);
  const origins = [...client.redirectUris, ...client.postLogoutRedirectUris].map((uri) => new URL(uri).origin);
  return {
    academy,
    url,
    path,
    homeUrl,
    profileUrl,
    signInUrl,
    contactUrl,
    stylesheet,
    formTargets: [...new Set(origins)].filter((target) => target !== origin),
  };
}

/** Deletes expired records, reads the keys again, and delivers logouts that a killed node left undelivered. */
function tidyRegularly(
  app: FastifyInstance,
  { db, clock, logouts }: Pick<Issuer, "db" | "clock" | "logouts">,
  current: CurrentProvider,
): void {
  const readKeys = () =>
    current.readKeys().catch((error) => app.log.error({ err: error }, "the issuer's keys cannot be read"));
  const sweep = setInterval(() => {
    deleteExpired(db, clock).catch((error) => app.log.error({ err: error }, "the issuer's expired records remain"));
    readKeys();
  }, 10 * MINUTE).unref();
  clock.onMove(readKeys);
  let delivery: Promise<void> | null = null;
  const deliver = setInterval(() => {
    delivery ??= logouts.deliver().finally(() => {
      delivery = null;
    });
  }, 5 * SECOND).unref();
  app.addHook("onClose", async () => {
    clearInterval(sweep);
    clearInterval(deliver);
    await delivery;
  });
}

/** Our own pages, whose forms only a page of this origin may post. */
async function pages(scope: FastifyInstance, issuer: Issuer, origin: string): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 10_000 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  scope.setErrorHandler(async (error: FastifyError, request, reply) => {
    const isOver = error instanceof errors.SessionNotFound;
    if (isOver && (await findSession(issuer, request, reply))) {
      return sendPage(reply, issuer.site, signedInPage(issuer.site), 400);
    }
    return sendProblem(issuer.site, error, request, reply);
  });
  scope.addHook("preHandler", async (request) => {
    if (request.method === "POST" && !isSameOrigin(request, origin)) throw new CrossOrigin();
  });

  signInRoutes(scope, issuer);
  createAccountRoutes(scope, issuer);
  confirmAddressRoutes(scope, issuer);
  resetPasswordRoutes(scope, issuer);
  accountRoutes(scope, issuer);
  secondFactorRoutes(scope, issuer);

  scope.get("/page.js", async (_request, reply) =>
    reply
      .type("text/javascript; charset=utf-8")
      .header("cache-control", "public, max-age=3600")
      .send(await readFile(new URL("./pages/page.js", import.meta.url), "utf8")),
  );
}

/**
 * Endpoints that our own server calls for all users, and that are not limited by client. Any other path may store a
 * record, whatever its spelling.
 */
const ofOurServer = /^\/(\.well-known\/openid-configuration|jwks|token|me)$/;

/** The protocol needs a dozen. The library parses repeated parameters in quadratic time. */
const mostParameters = 100;

/** All other paths are the protocol's. Leaves their bodies unread for the library. */
async function protocol(scope: FastifyInstance, issuer: Issuer, current: CurrentProvider): Promise<void> {
  const { site } = issuer;
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
  scope.setErrorHandler((error: FastifyError, request, reply) => sendProblem(site, error, request, reply));
  const { host, protocol: scheme } = new URL(site.url);

  scope.route({
    method: ["GET", "HEAD", "POST"],
    url: "/*",
    handler: async (request, reply) => {
      const [path = "", query = ""] = request.raw.url?.slice(site.path.length).split("?", 2) ?? [];
      if (query.split("&").length > mostParameters) throw new errors.InvalidRequest("too many parameters");
      if (!ofOurServer.test(path)) {
        const kind = /^\/auth\/[\w-]+$/.test(path) ? "resume-client" : "interaction-client";
        await countAttempt(issuer, kind, clientOf(request).key);
      }
      reply.hijack();
      const raw = request.raw as typeof request.raw & { originalUrl?: string };
      // The library builds URLs from the request, and the client chooses the Host header: it gets ours instead.
      for (const name of Object.keys(raw.headers))
        if (/^(x-forwarded-|forwarded$)/.test(name)) delete raw.headers[name];
      raw.headers.host = host;
      raw.headers["x-forwarded-proto"] = scheme.slice(0, -1);
      raw.originalUrl = raw.url ?? "/";
      raw.url = raw.originalUrl.slice(site.path.length) || "/";
      // The server's default headers, which a hijacked reply would not have.
      for (const [name, value] of Object.entries(reply.getHeaders())) if (value) reply.raw.setHeader(name, value);
      reply.raw.setHeader("x-content-type-options", "nosniff");
      reply.raw.setHeader("referrer-policy", "same-origin");
      current.answer(raw, reply.raw);
    },
  });
}

/**
 * Browsers send an Origin with every post. A client without one is no browser, so it sends no user's cookies
 * unknowingly.
 */
function isSameOrigin(request: FastifyRequest, origin: string): boolean {
  const { origin: named, "sec-fetch-site": site } = request.headers;
  if (named !== undefined) return named === origin;
  return site === undefined || site === "same-origin";
}
