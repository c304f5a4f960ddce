import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { noteOtherRelease } from "./api-document.ts";
import { freePort } from "./free-port.ts";
import { cloneDatabase, type TestDatabase } from "./postgres.ts";
import { programEnv } from "./program-env.ts";
import { findSeeded } from "./seeded.ts";
import { isSeededSandbox } from "./stand-ins/sandbox-process.ts";
import { Visitor } from "./visitor.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** With one of these an academy keeps its data, or a part of it, elsewhere: it starts empty and seeds itself. */
const ownSettings = ["DATA_DIR", "DATABASE_URL", "MODE", "AUTHORIZE_NET_ENVIRONMENT", "DEMO_HISTORY", "S3_ENDPOINT"];

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
}

/** The product as it runs, in whichever process: a database of its own, the sandbox mounted. */
export interface RunningAcademy extends AsyncDisposable {
  readonly url: string;
  readonly database: TestDatabase;
  readonly dataDir: string;
  /** Every line of its log so far, over all its lives. */
  readonly log: readonly string[];
  /** A new browser. */
  visitor(): Visitor;
  /** Ends it as an operator does; resolves to its exit code. */
  stop(): Promise<number | null>;
  /** Starts it again after it ended. */
  start(): Promise<void>;
  ledger(): Promise<LedgerRow[]>;
  mails(): Promise<Mail[]>;
  /** What happens to the next charges, by the sandbox's names. */
  nextCharges(...outcomes: string[]): Promise<void>;
  /** The same for the charges, refunds and voids of one customer, whatever other customers are charged meanwhile. */
  nextChargesOf(customer: { readonly email: string }, ...outcomes: string[]): Promise<void>;
  /** How the gateway's reports tell the reference of the request that made a transaction, from now on. */
  tellReference(reference: "told" | "absent" | "other"): Promise<void>;
  /** Its time, which `advance` moves; in milliseconds. */
  now(): Promise<number>;
  /** Moves academy and sandbox on, such as "30d"; what fell due has run when it resolves. */
  advance(duration: string): Promise<void>;
}

/** As an operator runs it: in a process of its own. */
export interface Academy extends RunningAcademy {
  /** Of its process now. */
  readonly pid: number;
  /** Ends the process on the spot, as a power cut does. */
  kill(): Promise<void>;
}

/** What runs an academy, whichever process that is. Its log goes line by line to `log`. */
export interface Runner {
  readonly pid: number;
  start(): Promise<void>;
  /** Resolves to the exit code. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

type RunnerOf = (environment: Record<string, string | undefined>, log: string[]) => Runner;

/**
 * Opens an academy that was just seeded, or one more node on a shared database, which stays when this one is disposed
 * of. `env` adds to its environment or overrides it; `source` is another checkout to run.
 * @throws Error with its output when it does not become ready.
 */
export async function openAcademy(
  env: Record<string, string> = {},
  shared?: TestDatabase,
  source = root,
): Promise<Academy> {
  const academy = await openWith((environment, log) => ownProcess(environment, log, source), env, shared);
  if (source !== root) noteOtherRelease(academy.url);
  return academy;
}

/** As `openAcademy`, run by whatever is given. */
export async function openWith(
  runnerOf: RunnerOf,
  env: Record<string, string>,
  shared?: TestDatabase,
): Promise<Academy> {
  const seeded = shared || keepsElsewhere(env) ? undefined : findSeeded();
  const database = shared ?? (await cloneDatabase(seeded?.database));
  const dataDir = await mkdtemp(join(tmpdir(), "academy-"));
  if (seeded) await cp(seeded.dataDir, dataDir, { recursive: true });
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const log: string[] = [];
  const runner = runnerOf(
    {
      ...programEnv,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: addressOf(database),
      LOG_LEVEL: "info",
      ...(env.MODE !== "production" && { DEMO_HISTORY: "none" }),
      ...env,
    },
    log,
  );

  const sandbox = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${env.SANDBOX_URL ?? url}/sandbox/api/${path}`, {
      method,
      ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`the sandbox answered ${response.status}: ${await response.text()}`);
    return response.status === 204 ? undefined : JSON.parse((await response.text()) || "null");
  };

  const academy: Academy = {
    url,
    database,
    dataDir,
    get pid() {
      return runner.pid;
    },
    log,
    visitor: () => new Visitor(url),
    start: () => runner.start(),
    async kill() {
      await runner.end("SIGKILL");
    },
    stop: () => runner.end("SIGTERM"),
    ledger: () => sandbox("GET", "gateway/transactions"),
    mails: () => sandbox("GET", "mails"),
    nextCharges: (...outcomes) => sandbox("POST", "gateway/next", { outcomes }),
    nextChargesOf: ({ email }, ...outcomes) => sandbox("POST", "gateway/next", { outcomes, customerEmail: email }),
    tellReference: (reference) => sandbox("POST", "gateway/reports", { reference }),
    now: async () => Date.parse((await sandbox("GET", "clock")).now),
    advance: (duration) => sandbox("POST", "clock", { advance: duration }),
    async [Symbol.asyncDispose]() {
      await runner.end("SIGKILL");
      if (!shared) await database.drop();
      // The embedded database, if there is one, ends a little after the academy that was killed.
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
      // Not at its exit: what it said last may still be on its way.
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

/** The same database as the address of a server, whichever way the tests reach it. */
export function addressOf({ connection }: TestDatabase): string {
  if ("connectionString" in connection) return connection.connectionString;
  return `postgres://${connection.user}@localhost/${connection.database}?host=${encodeURIComponent(connection.host)}`;
}
