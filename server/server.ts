import { createServer } from "node:http";
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { uploadPicture } from "#contract/admin/pictures.ts";
import { roleMay } from "#contract/permissions.ts";
import { uploadProfileImage } from "#contract/profile.ts";
import { uploadResource } from "#contract/resources.ts";
import { setFormMessages } from "#contract/validation-messages.ts";
import { accessRoutes } from "#server/access/routes.ts";
import { importUploadRoutes } from "#server/admin/imports/routes.ts";
import { administrationRoutes } from "#server/admin/routes.ts";
import { announcementChoiceRoutes, unsubscribeRoutes } from "#server/announcements/routes.ts";
import { currentPlanNames } from "#server/catalogue/catalogue.ts";
import { changesFeedRoute } from "#server/catalogue/changes-feed.ts";
import { pictureRoutes } from "#server/catalogue/picture-routes.ts";
import { previewRoute } from "#server/catalogue/preview.ts";
import { planRoutes } from "#server/catalogue/routes.ts";
import { certificateRoutes, ownCertificateRoutes } from "#server/certificates/routes.ts";
import { checkRoutes } from "#server/checks/routes.ts";
import { videoOfRecording } from "#server/coaching/live/recording.ts";
import { calendarRoutes, coachingRoutes, coachRoutes } from "#server/coaching/routes.ts";
import { contactFormRoute, contactRoutes } from "#server/contact/routes.ts";
import { listVideoUses } from "#server/files/store-state.ts";
import { identityRoutes, logoutRoutes, signInRoutes, signUpFormRoute } from "#server/identity/routes.ts";
import { refuseWhileSeeing, requireSignedIn, requireTeam } from "#server/identity/sessions/guards.ts";
import { acceptCookies, findSignedIn, isAnonymous, sessionId } from "#server/identity/sessions/sessions.ts";
import { acceptTokens } from "#server/identity/tokens/accept-tokens.ts";
import { roleOf } from "#server/identity/users.ts";
import { videoOfIntro, videoOfLesson, videoOfPreview } from "#server/lessons/lessons.ts";
import { lessonRoutes, openingRoutes } from "#server/lessons/routes.ts";
import { noteRoutes } from "#server/notes/routes.ts";
import { checklistRoutes } from "#server/operations/checklist.ts";
import { metricsRoutes } from "#server/operations/metrics/metrics.ts";
import { proxyCheckRoutes } from "#server/operations/proxy-check.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { paymentTestRoutes } from "#server/payments/payment-test.ts";
import { paymentConfigRoutes } from "#server/payments/routes.ts";
import { invitationRoutes } from "#server/people/routes.ts";
import { profileImageRoutes } from "#server/profile/profile-image-routes.ts";
import { profileRoutes } from "#server/profile/routes.ts";
import { progressRoutes } from "#server/progress/routes.ts";
import { purchaseRoutes } from "#server/purchases/routes.ts";
import { questionQueueRoutes } from "#server/questions/admin-routes.ts";
import { questionRoutes } from "#server/questions/routes.ts";
import { receiptRoutes } from "#server/receipts/routes.ts";
import { webhookRoutes } from "#server/reconciliation/webhooks.ts";
import { adminResourceRoutes } from "#server/resources/admin-routes.ts";
import { resourceRoutes } from "#server/resources/routes.ts";
import { isPiece, studioRoutes } from "#server/studio/admin-routes.ts";
import { mediaRoutes } from "#server/studio/media-routes.ts";
import { cardLinkRoutes, subscriptionRoutes } from "#server/subscriptions/routes.ts";
import { Refusal } from "./base/refusal.ts";
import type { Config } from "./context/config.ts";
import type { Context } from "./context/context.ts";
import type { PoolFigures } from "./db/db.ts";
import { newId } from "./db/id.ts";
import type { Probe } from "./db/probe.ts";
import { firstPages } from "./first-page.ts";
import { redirectAliases } from "./http/alias.ts";
import { describeApi, withoutCompilers } from "./http/api-document.ts";
import { brandingRoutes } from "./http/branding.ts";
import { clientAt, clientOf } from "./http/client.ts";
import { answerClientErrors } from "./http/client-errors.ts";
import { endConnectionsWhileDraining } from "./http/drain.ts";
import { acceptForms } from "./http/forms.ts";
import { healthRoutes, type Life } from "./http/health.ts";
import { acceptCleanJson } from "./http/json.ts";
import { requireKnownHost } from "./http/known-hosts.ts";
import { limitAnonymousReads } from "./http/load-shedding/anonymous-reads.ts";
import { limitConnections } from "./http/load-shedding/connections.ts";
import { createLoadShedder } from "./http/load-shedding/load-shedder.ts";
import { limitAnswerTime, limitBodyTime } from "./http/load-shedding/time-limits.ts";
import { isForm } from "./http/load-shedding/uploads.ts";
import { answerNotFound } from "./http/not-found.ts";
import { sendFile } from "./http/pages/memory-file.ts";
import type { PageHeaders, Pages } from "./http/pages/pages.ts";
import { answerErrorsAsProblems, sendProblem } from "./http/problems.ts";
import { logRequests } from "./http/request-log.ts";
import { requireSameOrigin } from "./http/same-origin.ts";
import { securityTxtRoute } from "./http/security-txt.ts";
import { traceRequests } from "./http/trace-requests.ts";
import { webManifestRoute } from "./http/web-manifest.ts";

