import { createHmac } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type pg from "pg";
import type { Logger } from "pino";
import { demoAccounts, demoPassword } from "#content/demo-accounts.ts";
import { seedCatalogue } from "#server/catalogue/catalogue.ts";
import { watchPageFacts } from "#server/catalogue/page-facts.ts";
import { injectFetch } from "#server/identity/openid/in-process-fetch.ts";
import { openIdClient } from "#server/identity/openid/openid.ts";
import { logoutPath } from "#server/identity/routes.ts";
import { sessionCookieName } from "#server/identity/sessions/sessions.ts";
import { builtInIssuer } from "#server/identity/users.ts";
import { type DataDir, openDataDir } from "#server/process/data-dir.ts";
import { claimDatabase, requireDatabaseOf } from "#server/process/database-mode.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type Config, ConfigError } from "./config.ts";
import type { Context } from "./context.ts";
import { type Connection, figuresOf, migrate, openDb, openPool, openReadPool } from "./db/db.ts";
import { startEmbeddedPostgres } from "./db/embedded.ts";
import { openProbe } from "./db/probe.ts";
import { DatabaseUnavailable } from "./db/unavailable.ts";
import { claimStore, requireTouchable, storeName } from "./files/store-state.ts";
import { watchStore } from "./files/watch.ts";
import { authorizeNet } from "./gateway/authorize-net/authorize-net.ts";
import type { Life } from "./http/health.ts";
import { findBuild } from "./http/pages/build.ts";
import { Pages } from "./http/pages/pages.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { handledJobs, scheduleRegularJobs } from "./job-handlers.ts";
import { defineJob, scheduleJob } from "./jobs/jobs.ts";
import { handleJob, startJobs } from "./jobs/runner.ts";
import { smtpMail } from "./mail/smtp.ts";
import { refuseUnfinishedRestore, refuseUnfinishedRows } from "./operations/unfinished-restore.ts";
import { paymentHandlers } from "./payment-handlers.ts";
import { Refusal } from "./refusal.ts";
import { seedDemo } from "./seed.ts";
import { buildServer } from "./server.ts";
import { clearIncoming } from "./storage/incoming.ts";
import { openStorage } from "./storage/open.ts";
import type { Store } from "./storage/owner.ts";
import { clamdScanner } from "./storage/scanner.ts";
import { videoServices } from "./video/video.ts";

const builtPages = fileURLToPath(new URL("../dist/client", import.meta.url));

/** An academy in this process. */
export interface Academy {
  readonly life: Life;
  /**
   * It serves, by this server; rejects when it cannot, and what was opened until then stays open until `close`.
   */
  readonly ready: Promise<FastifyInstance>;
  /** No new work, what is under way ends, everything closes. */
  close(): Promise<void>;
}

/** What was opened, to be closed in the opposite order. */
type Opened = (() => Promise<void> | void)[];

export function openAcademy(config: Config, log: Logger): Academy {
  const opened: Opened = [];
  const life: Life = { stage: "starting", files: "unreachable" };
  return {
    life,
    ready: start(config, log, life, opened),
    async close() {
      life.stage = "draining";
      for (const close of opened.splice(0).reverse()) await close();
    },
  };
}

