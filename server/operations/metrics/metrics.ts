import { hash, timingSafeEqual } from "node:crypto";
import { statfs } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { dollarsOf } from "#contract/money.ts";
import { sumRenewing } from "#server/admin/statistics/queries.ts";
import { after, HOUR, MINUTE, SECOND } from "#server/base/clock.ts";
import { nothingHere } from "#server/base/refusal.ts";
import { listUnprovedClaims } from "#server/claims/claims.ts";
import { lookAhead } from "#server/coaching/meter.ts";
import type { Context } from "#server/context/context.ts";
import type { PoolFigures } from "#server/db/db.ts";
import { countOpenDiscrepancies } from "#server/discrepancies/discrepancies.ts";
import type { Connections } from "#server/http/load-shedding/connections.ts";
import type { LoadShedder } from "#server/http/load-shedding/load-shedder.ts";
import { wasTurnedAway } from "#server/http/problems.ts";
import { countJobs } from "#server/jobs/jobs.ts";
import { countUnknown, countUnresolvedPayments } from "#server/payments/attempts.ts";
import { readConversions } from "#server/studio/runs.ts";
import { listObstacles, obstacleReasons } from "#server/subscriptions/renewal-stops.ts";
import { countLateRenewals } from "#server/subscriptions/renewals.ts";
import { findBackupFailure, findBackupNote } from "../scheduled-backups.ts";
import { readJobDelays } from "./queries.ts";

export interface Load {
  readonly loadShedder: LoadShedder;
  readonly connections: Connections;
  readonly pools: Readonly<Record<string, PoolFigures>>;
  readonly signIns: { readonly failed: number };
  /** Milliseconds between scheduled backups; null: none. */
  readonly backupEvery: number | null;
  readonly dataDir: string;
}

/**
 * Only with METRICS_TOKEN, and in the demo for a scraper on this machine. `deploy/alerts.yml` is written against these
 * names.
 */
export function metricsRoutes(scope: FastifyInstance, ctx: Context, load: Load, access: MetricsAccess): void {
  const node = nodeMetrics();
  const own = new Registry();
  measureRequests(scope, own);
  measureLoad(own, load);
  measureDisk(own, load.dataDir);
  const backlog = backlogMetrics(load.backupEvery);

  scope.get("/metrics", { schema: { hide: true } }, async (request, reply) => {
    if (!mayScrape(access, request)) throw nothingHere();
    // Reads the process's metrics meanwhile. While the database is away its metrics are left out.
    const [ofNode, ofProcess, ofDatabase] = await Promise.all([
      node.metrics(),
      own.metrics(),
      readInTime(ctx, backlog),
    ]);
    return reply
      .type(Registry.PROMETHEUS_CONTENT_TYPE)
      .header("cache-control", "no-store")
      .send(`${ofNode}${ofProcess}${ofDatabase}`);
  });
}

let collected: Registry | undefined;

/** One registry for all academies of a process, because nothing ends the timers and observers of these metrics. */
function nodeMetrics(): Registry {
  if (collected) return collected;
  collected = new Registry();
  collectDefaultMetrics({ register: collected });
  return collected;
}

/** Milliseconds; Prometheus waits ten seconds. */
const readTimeout = 2 * SECOND;

async function readInTime(ctx: Context, backlog: ReturnType<typeof backlogMetrics>): Promise<string> {
  const read = backlog.read(ctx).then(
    () => backlog.registry.metrics(),
    () => "",
  );
  return Promise.race([read, delay(readTimeout, "", { ref: false })]);
}

/** @internal exported for tests */
export function measureRequests(scope: FastifyInstance, register: Registry): void {
  const answers = new Counter({
    name: "academy_http_answers_total",
    help: "Answers to requests that reached the router, by status; busy: turned away while the server is busy or stopping",
    labelNames: ["status"],
    registers: [register],
  });
  // Begins each series at 0: an alert sees no increase in one that begins with its first failure.
  for (const status of ["2xx", "3xx", "4xx", "5xx", "busy"]) answers.inc({ status }, 0);
  const durations = new Histogram({
    name: "academy_http_request_duration_seconds",
    help: "From the first line of a request to the end of its answer",
    labelNames: ["method", "route"],
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30],
    registers: [register],
  });
  scope.addHook("onResponse", (request, reply, done) => {
    answers.inc({ status: wasTurnedAway(request) ? "busy" : `${Math.floor(reply.statusCode / 100)}xx` });
    // Unknown addresses share one label, because each label value becomes a series.
    const { url = "none", config } = request.routeOptions;
    const route = config.countedAs ?? url;
    durations.observe({ method: request.method, route }, reply.elapsedTime / SECOND);
    done();
  });
}