export interface ServerParts {
  readonly config: Pick<
    Config,
    "mode" | "publicUrl" | "host" | "port" | "trustProxy" | "metricsToken" | "backups" | "dataDir" | "timeLimitFactor"
  >;
  readonly pages: Pages;
  readonly headers: PageHeaders;
  /** The first secret signs, all verify. */
  readonly cookieSecrets: readonly string[];
  readonly life: Life;
  readonly probe: Probe;
  readonly pools: Readonly<Record<string, PoolFigures>>;
  /** Counted by the built-in issuer. */
  readonly signIns: { readonly failed: number };
}

/**
 * Milliseconds. Idle connections stay open longer than clients and proxies keep theirs, so that none closes just as
 * it is used.
 */
const times = {
  requestTimeout: 3_600_000,
  headersTimeout: 15_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5_000,
};
/** Milliseconds without a byte, after which a connection closes. */
const silence = 300_000;

const connectionLimits = { perClient: 2000, total: 10_000 };
/** What one process answers in about half a second, of deferrable requests in a fifth: nobody who is admitted waits longer. */
const requestLimits = {
  inFlight: { perClient: 1000, total: 2000 },
  deferrable: { inFlight: 500, maxWaitMs: 500, alwaysAdmitted: 200 },
  incomplete: { perClient: 100, total: 1000 },
  streamed: { perClient: 1000, total: 2000 },
};

const uploadPaths: readonly string[] = [uploadResource.path, uploadProfileImage.path, uploadPicture.path];
/** Only forms are read part by part; other bodies have the usual limits. */
const isUpload = (request: FastifyRequest) =>
  isPiece(request) || (uploadPaths.includes(request.url.split("?", 1)[0] ?? "") && isForm(request));