async function start(config: Config, log: Logger, life: Life, opened: Opened): Promise<FastifyInstance> {
  const dataDir = openDataDir(config.dataDir);
  opened.push(() => dataDir.release());
  refuseUnfinishedRestore(dataDir.path);

  const connection = await connect(config, dataDir, log, opened);
  const noteLoss = (error: Error) => log.warn({ err: error }, "database connection lost");
  const pool = openPool(connection, noteLoss);
  const reserve = openPool(connection, noteLoss, 4);
  const reads = openReadPool(connection, noteLoss);
  opened.push(async () => void (await Promise.all([pool, reserve, reads].map((each) => each.end()))));
  const probe = openProbe(connection);
  opened.push(() => probe.close());
  await reach(pool, log);
  await refuseUnfinishedRows(pool);
  await requireDatabaseOf(pool, config.mode);
  await migrate(pool);
  await claimDatabase(pool, config.mode);

  const outside = await openOutside(config, dataDir, opened);
  const gateway = config.gateway.environment === "demo" ? outside?.gateway : config.gateway;
  const smtpUrl = config.smtpUrl ?? outside?.smtpUrl;
  if (!gateway || !smtpUrl) throw new ConfigError("Neither a gateway and a mail server nor the sandbox is configured.");
  const mail = smtpMail(smtpUrl, config.mailFrom, new URL(config.publicUrl).hostname);
  opened.push(() => mail.close());

  const secrets = config.sessionSecrets.length > 0 ? config.sessionSecrets : [dataDir.secret("session")];
  const client = {
    id: "academy",
    secret: createHmac("sha256", secrets[0] ?? "")
      .update("relying party")
      .digest("base64url"),
    redirectUris: [`${config.publicUrl}/api/auth/callback`],
    postLogoutRedirectUris: [`${config.publicUrl}/`],
    backchannelLogoutUri: `${config.publicUrl}${logoutPath}`,
  };
  const clock = outside?.clock ?? systemClock;
  const storage = await openStorage(config.storage, join(dataDir.path, "files"));
  await takeStore(config, { db: openDb(pool), storage }, clock.now(), log);
  let app: FastifyInstance | undefined;
  const ctx: Context = {
    config,
    db: openDb(pool, reads),
    reserve: openDb(reserve, reads),
    gateway: authorizeNet({ ...gateway, log }),
    mail,
    storage,
    scanner: config.scannerUrl ? clamdScanner(config.scannerUrl) : null,
    video: videoServices(config.video),
    clock,
    // By the oldest secret: while a new one comes in, all nodes know that one, and count the same.
    hashClient: ({ key }) =>
      createHmac("sha256", secrets.at(-1) ?? "")
        .update(`client ${key}`)
        .digest("base64url"),
    log,
    paymentHandlers,
    openId:
      config.oidc === "built-in"
        ? openIdClient({
            issuer: `${config.publicUrl}/issuer`,
            clientId: client.id,
            clientSecret: client.secret,
            knownAs: builtInIssuer,
            accountUrl: `${config.publicUrl}/issuer/account`,
            publicUrl: config.publicUrl,
            clock,
            sharesClock: true,
            fetch: (input, init) => {
              if (!app) throw new Error("the server is not built yet");
              return injectFetch(app)(input, init);
            },
          })
        : openIdClient({ ...config.oidc, publicUrl: config.publicUrl, clock }),
  };
  const stopWatching = await watchStore(ctx, (health) => {
    life.files = health;
  });
  opened.push(stopWatching);
  await seedCatalogue(ctx);

  const build = await findBuild(builtPages);
  const headers = securityHeaders(config, build.firstScript, ctx.gateway.browser.origins);
  if (!config.metaPixelId) log.warn("META_PIXEL_ID is absent: no visit is measured");
  const pages = await Pages.load(build, {
    headers,
    sessionCookie: sessionCookieName(config),
    site: config,
    factsNow: await watchPageFacts(ctx),
  });
  const jobKinds = [...handledJobs];
  let importAccounts: Parameters<typeof seedDemo>[2] = async () => {};
  app = await buildServer(ctx, {
    pages,
    headers,
    cookieSecrets: secrets,
    life,
    probe,
    pools: { main: figuresOf(pool), payments: figuresOf(reserve), reads: figuresOf(reads) },
    mount: async (server) => {
      if (outside?.routes) await server.register(outside.routes, { prefix: "/sandbox" });
      if (config.oidc !== "built-in") return;
      // Loaded only here: it takes memory that an academy with another provider would hold for nothing.
      const [{ mountIssuer }, { MailOrder }] = await Promise.all([
        import("#issuer/issuer.ts"),
        import("#issuer/mails.ts"),
      ]);
      const mailJob = defineJob("mail-of-issuer", MailOrder, { lane: "mail" });
      const issuer = await mountIssuer(server, {
        url: `${config.publicUrl}/issuer`,
        db: ctx.db,
        mail,
        enqueueMail: (tx, order) => {
          const now = clock.now();
          return scheduleJob(tx, mailJob, { data: order, runAt: now, now });
        },
        clock,
        secrets,
        client,
        send: injectFetch(server),
        reservedEmails: config.adminEmails,
        homeUrl: `${config.publicUrl}/api/login`,
        profileUrl: `${config.publicUrl}/api/login?returnTo=%2Fprofile`,
        contactUrl: `${config.publicUrl}/contact`,
        stylesheet: pages.issuerStylesheet,
        demoAccounts:
          config.mode === "demo"
            ? demoAccounts.map((account) => ({ ...account, password: demoPassword, emailVerified: true }))
            : [],
      });
      importAccounts = issuer.importAccounts;
      jobKinds.push(handleJob(mailJob, (_ctx, order, jobId) => issuer.sendMail(order, jobId)));
    },
  });
  const server = app;
  opened.push(() => server.close());
  await quietly(log, () => server.listen({ host: config.host, port: config.port }));

  if (config.mode === "demo" && config.gateway.environment === "demo") {
    await quietly(log, () => seedDemo(ctx, gateway.apiUrl, importAccounts));
  }
  // Only now: what the demo's people did on days that are past would be due at once.
  const jobs = startJobs(ctx, jobKinds);
  opened.push(() => jobs.stop());
  clock.onMove(() => jobs.runDue());
  await scheduleRegularJobs(ctx);
  life.stage = "serving";
  return server;
}