function measureLoad(register: Registry, { loadShedder, connections, pools, signIns }: Load): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        this.set(read());
      },
    });
  gauge("academy_connections", "Connections from outside that are open", connections.count);
  gauge(
    "academy_requests_under_way",
    "Requests that arrived and are not answered",
    () => loadShedder.figures().inFlight,
  );
  gauge("academy_requests_unfinished", "Requests that have not arrived whole", () => loadShedder.figures().incomplete);
  const waiting = new Gauge({
    name: "academy_database_waiting",
    help: "Queries that wait for a connection to the database",
    labelNames: ["pool"],
    registers: [register],
    collect() {
      for (const [pool, figures] of Object.entries(pools)) this.set({ pool }, figures.waiting());
    },
  });
  waiting.reset();
  const refused = new Counter({
    name: "academy_refused_total",
    help: "Requests and connections that were turned away or closed for others, by what there was too much of",
    labelNames: ["limit"],
    registers: [register],
    collect() {
      this.reset();
      for (const [limit, count] of Object.entries(loadShedder.figures().refused)) this.inc({ limit }, count);
      this.inc({ limit: "connections" }, connections.ended());
    },
  });
  refused.reset();
  new Counter({
    name: "academy_sign_ins_failed_total",
    help: "Wrong passwords and codes at the built-in issuer",
    registers: [register],
    collect() {
      this.reset();
      this.inc(signIns.failed);
    },
  });
  const waits = new Histogram({
    name: "academy_database_wait_seconds",
    help: "How long queries waited for a connection to the database",
    labelNames: ["pool"],
    buckets: [0.001, 0.01, 0.1, 0.5, 1, 2.5, 5],
    registers: [register],
  });
  for (const [pool, figures] of Object.entries(pools)) {
    waits.zero({ pool });
    figures.onWait((seconds) => waits.observe({ pool }, seconds));
  }
}

function measureDisk(register: Registry, dataDir: string): void {
  new Gauge({
    name: "academy_data_free_bytes",
    help: "Free space of the disk that DATA_DIR is on; 0 when it cannot be read",
    registers: [register],
    async collect() {
      const disk = await statfs(dataDir).catch(() => null);
      this.set(disk ? disk.bavail * disk.bsize : 0);
    },
  });
}

