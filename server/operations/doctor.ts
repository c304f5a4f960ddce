import { existsSync } from "node:fs";
import { access, constants, mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { aheadWords } from "#contract/admin/coaching.ts";
import { discrepancyWords } from "#contract/admin/reconciliation.ts";
import { listUnbackedClaims, unbackedWords } from "#server/admin/claims/claims.ts";
import { findTeamRestored } from "#server/admin/team/restored.ts";
import { after, DAY, HOUR, MINUTE, SECOND, systemClock } from "#server/base/clock.ts";
import { lookAhead } from "#server/coaching/meter.ts";
import { type Config, readConfig } from "#server/context/config.ts";
import { type Db, migrationsFolder, openDb, openPool } from "#server/db/db.ts";
import { inspectStore, requireTouchable, type StoreState, storeName } from "#server/files/store-state.ts";
import { listUnnamed, takeInventory, trashedFor, unnamedFor } from "#server/files/sweep.ts";
import { authorizeNet } from "#server/gateway/authorize-net/authorize-net.ts";
import { trustNobody } from "#server/http/trusted-proxies.ts";
import { greetMailServer } from "#server/mail/smtp.ts";
import { openIdClient } from "#server/openid/relying-party.ts";
import { requireDatabaseOf } from "#server/process/database-mode.ts";
import { openLog } from "#server/process/log.ts";
import { examineBooks } from "#server/reconciliation/reconciliation.ts";
import { openStorage } from "#server/storage/open.ts";
import { clamdScanner } from "#server/storage/scanner.ts";
import { listObstacles } from "#server/subscriptions/renewal-stops.ts";
import { findLastBackup } from "./backup.ts";
import { connectDatabase } from "./connect-database.ts";
import { tryProxies } from "./proxy-check.ts";
import { dbOf, listWithoutSecondFactor, readBacklog } from "./queries.ts";
import { countWaitingMigrations, describeDatabase, listMigrations } from "./rows.ts";
import { type BackupNote, findBackupNote } from "./scheduled-backups.ts";
import { refuseUnfinishedRestore, refuseUnfinishedRows } from "./unfinished-restore.ts";

interface Finding {
  readonly name: string;
  readonly problem: boolean;
  /** The academy works as it is, but its operator should act. */
  readonly warning?: boolean;
  readonly detail: string;
}

const oldestNode = [24, 15] as const;
const oldestPostgres = 15;
const minFreeBytes = 1024 ** 3;
const oldestBackup = DAY + 2 * HOUR;
const oldestVerified = 9 * DAY;

/** Changes nothing. It works while the academy runs and while it does not. */
export async function* examine(
  environment: Readonly<Record<string, string | undefined>>,
  nodeVersion: string,
): AsyncGenerator<Finding> {
  yield inspect("Node", async () => {
    const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
    if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return nodeVersion;
    throw new Error(`${nodeVersion} is too old: run this by npm, which brings ${oldestNode.join(".")} or newer.`);
  });
  let config: Config | undefined;
  yield inspect("Configuration", async () => {
    config = readConfig(environment);
    return `complete for ${config.mode === "demo" ? "a demo" : "production"}`;
  });
  if (!config) return;
  const { dataDir, smtpUrl, scannerUrl, oidc, gateway } = config;
  yield inspect("DATA_DIR", () => checkDataDir(dataDir));
  const unfinished = await inspect("Restore", async () => {
    refuseUnfinishedRestore(dataDir);
    return "none is under way";
  });
  if (unfinished.problem) return yield unfinished;
  const isServing = await answers(config);
  yield inspect("Academy", () => checkAcademy(isServing));
  let scheduled: BackupNote | null = null;
  yield* checkDatabase(config, isServing !== null, environment.TRUST_PROXY?.trim() ?? "", async (db) => {
    scheduled = await findBackupNote(db);
  });
  if (smtpUrl) {
    yield inspect("Mail server", () => greetMailServer(smtpUrl).then(() => "takes our mail", advise("check SMTP_URL")));
  }
  if (scannerUrl) {
    const scanner = clamdScanner(scannerUrl);
    yield inspect("Malware scanner", () => scanner.greet().then(() => "answers", advise("check CLAMAV_URL")));
  }
  if (oidc !== "built-in") {
    const provider = openIdClient({ ...oidc, publicUrl: config.publicUrl, clock: systemClock });
    yield inspect("Sign-in", () =>
      provider.start("/").then(() => `${oidc.issuer} answers`, advise("check OIDC_ISSUER")),
    );
  }
  if (gateway.environment !== "demo") {
    yield inspect("Card gateway", async () => {
      const { success, message } = await authorizeNet({ ...gateway, log: openLog("silent") }).testConnection();
      if (success) return message;
      throw new Error(`${message} Check AUTHORIZE_NET_API_LOGIN_ID and AUTHORIZE_NET_TRANSACTION_KEY.`);
    });
  }
  yield inspect("Backup", () => checkBackup(config as Config, scheduled));
}

async function inspect(name: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { name, problem: false, detail: await check() };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { name, problem: true, detail: detail.replaceAll("\n", " ") };
  }
}