/** Builds the server of tests and production alike. */
export async function buildServer(ctx: PaymentContext, parts: ServerParts): Promise<FastifyInstance> {
  const { config, pages, headers } = parts;
  const answerClientError = answerClientErrors(headers.all);
  const loadShedder = createLoadShedder(requestLimits);
  const app = openFastify(ctx, parts, answerClientError);

  setFormMessages();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const describe = describeApi(app, ctx);

  traceRequests(app);
  const connections = limitConnections(app.server, connectionLimits, (address) =>
    config.trustProxy(address, 0) ? null : clientAt(address).key,
  );
  endKeptConnections(app);
  endConnectionsWhileDraining(app, parts.life);
  acceptCleanJson(app);
  answerErrorsAsProblems(app);
  sendHeaders(app, headers.all);
  if (config.mode === "demo") {
    // Not needed in production, where links and cookies come from PUBLIC_URL.
    requireKnownHost(app, config);
    redirectAliases(app, ctx.site.publicUrl);
  }
  limitBodyTime(app, isUpload, answerClientError);
  limitAnswerTime(app, isUpload, config.timeLimitFactor);
  loadShedder.limitRequests(app, isUpload, (request) => clientOf(request).key);
  logRequests(app);
  answerNotFound(app, pages);

  healthRoutes(app, parts.life, parts.probe, loadShedder);
  const { backups, dataDir } = config;
  const load = {
    loadShedder,
    connections,
    pools: parts.pools,
    signIns: parts.signIns,
    backupEvery: backups.every,
    dataDir,
  };
  metricsRoutes(app, ctx, load, { token: config.metricsToken, isDemo: config.mode === "demo" });
  securityTxtRoute(app, ctx);
  webManifestRoute(app, ctx);
  changesFeedRoute(app, ctx);
  brandingRoutes(app, ctx);
  const personalise = firstPages(app, {
    sessionOf: (request) => sessionId(ctx, request),
    admits: (request, reply) => loadShedder.admitsMore(clientOf(request).key, reply.raw),
    isDraining: () => parts.life.stage === "draining",
    maxWaitMs: config.timeLimitFactor * 500,
  });
  await app.register(async (readers) => {
    await acceptCookies(readers, parts.cookieSecrets);
    pages.addRoutes(readers, personalise);
  });
  await app.register(async (editors) => answerEditors(editors, ctx, parts));
  await app.register(async (everyone) => answerEveryone(everyone, ctx, parts));
  app.get("/api/openapi.json", { schema: { hide: true } }, async (request, reply) =>
    sendFile(request, reply, await describe()),
  );
  await app.register(async (forms) => answerForms(forms, ctx, parts));
  await app.register(async (mail) => answerMailPrograms(mail, ctx, pages.issuerStylesheet));
  await app.register(async (students) => answerStudents(students, ctx, parts.cookieSecrets));
  await app.register(async (administrators) => answerAdministrators(administrators, ctx, parts));
  await app.register(async (team) => answerQuestionQueue(team, ctx, parts.cookieSecrets));
  await app.register(async (gateway) => answerGateway(gateway, ctx));
  await app.register(async (provider) => answerProvider(provider, ctx));
  return app;
}

async function answerEditors(
  editors: FastifyInstance,
  ctx: PaymentContext,
  { pages, cookieSecrets }: ServerParts,
): Promise<void> {
  await acceptCookies(editors, cookieSecrets);
  pages.addPreviewRoutes(editors, async (request, reply) => {
    const signedIn = await findSignedIn(ctx, request, reply).catch(() => null);
    return signedIn !== null && roleMay(roleOf(ctx, signedIn.user), "content:write");
  });
}

async function answerEveryone(
  everyone: FastifyInstance,
  ctx: PaymentContext,
  { pages, config, cookieSecrets }: ServerParts,
): Promise<void> {
  neverStore(everyone);
  await acceptCookies(everyone, cookieSecrets);
  limitAnonymousReads(everyone, (request) => isAnonymous(ctx, request));
  requireSameOrigin(everyone, ctx.site.publicUrl);
  refuseWhileSeeing(everyone, ctx);
  signInRoutes(everyone, ctx, pages.issuerStylesheet);
  planRoutes(everyone, ctx);
  contactRoutes(everyone, ctx);
  proxyCheckRoutes(everyone, ctx, config.trustProxy);
  lessonRoutes(everyone, ctx);
  mediaRoutes(everyone, ctx, {
    ...{ lesson: videoOfLesson, intro: videoOfIntro, preview: videoOfPreview, recording: videoOfRecording },
  });
  paymentConfigRoutes(everyone, ctx);
  cardLinkRoutes(everyone, ctx);
  calendarRoutes(everyone, ctx);
  certificateRoutes(everyone, ctx, pages.issuerStylesheet);
}

/** Forms that browsers send without the page's scripts. */
async function answerForms(
  forms: FastifyInstance,
  ctx: Context,
  { pages: { issuerStylesheet }, cookieSecrets }: ServerParts,
): Promise<void> {
  neverStore(forms);
  await acceptCookies(forms, cookieSecrets);
  requireSameOrigin(forms, ctx.site.publicUrl);
  refuseWhileSeeing(forms, ctx);
  acceptForms(forms);
  contactFormRoute(forms, ctx, issuerStylesheet);
  signUpFormRoute(forms, ctx, issuerStylesheet, currentPlanNames);
}

/** Mail programs post from other origins, with a token instead of a cookie. */
async function answerMailPrograms(mail: FastifyInstance, ctx: Context, stylesheet: string): Promise<void> {
  neverStore(mail);
  unsubscribeRoutes(mail, ctx, stylesheet);
}