function backlogMetrics(backupEvery: number | null) {
  const registry = new Registry();
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const jobsDue = gauge("academy_jobs_due", "Jobs that are due and not done");
  const jobsFailed = gauge("academy_jobs_failed", "Jobs that failed too often");
  const jobAge = gauge("academy_job_age_seconds", "Since the job that has been due longest fell due");
  const mails = gauge("academy_mails_waiting", "Emails that are due, or that the mail server has not accepted");
  const unresolved = gauge("academy_payments_unresolved", "Payments whose outcome is not known yet");
  const unknown = gauge(
    "academy_payments_unknown",
    "Payments whose outcome is not known five minutes after they were sent",
  );
  const discrepancies = gauge("academy_discrepancies_open", "Differences from the gateway's books that nobody settled");
  const renewals = gauge("academy_renewals_late", "Renewals that were due an hour ago and not tried");
  const videosWaiting = gauge("academy_videos_waiting", "Uploaded videos that wait for their conversion");
  const videosConverting = gauge("academy_videos_converting", "Uploaded videos that are being checked or converted");
  const videosFailed = gauge(
    "academy_videos_failed",
    "Uploaded videos whose conversion failed, until they are deleted",
  );
  const conversionAge = gauge(
    "academy_video_progress_age_seconds",
    "Since the conversion under way that stands still longest has advanced",
  );
  const conversionSeconds = gauge("academy_video_seconds", "From the upload to the last rendition, of the newest one");
  const unserved = gauge(
    "academy_coaching_unserved",
    "Students who can book 1-on-1 coaching in the next 30 days, beyond the times that are free",
  );
  const unproved = gauge("academy_claims_unproved", "Claims on the pages without proof");
  const active = gauge("academy_subscriptions_active", "Subscriptions that will renew, as /admin counts them");
  const recurring = gauge(
    "academy_recurring_revenue_dollars",
    "What they bring each 30 days, as /admin/money counts it",
  );
  const backupEverySeconds = gauge("academy_backup_every_seconds", "BACKUP_EVERY; 0: no backups by themselves");
  const backupAge = gauge("academy_backup_age_seconds", "Since the newest backup that the academy made by itself");
  const backupFailed = gauge("academy_backup_failed", "1: the newest backup that the academy tried by itself failed");
  const verifiedAge = gauge(
    "academy_backup_verified_age_seconds",
    "Since a backup was last restored into a database of its own and compared",
  );
  const stopped = new Gauge({
    name: "academy_renewals_stopped",
    help: "Whether renewals wait, and why",
    labelNames: ["reason"],
    registers: [registry],
  });
  return {
    registry,
    async read(ctx: Context): Promise<void> {
      const { db } = ctx;
      const now = ctx.clock.now();
      const [
        jobs,
        delays,
        unknownPayments,
        openDiscrepancies,
        open,
        late,
        obstacles,
        coaching,
        claims,
        renewing,
        backup,
        failure,
        conversions,
      ] = await Promise.all([
        countJobs(db, now),
        readJobDelays(db, now),
        countUnknown(db, after(now, -5 * MINUTE)),
        countOpenDiscrepancies(db),
        countUnresolvedPayments(db),
        countLateRenewals(db, after(now, -HOUR)),
        listObstacles(db),
        lookAhead(db, now),
        listUnprovedClaims(db, now),
        sumRenewing(db),
        findBackupNote(db),
        findBackupFailure(db),
        readConversions(db, now),
      ]);
      jobsDue.set(jobs.due);
      jobsFailed.set(jobs.failed);
      jobAge.set(delays.oldestSeconds);
      mails.set(delays.waitingMails);
      unresolved.set(open);
      unknown.set(unknownPayments);
      discrepancies.set(openDiscrepancies);
      renewals.set(late);
      videosWaiting.set(conversions.waiting);
      videosConverting.set(conversions.converting);
      videosFailed.set(conversions.failed);
      conversionAge.set(conversions.standstillSeconds);
      conversionSeconds.set(conversions.lastSeconds);
      unserved.set(coaching.unserved);
      unproved.set(claims.length);
      active.set(renewing.subscriptions);
      recurring.set(dollarsOf(renewing.cents));
      if (backupEvery !== null) {
        const secondsSince = (at: string | null | undefined) =>
          at ? (now.getTime() - Date.parse(at)) / SECOND : Number.POSITIVE_INFINITY;
        backupEverySeconds.set(backupEvery / SECOND);
        backupAge.set(secondsSince(backup?.madeAt));
        backupFailed.set(failure ? 1 : 0);
        verifiedAge.set(secondsSince(backup?.verifiedAt));
      }
      for (const reason of obstacleReasons) {
        stopped.set({ reason }, obstacles.some((obstacle) => obstacle.reason === reason) ? 1 : 0);
      }
    },
  };
}

interface MetricsAccess {
  readonly token: string | null;
  readonly isDemo: boolean;
}

/** A proxy on this machine connects from the loopback address too, and not every one adds its headers. */
function mayScrape({ token, isDemo }: MetricsAccess, request: FastifyRequest): boolean {
  const shown = request.headers.authorization?.replace(/^Bearer /, "");
  if (token && shown !== undefined && isEqual(shown, token)) return true;
  if (!isDemo) return false;
  const forwarded = ["forwarded", "x-forwarded-for", "x-real-ip"].some((name) => name in request.headers);
  return !forwarded && /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? "");
}

/** Compares in constant time. Node decodes headers as Latin-1, and a token may be any text. */
function isEqual(header: string, token: string): boolean {
  const [shown, expected] = [Buffer.from(header, "latin1"), Buffer.from(token)].map((text) =>
    hash("sha256", text, "buffer"),
  ) as [Buffer, Buffer];
  return timingSafeEqual(shown, expected);
}
