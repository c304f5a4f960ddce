import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { seedCatalogue } from "#server/catalogue/catalogue.ts";
import { watchPageFacts } from "#server/catalogue/page-facts.ts";
import { listUnprovedClaims, unprovedWords } from "#server/claims/claims.ts";
import { listRecordingVideos } from "#server/coaching/live/recording.ts";
import { coachOf } from "#server/coaching/overview.ts";
import { mailboxOf, openLastingHash } from "#server/identity/mailboxes.ts";
import { sessionCookieName } from "#server/identity/sessions/sessions.ts";
import { builtInIssuer } from "#server/identity/users.ts";
import { claimImported } from "#server/imports/claims.ts";
import { injectFetchLater } from "#server/openid/in-process-fetch.ts";
import type { OpenId } from "#server/openid/openid.ts";
import { openIdClient } from "#server/openid/relying-party.ts";
import type { PaymentContext } from "#server/payments/handlers.ts";
import { type DataDir, openDataDir } from "#server/process/data-dir.ts";
import { findFfmpeg } from "#server/studio/find-ffmpeg.ts";
import { type Clock, systemClock } from "./base/clock.ts";
import { keyedHash } from "./base/keyed-hash.ts";
import { sealingFor } from "./base/sealing.ts";
import { traceWith } from "./base/tracing.ts";
import { mountBuiltInIssuer, type Registration, registration } from "./built-in-issuer.ts";
import type { Config } from "./context/config.ts";
import type { Context } from "./context/context.ts";
import { ConfigError } from "./context/environment.ts";
import { claimStoreAtStart } from "./files/claim-at-start.ts";
import { watchStore } from "./files/watch.ts";
import { authorizeNet } from "./gateway/authorize-net/authorize-net.ts";
import { stopServing } from "./http/drain.ts";
import type { Life } from "./http/health.ts";
import { findBuild } from "./http/pages/build.ts";
import { Pages } from "./http/pages/pages.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { trustNobody } from "./http/trusted-proxies.ts";
import { handledJobs, scheduleRegularJobs } from "./job-handlers.ts";
import { type JobRunner, startJobs } from "./jobs/runner.ts";
import { smtpMail } from "./mail/smtp.ts";
import { type OpenDatabase, openDatabase, ownDatabase } from "./open-database.ts";
import { scheduledBackups } from "./operations/scheduled-backups.ts";
import { refuseUnfinishedRestore } from "./operations/unfinished-restore.ts";
import { paymentHandlers } from "./payment-handlers.ts";
import { openSandboxServices, type SandboxServices } from "./sandbox-services.ts";
import { seedDemo } from "./seed.ts";
import { buildServer } from "./server.ts";
import { academyZone, currentSettings } from "./settings/settings.ts";
import { openStorage } from "./storage/open.ts";
import { clamdScanner } from "./storage/scanner.ts";
import { realDescriptions } from "./video/inspection.ts";
import { videoServices } from "./video/video.ts";
import { openVisits, stepsOf } from "./visits/visits.ts";

/**
 * Length of the listen queue. Past Node's default of 511 clients of a burst would have to connect again a second
 * later.
 */
const backlog = 4096;
const builtPages = fileURLToPath(new URL("../dist/client", import.meta.url));

export interface Academy {
  readonly life: Life;
  /** Resolves to the server once it serves. Rejects when it cannot start; `close` then closes what was opened. */
  readonly ready: Promise<FastifyInstance>;
  /** Finishes work under way, and starts none. */
  close(): Promise<void>;
}

export function openAcademy(config: Config, log: Logger): Academy {
  const opened = new AsyncDisposableStack();
  const life: Life = { stage: "starting", files: "unreachable" };
  return {
    life,
    ready: start(config, log, { life, opened }),
    close() {
      life.stage = "draining";
      return opened.disposeAsync();
    },
  };
}

interface Start {
  readonly life: Life;
  readonly opened: AsyncDisposableStack;
}

