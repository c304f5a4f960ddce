import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import type { Tier } from "#contract/tiers.ts";
import type { ReportMode } from "#sandbox/gateway/transactions/reports.ts";
import { recordGrant } from "#server/access/grants.ts";
import { openDb } from "#server/db/db.ts";
import { noteOtherRelease } from "./api-document.ts";
import { signInByRows } from "./direct-sign-in.ts";
import { freePort } from "./free-port.ts";
import { cloneDatabase, openTestPool, type TestDatabase } from "./postgres.ts";
import { patient, programEnv } from "./program-env.ts";
import { findSeeded } from "./seeded.ts";
import { isSeededSandbox } from "./stand-ins/sandbox-process.ts";
import { until } from "./until.ts";
import { Visitor } from "./visitor.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Environment variables that place data elsewhere. With one of them the academy starts empty and seeds itself. */
const ownSettings = ["DATA_DIR", "DATABASE_URL", "MODE", "AUTHORIZE_NET_ENVIRONMENT", "DEMO_HISTORY"];

function keepsElsewhere(env: Record<string, string>): boolean {
  return (
    ownSettings.some((name) => name in env) || (env.SANDBOX_URL !== undefined && !isSeededSandbox(env.SANDBOX_URL))
  );
}

export interface Mail {
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  calendar: string | null;
}

export interface LedgerRow {
  transId: string;
  type: string;
  status: string;
  responseCode: string;
  amount: number | string;
  invoiceNumber: string;
  refTransId: string | null;
  customerProfileId: string | null;
  /** ISO 8601. */
  at: string;
}

/** Whether its people are in the database of `pool`, and sign in at the built-in issuer. */
function hasOwnPeople(env: Record<string, string>): boolean {
  return env.DATABASE_URL !== "" && (env.OIDC_ISSUER ?? "built-in") === "built-in" && env.MODE !== "production";
}

/** A running academy with its own database and a mounted sandbox. */
export interface RunningAcademy extends AsyncDisposable {
  readonly url: string;
  readonly database: TestDatabase;
  readonly dataDir: string;
  /** Connections to its database. */
  readonly pool: pg.Pool;
  /** All lines of its log, across restarts. */
  readonly log: readonly string[];
  /** A new browser. */
  visitor(): Visitor;
  /** Stops it like an operator, by a signal. Resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Starts it again. */
  start(): Promise<void>;
  ledger(): Promise<LedgerRow[]>;
  /** The gateway's transactions of the customer of a purchase, oldest first. */
  transactionsOf(purchaseId: string): Promise<LedgerRow[]>;
  /** Those of them that are charges which stand. */
  chargesOf(purchaseId: string): Promise<LedgerRow[]>;
  /** Their amounts, such as "49.00". */
  chargedFor(purchaseId: string): Promise<string[]>;
  /** Has the gateway meet a transaction with a mishap, such as "chargeback". */
  stage(transId: string, as: string): Promise<void>;
  /** Decides at the gateway about a transaction that it holds. */
  decide(transId: string | undefined, decision: "approve" | "decline"): Promise<void>;
  /** Has the gateway tell the academy of an event of a transaction. */
  notify(transId: string | undefined, event: string): Promise<void>;
  /** All emails, or those to one address, newest first. */
  mails(to?: string): Promise<Mail[]>;
  /** Waits for an email to this person, and returns the newest whose subject contains or matches this. */
  mailTo(person: { readonly email: string }, subject: string | RegExp): Promise<Mail>;
  /** A new student who has been given a plan: for tests of what it opens, because a purchase takes ten times as long. */
  member(tier: Tier): Promise<Visitor>;
  /** A new student who has bought a plan. */
  buyer(tier: Tier): Promise<Visitor>;
  /** The same, with the purchase. */
  purchase(tier: Tier): Promise<{ student: Visitor; purchaseId: string; transactionId: string }>;
  /** Sets the outcomes of the next charges, by the sandbox's names. */
  nextCharges(...outcomes: string[]): Promise<void>;
  /** Sets the outcomes of one customer's next charges, refunds and voids, independently of other customers. */
  nextChargesOf(customer: { readonly email: string }, ...outcomes: string[]): Promise<void>;
  /** Sets how the gateway's reports include the reference of the request, or that no report answers. */
  tellReference(reference: ReportMode): Promise<void>;
  /** The academy's time in milliseconds, which `advance` moves. */
  now(): Promise<number>;
  /**
   * Moves the clocks of academy and sandbox, such as by "30d". Resolves when all due jobs have run, and signs these
   * people in again, whose sessions have ended meanwhile.
   */
  advance(duration: string, ...people: readonly Visitor[]): Promise<void>;
}