/** The sandbox, mounted here or followed where it runs apart; null in production, where nothing of it is even loaded. */
async function openOutside(config: Config, dataDir: DataDir, opened: Opened): Promise<Outside | null> {
  if (config.mode === "production") return null;
  if (config.sandboxUrl) {
    const { followSandbox } = await import("#sandbox/follow.ts");
    const followed = await followSandbox(config.sandboxUrl, listeningUrl(config));
    opened.push(() => followed.close());
    return followed;
  }
  const { openSandbox } = await import("#sandbox/sandbox.ts");
  const sandbox = await openSandbox({
    dataDir: `${dataDir.path}/sandbox`,
    url: config.publicUrl,
    academyUrl: listeningUrl(config),
    stylesheet: null,
  });
  opened.push(() => sandbox.close());
  // Our own calls go to the socket we listen on: the public address may lead through a proxy that does not lead back.
  const apiUrl = sandbox.gateway.apiUrl.replace(config.publicUrl, listeningUrl(config));
  return { ...sandbox, gateway: { ...sandbox.gateway, apiUrl } };
}

interface Outside {
  readonly clock: Clock;
  readonly smtpUrl: string;
  readonly gateway: Omit<Parameters<typeof authorizeNet>[0], "log">;
  readonly routes?: FastifyPluginAsync;
}

function listeningUrl(config: Config): string {
  const host = ["0.0.0.0", "::"].includes(config.host) ? "127.0.0.1" : config.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${config.port}`;
}

async function connect(config: Config, dataDir: DataDir, log: Logger, opened: Opened): Promise<Connection> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl };
  if (config.mode === "production") {
    log.warn(
      "the embedded database serves one machine: for production, a PostgreSQL server of its own is DATABASE_URL",
    );
  }
  const embedded = await startEmbeddedPostgres(dataDir.path);
  embedded.onExit((message) => log.warn(message));
  opened.push(() => embedded.stop());
  return embedded.connection;
}

/** Waits ten seconds for a database that is just starting; anything else that is wrong is told at once. */
async function reach(pool: pg.Pool, log: Logger): Promise<void> {
  const patientUntil = performance.now() + 10_000;
  for (let looks = 0; ; looks++) {
    try {
      await pool.query("select 1");
      return;
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      const starting =
        ["ECONNREFUSED", "ECONNRESET", "ENOENT", "EAI_AGAIN", "57P03"].includes(code ?? "") ||
        message === "Connection terminated unexpectedly";
      if (!starting || performance.now() > patientUntil) {
        throw new DatabaseUnavailable(`The database of DATABASE_URL cannot be used: ${message || code}.`);
      }
      if (looks === 0) log.warn(`the database of DATABASE_URL does not answer yet: ${message || code}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/**
 * Takes the file store for this academy, or refuses it. One that does not answer now may do so later: nothing is stored
 * or removed in it before.
 */
async function takeStore(config: Config, store: Store, now: Date, log: Logger): Promise<void> {
  const late = new Refusal("unavailable", "The file store does not answer.");
  const state = await Promise.race([claimStore(store, now), rejectAfter(10_000, late)]).catch((error) => {
    if (error instanceof Refusal) return error;
    throw error;
  });
  if (state instanceof Refusal) return log.error({ err: state }, "the file store cannot be reached");
  requireTouchable(state, config);
  if (state === "ours") await clearIncoming(store.storage.incoming);
  else
    log.warn({ state }, `the files in ${storeName(config)} are not known to be all of this academy's: none is removed`);
}

function rejectAfter(milliseconds: number, error: Error): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(error), milliseconds).unref();
  });
}

/** Logs warnings alone: not Fastify's own line, as the one about it is ours, and no payment that the seed makes. */
async function quietly(log: Logger, work: () => Promise<unknown>): Promise<void> {
  const { level } = log;
  if (log.isLevelEnabled("info")) log.level = "warn";
  await work();
  log.level = level;
}
