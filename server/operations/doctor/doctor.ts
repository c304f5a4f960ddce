import { existsSync } from "node:fs";
import { access, constants, readdir, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { isBeyondAscii } from "#contract/email-address.ts";
import { SECOND, systemClock } from "#server/base/clock.ts";
import { type Config, readConfig } from "#server/context/config.ts";
import { hintsAt } from "#server/context/environment.ts";
import {
  beforeFirstRelease,
  type Db,
  findMigrationLock,
  hasReplaced,
  migrationsFolder,
  openDb,
  openPool,
} from "#server/db/db.ts";
import { authorizeNet } from "#server/gateway/authorize-net/authorize-net.ts";
import { trustNobody } from "#server/http/trusted-proxies.ts";
import { greetMailServer, offersUtf8 } from "#server/mail/smtp.ts";
import { openIdClient } from "#server/openid/relying-party.ts";
import { isClaimed, requireDatabaseOf } from "#server/process/database-mode.ts";
import { openLog } from "#server/process/log.ts";
import { openStorage } from "#server/storage/open.ts";
import type { S3Config } from "#server/storage/s3.ts";
import { clamdScanner } from "#server/storage/scanner.ts";
import { describeFfmpeg, findFfmpeg, missingEncoders } from "#server/studio/find-ffmpeg.ts";
import { connectDatabase } from "../connect-database.ts";
import { tryProxies } from "../proxy-check.ts";
import { countWaitingMigrations, describeDatabase, listMigrations } from "../rows.ts";
import { findBackupFailure, findBackupNote } from "../scheduled-backups.ts";
import { refuseUnfinishedRestore, refuseUnfinishedRows } from "../unfinished-restore.ts";
import { checkBooks } from "./books.ts";
import { checkAdministrators, checkClaims, checkCoaching, checkTeam, checkWork } from "./contents.ts";
import { checkBackup, checkFiles, type DatabaseBackups } from "./files.ts";
import { advise, type Finding, inspect } from "./finding.ts";

const oldestNode = [24, 15] as const;
const oldestPostgres = 15;
const minFreeBytes = 1024 ** 3;

const cardsIn = {
  demo: "with the gateway's stand-in: no card is charged",
  sandbox: "with the gateway's sandbox: no card is charged",
  production: "with the live gateway: cards are charged",
} as const;

/** Examines the installation, beside a running academy or without one, and changes nothing. */
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
    const mode = config.mode === "demo" ? "a demo" : "production";
    return [`complete for ${mode}, ${cardsIn[config.gateway.environment]}`, ...hintsAt(environment)].join("; ");
  });
  if (!config) return;
  const { dataDir, smtpUrl, supportEmail, mailFrom, scannerUrl, oidc, gateway } = config;
  yield inspect("DATA_DIR", () => checkDataDir(dataDir));
  const { storage } = config;
  if (storage !== "disk") {
    yield inspect("Object store", () => checkObjectStore(storage));
  }
  const unfinished = await inspect("Restore", async () => {
    refuseUnfinishedRestore(dataDir);
    return "none is under way";
  });
  if (unfinished.problem) return yield unfinished;
  const isServing = await answers(config);
  yield inspect("Academy", () => checkAcademy(isServing));
  let backups: DatabaseBackups = { isNew: false, scheduled: null, failure: null };
  yield* checkDatabase(config, isServing !== null, environment.TRUST_PROXY?.trim() ?? "", (found) => {
    backups = found;
  });
  yield inspect("Backup", () => checkBackup(config as Config, backups));
  if (smtpUrl) {
    const { hostname } = new URL(config.publicUrl);
    yield inspect("Mail server", async () => {
      await greetMailServer(smtpUrl, hostname).catch(advise("mail server"));
      const beyond = [supportEmail, mailFrom.address].find(isBeyondAscii);
      if (beyond && !(await offersUtf8(smtpUrl, hostname))) {
        throw new Error(`It can't write to or from ${beyond}. Use an address with only ASCII letters before the @.`);
      }
      return "takes our mail";
    });
  }
  if (scannerUrl) {
    const scanner = clamdScanner(scannerUrl);
    yield inspect("Malware scanner", () => scanner.greet().then(() => "answers", advise("scanner")));
  }
  yield checkFfmpeg(config);
  if (oidc !== "built-in") {
    const provider = openIdClient({ ...oidc, publicUrl: config.publicUrl, clock: systemClock });
    yield inspect("Sign-in", () => provider.start("/").then(() => `${oidc.issuer} answers`, advise("sign-in")));
  }
  if (gateway.environment !== "demo") {
    const { host } = new URL(gateway.apiUrl);
    yield inspect("Card gateway", async () => {
      const { testConnection } = authorizeNet({ ...gateway, log: openLog("silent") });
      const { success, message } = await testConnection().catch(({ message }: Error) => {
        throw new Error(`${message} Check that this machine reaches ${host}.`);
      });
      if (success) return message;
      throw new Error(`${message} Check AUTHORIZE_NET_API_LOGIN_ID and AUTHORIZE_NET_TRANSACTION_KEY.`);
    });
  }
}

