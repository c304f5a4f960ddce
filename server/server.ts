import { createServer, type IncomingMessage } from "node:http";
import Fastify, { type FastifyInstance, LogController } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { uploadProfileImage } from "#contract/profile.ts";
import { uploadResource } from "#contract/resources.ts";
import { accessRoutes } from "#server/access/routes.ts";
import { listAuditAbout } from "#server/admin/audit.ts";
import { adminResourceRoutes } from "#server/admin/resource-routes.ts";
import { administrationRoutes } from "#server/admin/routes.ts";
import { planRoutes } from "#server/catalogue/routes.ts";
import { contactRoutes } from "#server/contact/routes.ts";
import { identityRoutes, logoutRoutes, signInRoutes } from "#server/identity/routes.ts";
import { acceptCookies, requireAdministrator, requireSignedIn } from "#server/identity/sessions/sessions.ts";
import { lessonRoutes } from "#server/lessons/routes.ts";
import { metricsRoutes } from "#server/operations/metrics/metrics.ts";
import { proxyCheckRoutes } from "#server/operations/proxy-check.ts";
import { paymentTestRoutes } from "#server/payments/payment-test.ts";
import { paymentConfigRoutes } from "#server/payments/routes.ts";
import { profileImageRoutes } from "#server/profile/profile-image-routes.ts";
import { profileRoutes } from "#server/profile/routes.ts";
import { progressRoutes } from "#server/progress/routes.ts";
import { purchaseRoutes } from "#server/purchases/routes.ts";
import { receiptRoutes } from "#server/receipts/routes.ts";
import { notificationRoutes } from "#server/reconciliation/notifications.ts";
import { resourceRoutes } from "#server/resources/routes.ts";
import { cardLinkRoutes, subscriptionRoutes } from "#server/subscriptions/routes.ts";
import type { Context } from "./context.ts";
import type { PoolFigures } from "./db/db.ts";
import { newId } from "./db/id.ts";
import type { Probe } from "./db/probe.ts";
import { limitBodyTime } from "./http/admission/body-time.ts";
import { limitConnections } from "./http/admission/connections.ts";
import { admitRequests } from "./http/admission/requests.ts";
import { isForm } from "./http/admission/uploads.ts";
import { redirectAlias } from "./http/alias.ts";
import { describeApi } from "./http/api-document.ts";
import { clientAt, clientOf } from "./http/client.ts";
import { answerClientErrors } from "./http/client-errors.ts";
import { healthRoutes, type Life } from "./http/health.ts";
import { acceptCleanJson } from "./http/json.ts";
import { refuseOtherHosts } from "./http/known-hosts.ts";
import { rememberMethods } from "./http/methods.ts";
import type { PageHeaders, Pages } from "./http/pages/pages.ts";
import { answerErrorsAsProblems, sendProblem, wasLogged } from "./http/problems.ts";
import { requireSameOrigin } from "./http/same-origin.ts";
import { securityTxtRoute } from "./http/security-txt.ts";
import { Refusal } from "./refusal.ts";

export interface ServerParts {
  /** The built pages; null when only the API is wanted, as beside Vite's development server. */
  readonly pages: Pages | null;
  readonly headers: PageHeaders;
  /** Sign the cookies; the first signs, all verify. */
  readonly cookieSecrets: readonly string[];
  readonly life: Life;
  readonly probe: Probe;
  readonly pools: Readonly<Record<string, PoolFigures>>;
  /** Mounts what the academy reaches by protocol alone: the built-in issuer, the sandbox. */
  readonly mount?: (app: FastifyInstance) => Promise<void>;
}

/**
 * In milliseconds. A kept connection outlives those of clients and proxies, so that none is closed just as it is used
 * again. The time of a whole request is for uploads; every other one is held to less where it is read.
 */
const times = {
  requestTimeout: 3_600_000,
  headersTimeout: 15_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};
/** After which a connection that neither takes nor brings a byte is closed, in milliseconds. */
const silence = 300_000;

const connectionLimits = { each: 2000, all: 10_000 };
/** All that are under way: about as much as one process answers in a second; who is taken in waits little longer. */
const requestLimits = { underWay: { each: 1000, all: 2000 }, unfinished: { each: 100, all: 1000 } };

const uploadPaths: readonly string[] = [uploadResource.path, uploadProfileImage.path];
/** A client that sends anything but a form there is read like everybody else. */
const isUpload = ({ url = "", headers }: Pick<IncomingMessage, "url" | "headers">) =>
  uploadPaths.includes(url.split("?", 1)[0] ?? "") && isForm({ headers });