function advise(what: string) {
  return (error: unknown): never => {
    const { message, code } = error as Error & { code?: string };
    // Of several addresses that were tried, the error has no message of its own.
    throw new Error(`${message || code}: ${what}.`);
  };
}

async function checkDataDir(dataDir: string): Promise<string> {
  if (!existsSync(dataDir)) return `${dataDir} will be made at the first start`;
  await access(dataDir, constants.W_OK | constants.X_OK).catch(advise("let the academy's account write there"));
  const { bavail, bsize } = await statfs(dataDir);
  const free = `${((Number(bavail) * Number(bsize)) / 1024 ** 3).toFixed(1)} GB free`;
  if (bavail * bsize < minFreeBytes) throw new Error(`${dataDir} has ${free}: free some space, or writing will fail.`);
  return `${dataDir}, ${free}`;
}

async function answers({ host, port }: Config): Promise<boolean | null> {
  const name = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host;
  const url = `http://${name.includes(":") ? `[${name}]` : name}:${port}/readyz`;
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(5 * SECOND) })).ok;
  } catch {
    return null; // Nobody there, which is no problem by itself.
  }
}

async function checkAcademy(isServing: boolean | null): Promise<string> {
  if (isServing === null) return "does not run at HOST and PORT";
  if (isServing) return "serves";
  throw new Error("runs and does not serve: GET /readyz says why, and so does its log.");
}

async function* checkDatabase(
  config: Config,
  isRunning: boolean,
  trustProxy: string,
  alsoRead: (db: Db) => Promise<void>,
): AsyncGenerator<Finding> {
  const isFirstStart = !config.databaseUrl && !existsSync(join(config.dataDir, "postgres"));
  if (isFirstStart) return yield { name: "Database", problem: false, detail: "will be made at the first start" };
  const database = await connectDatabase(config).catch((error: Error) => error);
  if (database instanceof Error) return yield { name: "Database", problem: true, detail: database.message };
  const client = new pg.Client({
    ...database.connection,
    application_name: "academy doctor",
    connectionTimeoutMillis: 5000,
    query_timeout: 20_000,
  });
  client.on("error", () => {}); // A connection that is lost between two queries fails the next one.
  const pool = openPool(database.connection, () => {}, 3, { application_name: "academy doctor" });
  try {
    const reached = await inspect("Database", () =>
      client.connect().then(() => checkServer(client, isRunning), advise("check DATABASE_URL")),
    );
    yield reached;
    if (reached.problem) return;
    const db = openDb(pool);
    yield* checkContents(config, client, db, { isRunning, trustProxy });
    await alsoRead(db).catch(() => {}); // What it reads from has been examined.
  } finally {
    await pool.end();
    await client.end().catch(() => {}); // It may never have been connected.
    await database.close();
  }
}

async function* checkContents(
  config: Config,
  client: pg.Client,
  db: Db,
  { isRunning, trustProxy }: { isRunning: boolean; trustProxy: string },
): AsyncGenerator<Finding> {
  const rows = await inspect("Restore", () => refuseUnfinishedRows(client).then(() => "none is under way"));
  if (rows.problem) return yield rows;
  const mode = await inspect("Mode", () => checkMode(client, config));
  yield mode;
  if (mode.problem) return;
  if ((await countWaitingMigrations(client)) > 0) {
    return yield { name: "Contents", problem: false, detail: "are examined when the database is up to date" };
  }
  if (config.trustProxy !== trustNobody) {
    yield inspect("Proxies", async () =>
      isRunning ? tryProxies(db, config.publicUrl, trustProxy) : "are checked while the academy runs",
    );
  }
  yield* checkWork(db, isRunning);
  yield* examineAllBooks(config, db);
  yield checkCoaching(db);
  yield checkClaims(db);
  yield inspect("Team", () => checkTeam(db));
  yield inspect("Files", () => checkFiles(config, client));
  if (config.oidc === "built-in") yield inspect("Administrators", () => checkAdministrators(db, config));
}