/** The academy as a process of its own. */
export interface Academy extends RunningAcademy {
  /** The current process id. */
  readonly pid: number;
  /** Kills the process, like a power cut. */
  kill(): Promise<void>;
}

/** Runs an academy, in any process. Passes each line of its log to `log`. */
export interface Runner {
  readonly pid: number;
  start(): Promise<void>;
  /** Resolves to the exit code. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

type RunnerOf = (environment: Record<string, string | undefined>, log: string[]) => Runner;

/**
 * Opens a freshly seeded academy, or another node on a shared database, which is kept on disposal. `env` extends or
 * overrides the environment; `source` is another checkout to run.
 * @throws Error with its output when it does not become ready.
 */
export async function openAcademy(
  env: Record<string, string> = {},
  shared?: TestDatabase,
  source = root,
): Promise<Academy> {
  const academy = await openWith((environment, log) => ownProcess(environment, log, source), env, shared);
  if (source === root) return academy;
  noteOtherRelease(academy.url);
  // Its tables may lack columns, so nobody is signed in by rows.
  return Object.assign(academy, { visitor: () => new Visitor(academy.url, null) });
}

/**
 * Like `openAcademy`, with a given runner.
 * @param fillStore moves the copied files to an object store. Without it, an academy with one seeds itself
 */
export async function openWith(
  runnerOf: RunnerOf,
  env: Record<string, string>,
  shared?: TestDatabase,
  fillStore?: (environment: Record<string, string | undefined>) => Promise<void>,
): Promise<Academy> {
  const isOnOwnDisk = env.S3_ENDPOINT === undefined;
  const seeded = shared || keepsElsewhere(env) || !(isOnOwnDisk || fillStore) ? undefined : findSeeded();
  const database = shared ?? (await cloneDatabase(seeded?.database));
  const dataDir = await mkdtemp(join(tmpdir(), "academy-"));
  if (seeded) await cp(seeded.dataDir, dataDir, { recursive: true });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const log: string[] = [];
  const environment = {
    ...programEnv,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: addressOf(database),
    LOG_LEVEL: "info",
    ...(env.MODE !== "production" && { DEMO_HISTORY: "none" }),
    ...patient(env),
  };
  if (seeded && !isOnOwnDisk) await fillStore?.(environment);
  const runner = runnerOf(environment, log);

  const sandbox = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${env.SANDBOX_URL ?? url}/sandbox/api/${path}`, {
      method,
      ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`the sandbox answered ${response.status}: ${await response.text()}`);
    return response.status === 204 ? undefined : JSON.parse((await response.text()) || "null");
  };

  const isElsewhere = !shared && env.DATABASE_URL;
  const open = () => openTestPool(isElsewhere ? { connectionString: isElsewhere } : database.connection);
  let pool = open();
  const signInDirectly = signInByRows({
    pool: () => pool,
    publicUrl: env.PUBLIC_URL ?? url,
    dataDir: env.DATA_DIR ?? dataDir,
    secrets: env.SESSION_SECRET,
    administrators: env.ADMIN_EMAILS,
    now: () => academy.now(),
  });

  const academy: Academy = {
    url,
    database,
    dataDir,
    get pool() {
      return pool;
    },
    get pid() {
      return runner.pid;
    },
    log,
    visitor: () => new Visitor(url, hasOwnPeople(env) ? signInDirectly : null),
    start: () => runner.start(),
    async kill() {
      await runner.end("SIGKILL");
    },
    async stop() {
      const code = await runner.end("SIGTERM");
      // A database with connections cannot be copied.
      const used = pool;
      pool = open();
      await used.end();
      return code;
    },
    ledger: () => sandbox("GET", "gateway/transactions"),
    async transactionsOf(purchaseId) {
      const ledger = await academy.ledger();
      const customer = ledger.find((row) => row.invoiceNumber === purchaseId)?.customerProfileId ?? "nobody";
      return ledger.filter((row) => row.invoiceNumber === purchaseId || row.customerProfileId === customer);
    },
    chargesOf: async (purchaseId) =>
      (await academy.transactionsOf(purchaseId)).filter(
        ({ type, responseCode, status }) =>
          type === "authCaptureTransaction" && responseCode === "1" && status !== "voided",
      ),
    chargedFor: async (purchaseId) =>
      (await academy.chargesOf(purchaseId)).map(({ amount }) => Number(amount).toFixed(2)),
    stage: (transId, as) => sandbox("POST", "gateway/stage", { transId, as }),
    decide: (transId, decision) => sandbox("POST", "gateway/held", { transId, decision }),
    notify: async (transId, event) => {
      const { status } = await sandbox("POST", "gateway/webhook", { transId, event });
      if (status !== 200) throw new Error(`the academy answered the webhook with ${status}`);
    },
    mails: (to) => sandbox("GET", to === undefined ? "mails" : `mails?to=${encodeURIComponent(to)}`),
    mailTo: ({ email }, subject) =>
      until(async () => (await academy.mails(email)).find((mail) => matches(mail.subject, subject))),
    async member(tier) {
      const student = await academy.visitor().signUp();
      const userId = await student.id();
      const now = new Date(await academy.now());
      const db = openDb(pool as Parameters<typeof openDb>[0]);
      const gift = {
        source: "administrator",
        sourceId: userId,
        purchaseId: null,
        startsAt: now,
        endsAt: null,
      } as const;
      await recordGrant(db, { userId, tier, ...gift }, now);
      return student;
    },
    buyer: async (tier) => (await academy.purchase(tier)).student,
    async purchase(tier) {
      const student = await academy.visitor().signUp();
      const { status, body } = await student.buy(tier);
      if (status !== 200) throw new Error(`the purchase of ${tier} failed with ${status}: ${body.message}`);
      return { student, purchaseId: body.purchaseId, transactionId: body.transactionId ?? "" };
    },
    nextCharges: (...outcomes) => sandbox("POST", "gateway/next", { outcomes }),
    nextChargesOf: ({ email }, ...outcomes) => sandbox("POST", "gateway/next", { outcomes, customerEmail: email }),
    tellReference: (reference) => sandbox("POST", "gateway/reports", { reference }),
    now: async () => Date.parse((await sandbox("GET", "clock")).now),
    async advance(duration, ...people) {
      await sandbox("POST", "clock", { advance: duration });
      for (const person of people) await person.signInAgain();
    },
    async [Symbol.asyncDispose]() {
      await runner.end("SIGKILL");
      await pool.end();
      if (!shared) await database.drop();
      // An embedded database stops a little later than the killed academy.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
  try {
    await academy.start();
  } catch (error) {
    await academy[Symbol.asyncDispose]();
    throw error;
  }
  return academy;
}

function matches(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
}

function ownProcess(environment: Record<string, string | undefined>, log: string[], source: string): Runner {
  let child: ChildProcess | undefined;
  let closed: Promise<unknown> | undefined;
  return {
    get pid() {
      return child?.pid ?? 0;
    },
    async start() {
      const process_ = spawn(process.execPath, ["server/main.ts"], {
        cwd: source,
        stdio: ["ignore", "pipe", "pipe"],
        env: environment,
      });
      child = process_;
      // Not "exit": the last output may not have arrived by then.
      closed = once(process_, "close");
      createInterface({ input: process_.stderr }).on("line", (line) => log.push(line));
      const lines = createInterface({ input: process_.stdout }).on("line", (line) => log.push(line));
      await new Promise<void>((resolve, reject) => {
        lines.on("line", (line) => line.startsWith("Academy is ready:") && resolve());
        process_.once("close", (code) =>
          reject(new Error(`the academy ended with ${code}:\n${log.slice(-30).join("\n")}`)),
        );
      });
    },
    async end(signal) {
      child?.kill(signal);
      await closed;
      return child?.exitCode ?? null;
    },
  };
}

/** The database's URL as a TCP address, however the tests connect. */
export function addressOf({ connection }: TestDatabase): string {
  if ("connectionString" in connection) return connection.connectionString;
  return `postgres://${connection.user}@localhost/${connection.database}?host=${encodeURIComponent(connection.host)}`;
}