/** The whole server, ready to listen: tests and production build the same one. The scopes below say who may call what. */
export async function buildServer(ctx: Context, parts: ServerParts): Promise<FastifyInstance> {
  const { pages, headers } = parts;
  // In production a wrong one does no harm: links and cookies come from PUBLIC_URL.
  const refusesHost = ctx.config.mode === "demo" ? refuseOtherHosts(ctx.config, headers.all) : null;
  const answerClientError = answerClientErrors(headers.all);
  const app = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newId,
    trustProxy: ctx.config.trustProxy,
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (_error, request, reply) => {
      reply.headers(headers.all);
      sendProblem(request, reply, new Refusal("malformed-request", "The address could not be understood."));
    },
    clientErrorHandler: answerClientError,
    serverFactory: (handler) =>
      createServer(times, (request, response) => {
        limitBodyTime(request, response, { isUpload: isUpload(request), end: answerClientError });
        if (refusesHost?.(request, response)) return;
        if (redirectAlias(ctx, request, response)) return;
        handler(request, response);
      }).setTimeout(silence),
  });
  const connections = limitConnections(app.server, connectionLimits, (address) =>
    ctx.config.trustProxy(address, 0) ? null : clientAt(address).key,
  );
  // From here on a connection ends with the answer that is under way on it: nobody waits for a kept one.
  app.addHook("preClose", (done) => {
    app.server.keepAliveTimeout = 1;
    done();
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  acceptCleanJson(app);
  answerErrorsAsProblems(app);
  const methodsOf = rememberMethods(app);
  await acceptCookies(app, parts.cookieSecrets);
  await describeApi(app);

  const isVerbose = ["trace", "debug"].includes(ctx.config.logLevel);
  // The hooks of every request call back: a promise for each would cost more than what they do.
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(headers.all).header("x-request-id", request.id);
    done();
  });
  const admission = admitRequests(
    app,
    requestLimits,
    ({ raw }) => isUpload(raw),
    (request) => clientOf(request).key,
  );
  app.addHook("onResponse", (request, reply, done) => {
    // Reading, probes, playing with the sandbox and a player's notes of every few seconds would drown the rest.
    const common = request.method === "GET" || /^\/(sandbox\/|api\/user\/progress\b)/.test(request.url);
    const quiet = request.url === "/readyz" || (common && reply.statusCode < 500);
    if (wasLogged(request)) return done();
    if (!quiet || isVerbose) {
      const { method, routeOptions } = request;
      const ms = Math.round(reply.elapsedTime);
      const line = { method, route: routeOptions.url, status: reply.statusCode, ms };
      request.log[quiet ? "debug" : "info"](line, "request");
    }
    done();
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "/";
    const allowed = methodsOf(path);
    if (allowed.length > 0) {
      reply.header("allow", allowed.join(", "));
      throw new Refusal("method-not-allowed", `This address does not answer ${request.method}.`);
    }
    const forPages = request.method === "GET" || request.method === "HEAD";
    if (pages && forPages && !/^\/(api|assets)(\/|$)/.test(path)) {
      return pages.sendNotFound(request, reply);
    }
    return sendProblem(request, reply, new Refusal("not-found", "There is nothing at this address."));
  });

  healthRoutes(app, parts.life, parts.probe, admission);
  metricsRoutes(app, ctx, { admission, connections, pools: parts.pools });
  securityTxtRoute(app, ctx);
  pages?.addRoutes(app);

  await app.register(async (everyone) => {
    neverStore(everyone);
    requireSameOrigin(everyone, ctx.config.publicUrl);
    signInRoutes(everyone, ctx, pages?.issuerStylesheet ?? null);
    planRoutes(everyone, ctx);
    contactRoutes(everyone, ctx);
    proxyCheckRoutes(everyone, ctx);
    lessonRoutes(everyone, ctx);
    paymentConfigRoutes(everyone, ctx);
    cardLinkRoutes(everyone, ctx);
    everyone.get("/api/openapi.json", { schema: { hide: true } }, async () => app.swagger());
  });

  await app.register(async (students) => {
    neverStore(students);
    requireSameOrigin(students, ctx.config.publicUrl);
    requireSignedIn(students, ctx);
    identityRoutes(students, ctx);
    accessRoutes(students, ctx);
    purchaseRoutes(students, ctx);
    subscriptionRoutes(students, ctx);
    progressRoutes(students, ctx);
    resourceRoutes(students, ctx);
    receiptRoutes(students, ctx);
    profileRoutes(students, ctx, listAuditAbout);
    await students.register(async (images) => profileImageRoutes(images, ctx));
  });

  await app.register(async (administrators) => {
    neverStore(administrators);
    requireSameOrigin(administrators, ctx.config.publicUrl);
    requireAdministrator(administrators, ctx);
    administrationRoutes(administrators, ctx);
    await administrators.register(async (uploads) => adminResourceRoutes(uploads, ctx));
    await administrators.register(async (tests) => paymentTestRoutes(tests, ctx));
  });

  await app.register(async (webhooks) => {
    neverStore(webhooks);
    notificationRoutes(webhooks, ctx);
  });

  await app.register(async (providers) => {
    neverStore(providers);
    logoutRoutes(providers, ctx);
  });

  await parts.mount?.(app);
  return app;
}

/** What the API says is for one person and one moment; no cache may keep it. */
function neverStore(scope: FastifyInstance): void {
  scope.addHook("onRequest", (_request, reply, done) => {
    reply.header("cache-control", "no-store");
    done();
  });
}