async function start(config: Config, log: Logger, { life, opened }: Start): Promise<FastifyInstance> {
  await startTracing(config, log, opened);
  const dataDir = opened.adopt(openDataDir(config.dataDir), (held) => held.release());
  refuseUnfinishedRestore(dataDir.path);
  const connection = await ownDatabase(config, dataDir, log, opened);
  const sandbox = await openSandboxServices(config, dataDir, opened);
  const backups = await scheduledBackups(config);
  const database = await openDatabase(config, connection, log, opened);
  const secrets = config.sessionSecrets.length > 0 ? config.sessionSecrets : [dataDir.secret("session")];
  const client = registration(config.publicUrl, secrets);
  const ourselves = injectFetchLater();
  const edges = { dataDir, database, sandbox, secrets, client, fetch: ourselves.fetch };
  const ctx = await openContext(config, edges, log, opened);
  opened.defer(await watchFiles(ctx, config, life));
  await seedCatalogue(ctx);
  await warnOfGaps(ctx, config);

  const { pages, headers } = await loadPages(ctx, config);
  const { probe, pools } = database;
  const signIns = { failed: 0 };
  const onFailedSignIn = () => {
    signIns.failed += 1;
  };
  const app = await buildServer(ctx, { config, pages, headers, cookieSecrets: secrets, life, probe, pools, signIns });
  ourselves.answerBy(app);
  if (sandbox?.routes) await app.register(sandbox.routes, { prefix: "/sandbox" });
  const isDemo = config.mode === "demo";
  const { issuerStylesheet: stylesheet } = pages;
  const issuer =
    config.oidc === "built-in"
      ? await mountBuiltInIssuer(app, ctx, { client, secrets, stylesheet, isDemo, onFailedSignIn })
      : null;
  let jobs: JobRunner | null = null;
  opened.defer(async () => {
    await Promise.all([jobs?.stop(), stopServing(app, { isBehindProxy: config.trustProxy !== trustNobody })]);
  });
  await quietly(log, () => app.listen({ host: config.host, port: config.port, backlog }));

  if (sandbox && config.gateway.environment === "demo") {
    const gatewayApiUrl = sandbox.gateway.apiUrl;
    const importAccounts = issuer?.importAccounts ?? (async () => {});
    await quietly(log, () => seedDemo(ctx, { gatewayApiUrl, importAccounts, hasHistory: config.demoHistory }));
  }
  // After the seed: jobs that it schedules in the past would run while it still writes.
  const handled = [...handledJobs, ...(issuer?.jobs ?? []), backups.job];
  const running = startJobs(ctx, handled, config);
  jobs = running;
  opened.defer(() => backups.stop());
  ctx.clock.onMove(() => running.runDue());
  await scheduleRegularJobs(ctx);
  await backups.schedule(ctx.db, ctx.clock.now());
  life.stage = "serving";
  return app;
}

/** Loaded only where traces are configured: the libraries take 20 MB on disk, and memory. */
async function startTracing({ traces }: Config, log: Logger, opened: AsyncDisposableStack): Promise<void> {
  if (!traces) return;
  const { openTracing } = await import("#server/process/open-telemetry.ts");
  const { tracing, close } = openTracing(traces, log);
  traceWith(tracing);
  opened.defer(async () => {
    traceWith(null);
    await close();
  });
}

interface Edges {
  readonly dataDir: DataDir;
  readonly database: OpenDatabase;
  readonly sandbox: SandboxServices | null;
  readonly secrets: readonly string[];
  readonly client: Registration;
  /** Sends requests to this server without a socket. */
  readonly fetch: typeof fetch;
}