/** Debian supports its releases for five years, with security fixes. */
const oldestFfmpeg = 5;

/** Without ffmpeg the academy works, and converts no videos. */
async function checkFfmpeg(config: Config): Promise<Finding> {
  const name = "ffmpeg";
  const path = await findFfmpeg(config);
  if (path === null && config.ffmpegPath !== null) {
    return { name, problem: true, detail: `FFMPEG_PATH leads to no program: ${config.ffmpegPath}` };
  }
  if (path === null) {
    const detail =
      "is not installed: uploaded videos are served only if they are MP4 with H.264 and AAC. Install it (apt-get install ffmpeg), or set FFMPEG_PATH";
    return { name, problem: false, warning: true, detail };
  }
  let isOld = false;
  const finding = await inspect(name, async () => {
    const { version, year } = await describeFfmpeg(path);
    const missing = await missingEncoders(path);
    if (missing.length > 0) {
      throw new Error(
        `${version} at ${path} can't convert videos: it lacks ${missing.join(" and ")}. Install another.`,
      );
    }
    const age = year === null ? null : new Date().getFullYear() - year;
    isOld = config.mode === "production" && age !== null && age > oldestFfmpeg;
    const old = isOld ? ". Install a newer one, which gets security fixes" : "";
    return `${version}${age === null ? "" : `, of ${year}`}, at ${path}${old}`;
  });
  return { ...finding, warning: isOld };
}

async function checkDataDir(dataDir: string): Promise<string> {
  if (!existsSync(dataDir)) return `${dataDir} will be made at the first start`;
  await access(dataDir, constants.W_OK | constants.X_OK).catch(advise("files"));
  const { bavail, bsize } = await statfs(dataDir);
  const free = `${((Number(bavail) * Number(bsize)) / 1024 ** 3).toFixed(1)} GB free`;
  if (bavail * bsize < minFreeBytes) throw new Error(`${dataDir} has ${free}: free some space, or writing will fail.`);
  return `${dataDir}, ${free}`;
}

async function checkObjectStore(config: S3Config): Promise<string> {
  const store = await openStorage(config, "", tmpdir());
  const listed = store.list("files")[Symbol.asyncIterator]();
  await listed.next().catch(advise("file store"));
  return `the bucket ${config.bucket} answers`;
}