async function* checkWork(db: Db, isRunning: boolean): AsyncGenerator<Finding> {
  const now = new Date();
  const backlog = await readBacklog(db, {
    overdueSince: after(now, -5 * MINUTE),
    unknownSince: after(now, -15 * MINUTE),
  });
  yield inspect("Jobs", async () => {
    const { failedJobs, overdueJobs } = backlog;
    if (failedJobs.length > 0)
      throw new Error(`gave up: ${failedJobs.join(", ")}. The log says why, the table jobs has them.`);
    if (overdueJobs > 0 && isRunning)
      throw new Error(`${overdueJobs} late by minutes: look for "job failed" in the log.`);
    return overdueJobs > 0 ? `${overdueJobs} wait for the academy to run` : "none failed, none late";
  });
  yield inspect("Payments", async () => {
    const { unknownPayments } = backlog;
    if (unknownPayments > 0)
      throw new Error(`${unknownPayments} of unknown outcome for a quarter of an hour: is the gateway reachable?`);
    return "every outcome is known";
  });
  yield inspect("Renewals", async () => {
    const obstacles = await listObstacles(db);
    if (obstacles.length > 0) throw new Error(obstacles.map(({ sentence }) => sentence).join(" "));
    return "nothing keeps them from being charged";
  });
}

/** More sessions sold than coaches have hours for is a warning, no problem: the academy itself works. */
async function checkCoaching(db: Db): Promise<Finding> {
  let unserved = 0;
  const finding = await inspect("Coaching", async () => {
    const ahead = await lookAhead(db, new Date());
    unserved = ahead.unserved;
    return unserved > 0 ? `${aheadWords(ahead)} Open more hours at /admin/coaching.` : aheadWords(ahead);
  });
  return { ...finding, warning: unserved > 0 };
}

const maxClaims = 30;

/** What the pages claim is the owner's to answer for: the academy works with it. */
async function checkClaims(db: Db): Promise<Finding> {
  let unbacked = 0;
  const finding = await inspect("Claims", async () => {
    const claims = await listUnbackedClaims(db, new Date());
    unbacked = claims.length;
    if (unbacked === 0) return "our data or a record back each one on the pages";
    const more = unbacked > maxClaims ? ` and ${unbacked - maxClaims} more` : "";
    return `${unbackedWords(claims.slice(0, maxClaims))}${more}. Back them or take them off at /admin/claims.`;
  });
  return { ...finding, warning: unbacked > 0 };
}

/** A problem, as on the checklist: somebody who was dismissed may have a role again. */
async function checkTeam(db: Db): Promise<string> {
  const restoredAt = await findTeamRestored(db);
  if (!restoredAt) return "no backup was restored, or an owner has confirmed the roles since";
  const date = restoredAt.toISOString().slice(0, 10);
  throw new Error(
    `a backup was restored on ${date}, and people who were dismissed since it was made have their roles again: take away at /admin/team what should be gone; an owner of ADMIN_EMAILS confirms the team there.`,
  );
}

async function checkMode(client: pg.Client, { mode, databaseUrl }: Config): Promise<string> {
  await requireDatabaseOf(client, mode);
  if (mode === "demo") return "a demo's database";
  return databaseUrl
    ? "a production database"
    : "a production database, embedded: a server of its own can be shared by nodes";
}

const maxSentences = 20;

async function* examineAllBooks(config: Config, db: Db): AsyncGenerator<Finding> {
  const outside = await connectGateway(config);
  const examined = await examineBooks(db, outside).catch((error: Error) => error);
  if (examined instanceof Error) return yield { name: "Books", problem: true, detail: examined.message };
  for (const { kind, sentence } of examined.slice(0, maxSentences)) {
    const actions = discrepancyWords[kind].actions.map(({ label }) => label).join(" or ");
    yield { name: "Books", problem: true, detail: `${sentence} At /admin/reconciliation: ${actions}.` };
  }
  if (examined.length > maxSentences) {
    const more = `${examined.length - maxSentences} more discrepancies: see /admin/reconciliation.`;
    yield { name: "Books", problem: true, detail: more };
  }
  if (examined.length > 0) return;
  const detail = outside.gateway ? "agree with themselves and with the gateway's" : "agree; the gateway was not asked";
  yield { name: "Books", problem: false, detail };
}

/** In a demo the sandbox tells the time, and answers only while it runs. */
async function connectGateway({ gateway, sandboxUrl, publicUrl }: Config): Promise<Parameters<typeof examineBooks>[1]> {
  const log = openLog("silent");
  if (gateway.environment !== "demo") return { gateway: authorizeNet({ ...gateway, log }), now: new Date() };
  try {
    const address = new URL("/sandbox/api/", sandboxUrl ?? publicUrl);
    const answer = await fetch(address, { signal: AbortSignal.timeout(5 * SECOND) });
    const sandbox = (await answer.json()) as { gateway: Parameters<typeof authorizeNet>[0]; now: string };
    return { gateway: authorizeNet({ ...sandbox.gateway, log }), now: new Date(sandbox.now) };
  } catch {
    return { gateway: null, now: null }; // The sandbox rests with the academy.
  }
}