async function openContext(
  config: Config,
  edges: Edges,
  log: Logger,
  opened: AsyncDisposableStack,
): Promise<PaymentContext> {
  const { dataDir, database, sandbox, secrets } = edges;
  const gateway = config.gateway.environment === "demo" ? sandbox?.gateway : config.gateway;
  const smtpUrl = config.smtpUrl ?? sandbox?.smtpUrl;
  if (!gateway || !smtpUrl) throw new ConfigError("Neither a gateway and a mail server nor the sandbox is configured.");
  const { db, reserve } = database;
  const hash = keyedHash(secrets);
  const clock = sandbox?.clock ?? systemClock;
  const { name: mailName, address } = config.mailFrom;
  const mail = smtpMail(smtpUrl, new URL(config.publicUrl).hostname, async () => {
    const { senderName, name } = await currentSettings(db);
    return { name: senderName ?? mailName ?? name, address };
  });
  opened.defer(() => mail.close());
  const ffmpegPath = await findFfmpeg(config);
  if (config.ffmpegPath !== ffmpegPath && config.ffmpegPath !== null) {
    log.error(`FFMPEG_PATH leads to no program, so uploaded videos are not converted: ${config.ffmpegPath}`);
  }
  const storage = await openStorage(config.storage, join(dataDir.path, "files"));
  await claimStoreAtStart(config, { db, storage }, { now: clock.now(), log });
  const onLost = (error: unknown) => log.warn({ err: error }, "visits could not be written and will be tried again");
  const visits = opened.adopt(
    openVisits(db, clock, () => academyZone(db), onLost),
    (open) => open.close(),
  );
  const hashForYears = await openLastingHash(db, secrets, clock.now(), () =>
    log.warn("no SESSION_SECRET opens the key of lasting hashes: students of earlier accounts count as new"),
  );
  return {
    site: {
      publicUrl: config.publicUrl,
      configuredSupportEmail: config.supportEmail,
      configuredSenderName: config.mailFrom.name,
      senderDomain: config.mailFrom.address.replace(/^.*@/, ""),
    },
    administratorEmails: config.adminEmails,
    db,
    reserve,
    gateway: authorizeNet({ ...gateway, log }),
    mail,
    storage,
    scanner: config.scannerUrl ? clamdScanner(config.scannerUrl) : null,
    uploadLimitBytes: config.uploadLimitBytes,
    videoLimitBytes: config.videoLimitBytes,
    video: videoServices(config.video, sandbox?.video ?? realDescriptions, config.publicUrl),
    ffmpegPath,
    preparesVideos: config.videoWorkers > 0,
    meetingUrl: config.meetingUrl,
    openId: openIdOf(config, edges, clock),
    clock,
    coachOf: (user) => coachOf(db, user),
    claimImported: (tx, user) => claimImported(tx, user, clock.now()),
    visits,
    hashClient: ({ key }) => hash(`client ${key}`),
    hashMailbox: (email) => hashForYears(mailboxOf(email)).toString("base64url"),
    // No mailbox begins with these words.
    deriveSecret: (purpose) => hashForYears(`secret of the ${purpose}`),
    allowsPrivateWebhooks: config.allowsPrivateWebhooks,
    hashAddress: (email) => hash(`address ${email.toLowerCase()}`),
    addressSeal: {
      seal: (text) => videoAddresses.seal(secrets, "", text),
      unseal: (sealed) => videoAddresses.unseal(secrets, "", sealed),
    },
    log,
    paymentHandlers,
  };
}

const videoAddresses = sealingFor("addresses of videos");

function openIdOf({ oidc, publicUrl }: Config, { client, fetch }: Edges, clock: Clock): OpenId {
  if (oidc !== "built-in") return openIdClient({ ...oidc, publicUrl, clock });
  return openIdClient({
    issuer: `${publicUrl}/issuer`,
    clientId: client.id,
    clientSecret: client.secret,
    knownAs: builtInIssuer,
    accountUrl: `${publicUrl}/issuer/account`,
    publicUrl,
    clock,
    sharesClock: true,
    fetch,
  });
}

function watchFiles(ctx: Context, { dataDir, storage, databaseUrl }: Config, life: Life): Promise<() => void> {
  return watchStore(
    ctx,
    { mark: join(dataDir, "files-were-here"), isExpected: storage !== "disk" || databaseUrl === null },
    (health) => {
      life.files = health;
    },
  );
}

async function warnOfGaps(ctx: Context, config: Config): Promise<void> {
  if (!config.metaPixelId) ctx.log.warn("META_PIXEL_ID is absent: no visit is measured");
  if (config.mode !== "production") return;
  const claims = await listUnprovedClaims(ctx.db, ctx.clock.now());
  if (claims.length === 0) return;
  ctx.log.warn(
    { claims: claims.map(({ id }) => id) },
    `claims on the pages: ${unprovedWords(claims)}; see /admin/claims`,
  );
}

async function loadPages(ctx: Context, config: Config) {
  const build = await findBuild(builtPages);
  const headers = securityHeaders(config, ctx.gateway.browser.origins);
  const pages = await Pages.load(build, {
    headers,
    sessionCookie: sessionCookieName(config),
    site: config,
    factsNow: await watchPageFacts(ctx, config.timeLimitFactor, listRecordingVideos),
    onVisit(path, { method, query, headers }) {
      const opened = { method, path, query: query as Readonly<Record<string, unknown>>, headers };
      for (const step of stepsOf(opened)) ctx.visits.count(step);
    },
  });
  return { pages, headers };
}

/** Logs nothing below warnings meanwhile: neither Fastify's line about listening, nor each payment of the seed. */
async function quietly(log: Logger, work: () => Promise<unknown>): Promise<void> {
  const { level } = log;
  if (log.isLevelEnabled("info")) log.level = "warn";
  await work();
  log.level = level;
}