async function answers({ host, port, timeLimitFactor }: Config): Promise<boolean | null> {
  const name = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host;
  const url = `http://${name.includes(":") ? `[${name}]` : name}:${port}/readyz`;
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(timeLimitFactor * 5 * SECOND) })).ok;
  } catch {
    return null; // The academy does not run, which is no problem by itself.
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
  noteBackups: (found: DatabaseBackups) => void,
): AsyncGenerator<Finding> {
  const isFirstStart = !config.databaseUrl && !existsSync(join(config.dataDir, "postgres"));
  if (isFirstStart) {
    noteBackups({ isNew: true, scheduled: null, failure: null });
    return yield { name: "Database", problem: false, detail: "will be made at the first start" };
  }
  const database = await connectDatabase(config).catch((error: Error) => error);
  if (database instanceof Error) return yield { name: "Database", problem: true, detail: database.message };
  const { timeLimitFactor } = config;
  const application_name = "academy doctor";
  const client = new pg.Client({
    ...database.connection,
    application_name,
    connectionTimeoutMillis: timeLimitFactor * 5 * SECOND,
    query_timeout: timeLimitFactor * 20 * SECOND,
  });
  client.on("error", () => {}); // A connection that breaks between two queries fails the next one.
  const pool = openPool(database.connection, () => {}, 3, { timeLimitFactor, application_name });
  try {
    const reached = await inspect("Database", () =>
      client.connect().then(() => checkServer(client, isRunning), advise("database")),
    );
    yield reached;
    if (reached.problem) return;
    const db = openDb(pool);
    yield* checkContents(config, client, db, { isRunning, trustProxy });
    // A failure is reported by the checks before.
    await readBackups(client, db).then(noteBackups, () => {});
  } finally {
    await pool.end();
    await client.end().catch(() => {}); // It may never have connected.
    await database.close();
  }
}

async function readBackups(client: pg.Client, db: Db): Promise<DatabaseBackups> {
  const isNew = !(await isClaimed(client));
  if (isNew) return { isNew, scheduled: null, failure: null };
  return { isNew, scheduled: await findBackupNote(db), failure: await findBackupFailure(db) };
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
      isRunning ? tryProxies(db, config, trustProxy) : "are checked while the academy runs",
    );
  }
  yield* checkWork(db, isRunning);
  yield* checkBooks(config, db);
  yield checkCoaching(db);
  yield checkClaims(db);
  yield inspect("Team", () => checkTeam(db));
  yield inspect("Files", () => checkFiles(config, client));
  if (config.oidc === "built-in") yield inspect("Administrators", () => checkAdministrators(db, config));
}

async function checkMode(client: pg.Client, { mode, databaseUrl }: Config): Promise<string> {
  await requireDatabaseOf(client, mode);
  if (mode === "demo") return "a demo's database";
  return databaseUrl
    ? "a production database"
    : "a production database, embedded: a server of its own can be shared by nodes";
}

async function checkServer(client: pg.Client, isRunning: boolean): Promise<string> {
  const { version, now } = await describeDatabase(client);
  if (Number.parseInt(version, 10) < oldestPostgres)
    throw new Error(`PostgreSQL ${version} is too old: ${oldestPostgres} or newer is needed.`);
  const apart = Math.abs(now.getTime() - Date.now());
  if (apart > 5 * SECOND)
    throw new Error(`its clock and this machine's are ${Math.round(apart / SECOND)} seconds apart: set them by NTP.`);
  const [known, applied] = await Promise.all([readdir(migrationsFolder), listMigrations(client)]);
  if (await hasReplaced(applied)) throw new Error(beforeFirstRelease);
  const newer = applied.filter((name) => !known.includes(name));
  if (newer.length > 0) throw new Error(`it belongs to a newer academy (${newer.join(", ")}): install that release.`);
  const waiting = await countWaitingMigrations(client);
  const holder = waiting > 0 ? await findMigrationLock(client) : null;
  if (holder) throw new Error(`${waiting} migrations wait for a lock that ${holder} holds.`);
  if (waiting > 0 && isRunning) throw new Error(`${waiting} migrations are not applied: restart the academy.`);
  return `PostgreSQL ${version}, ${waiting > 0 ? `${waiting} migrations wait for the next start` : "up to date"}`;
}