async function checkServer(client: pg.Client, isRunning: boolean): Promise<string> {
  const { version, now } = await describeDatabase(client);
  if (Number.parseInt(version, 10) < oldestPostgres)
    throw new Error(`PostgreSQL ${version} is too old: ${oldestPostgres} or newer is needed.`);
  const apart = Math.abs(now.getTime() - Date.now());
  if (apart > 5 * SECOND)
    throw new Error(`its clock and this machine's are ${Math.round(apart / SECOND)} seconds apart: set them by NTP.`);
  const [known, applied] = await Promise.all([readdir(migrationsFolder), listMigrations(client)]);
  const newer = applied.filter((name) => !known.includes(name));
  if (newer.length > 0) throw new Error(`it belongs to a newer academy (${newer.join(", ")}): install that release.`);
  const waiting = await countWaitingMigrations(client);
  if (waiting > 0 && isRunning) throw new Error(`${waiting} migrations are not applied: restart the academy.`);
  return `PostgreSQL ${version}, ${waiting > 0 ? `${waiting} migrations wait for the next start` : "up to date"}`;
}

/** A warning only: without second factors the academy works, and is easier to attack. */
async function checkAdministrators(db: Db, { adminEmails, publicUrl }: Config): Promise<string> {
  const without = await listWithoutSecondFactor(db, adminEmails);
  if (!without) return "the second factor comes with the next start";
  if (without.length === 0) return "each sign-in account has a second factor";
  const page = `${publicUrl}/issuer/account/second-factor`;
  return `a password is all it takes to be ${without.join(", ")}: better turn on the second factor at ${page}`;
}

async function checkFiles(config: Config, client: pg.Client): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), "academy-doctor-"));
  try {
    const storage = await openStorage(config.storage, join(config.dataDir, "files"), scratch);
    const store = { db: dbOf(client), storage };
    const state = await inspectStore(store);
    requireTouchable(state, config);
    if (state === "missing") {
      throw new Error(
        `${storeName(config)} is empty, and rows name files: mount the volume or name the store that has them.`,
      );
    }
    const { named, missing, unnamed, trashed } = await takeInventory(store);
    if (missing.length > 0) {
      throw new Error(
        `missing of ${named}: ${missing.join(", ")}. Take them from a backup, or delete the resources at /admin-upload.`,
      );
    }
    const facts = [`${named} that rows name, all there`];
    if (unnamed.length > 0) facts.push(await forecastSweep(store.db, unnamed, state));
    if (trashed.length > 0) facts.push(`${trashed.length} in the trash, for ${trashedFor / DAY} days each`);
    if (state === "copied") {
      facts.push("another copy of this database had them last, so nothing is removed until npm run adopt-files");
    }
    return facts.join("; ");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function forecastSweep(db: Db, unnamed: readonly string[], state: StoreState): Promise<string> {
  const since = new Map((await listUnnamed(db)).map(({ key, firstSeenAt }) => [key, firstSeenAt]));
  const dates = unnamed.map((key) =>
    after(since.get(key) ?? new Date(), unnamedFor)
      .toISOString()
      .slice(0, 10),
  );
  const named = unnamed.slice(0, 10).map((key, at) => `${key} from ${dates[at]} on`);
  const rest = unnamed.length > 10 ? ` and ${unnamed.length - 10} more` : "";
  const verb = state === "ours" ? "will go" : "would go";
  return `${unnamed.length} that no row names ${verb} to the trash: ${named.join(", ")}${rest}`;
}

/** @param scheduled of those that the academy makes by itself, on whichever node; null also when nobody can be asked. */
async function checkBackup(config: Config, scheduled: BackupNote | null): Promise<string> {
  const { every } = config.backups;
  const own = (await findLastBackup(config))?.madeAt ?? "";
  const last = [own, scheduled?.madeAt ?? ""].sort().at(-1);
  const age = last ? Date.now() - Date.parse(last) : Number.POSITIVE_INFINITY;
  const facts = [last ? `the last one is of ${last}` : "none was made on this machine"];
  if (every !== null) {
    facts.push(
      scheduled?.verifiedAt ? `one was restored and compared at ${scheduled.verifiedAt}` : "none was verified",
    );
  }
  const what = facts.join("; ");
  if (config.mode !== "production") return what;
  if (age > (every === null ? oldestBackup : 1.5 * every)) {
    throw new Error(`${what}: ${every === null ? "set BACKUP_EVERY" : 'look for "back-up" in the log'}.`);
  }
  if (every !== null && Date.now() - Date.parse(scheduled?.verifiedAt ?? "1970-01-01") > oldestVerified) {
    throw new Error(`${what}: look for "verified" and "back-up" in the log.`);
  }
  return what;
}