async function answerStudents(
  students: FastifyInstance,
  ctx: PaymentContext,
  cookieSecrets: readonly string[],
): Promise<void> {
  neverStore(students);
  await acceptCookies(students, cookieSecrets);
  requireSameOrigin(students, ctx.site.publicUrl);
  refuseWhileSeeing(students, ctx);
  requireSignedIn(students, ctx);
  identityRoutes(students, ctx);
  accessRoutes(students, ctx);
  purchaseRoutes(students, ctx);
  subscriptionRoutes(students, ctx);
  progressRoutes(students, ctx);
  noteRoutes(students, ctx);
  checkRoutes(students, ctx);
  ownCertificateRoutes(students, ctx);
  questionRoutes(students, ctx);
  openingRoutes(students, ctx);
  resourceRoutes(students, ctx);
  coachingRoutes(students, ctx);
  receiptRoutes(students, ctx);
  profileRoutes(students, ctx);
  announcementChoiceRoutes(students, ctx);
  invitationRoutes(students, ctx);
  await students.register(async (images) => profileImageRoutes(images, ctx));
  await students.register(async (coaches) => coachRoutes(coaches, ctx));
}

async function answerAdministrators(
  administrators: FastifyInstance,
  ctx: PaymentContext,
  { pages, cookieSecrets }: ServerParts,
): Promise<void> {
  neverStore(administrators);
  await acceptCookies(administrators, cookieSecrets);
  acceptTokens(administrators, ctx);
  requireSameOrigin(administrators, ctx.site.publicUrl, ({ byToken }) => byToken !== undefined);
  refuseWhileSeeing(administrators, ctx);
  requireTeam(administrators, ctx);
  administrationRoutes(administrators, ctx);
  previewRoute(administrators, ctx, pages);
  checklistRoutes(administrators, ctx);
  await administrators.register(async (uploads) => adminResourceRoutes(uploads, ctx));
  await administrators.register(async (pictures) => pictureRoutes(pictures, ctx));
  await administrators.register(async (lists) => importUploadRoutes(lists, ctx));
  await administrators.register(async (studio) => studioRoutes(studio, ctx, listVideoUses));
  await administrators.register(async (tests) => paymentTestRoutes(tests, ctx));
}

/** Coaches answer questions, and use nothing else of the administration. */
async function answerQuestionQueue(
  team: FastifyInstance,
  ctx: Context,
  cookieSecrets: readonly string[],
): Promise<void> {
  neverStore(team);
  await acceptCookies(team, cookieSecrets);
  requireSameOrigin(team, ctx.site.publicUrl);
  refuseWhileSeeing(team, ctx);
  requireTeam(team, ctx, { withCoaches: true });
  questionQueueRoutes(team, ctx);
}

async function answerGateway(gateway: FastifyInstance, ctx: Context): Promise<void> {
  neverStore(gateway);
  webhookRoutes(gateway, ctx);
}

async function answerProvider(provider: FastifyInstance, ctx: Context): Promise<void> {
  neverStore(provider);
  logoutRoutes(provider, ctx);
}

type AnswerClientError = ReturnType<typeof answerClientErrors>;

function openFastify(
  ctx: Context,
  { config, headers }: ServerParts,
  clientErrorHandler: AnswerClientError,
): FastifyInstance {
  return Fastify({
    schemaController: withoutCompilers,
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newId,
    // Requests on open connections are still answered while the server drains.
    return503OnClosing: false,
    trustProxy: config.trustProxy,
    bodyLimit: 64 * 1024,
    routerOptions: { maxParamLength: 400 },
    // No hook has run for these requests, so that their body is not read.
    frameworkErrors: (_error, request, reply) => {
      reply.headers(headers.all).header("connection", "close");
      sendProblem(request, reply, new Refusal("malformed-request", "We couldn't understand the address."));
    },
    clientErrorHandler,
    serverFactory: (handler) => createServer(times, handler).setTimeout(silence),
  });
}

/** Closes each connection after the current answer instead of keeping it. */
function endKeptConnections(app: FastifyInstance): void {
  app.addHook("preClose", (done) => {
    app.server.keepAliveTimeout = 1;
    done();
  });
}

/** A callback, as in all hooks of every request: a promise would cost more than the work. */
function sendHeaders(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(headers).header("x-request-id", request.id);
    done();
  });
}

function neverStore(scope: FastifyInstance): void {
  scope.addHook("onRequest", (_request, reply, done) => {
    reply.header("cache-control", "no-store");
    done();
  });
}
