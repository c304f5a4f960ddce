import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "#server/db/embedded.ts";
import { postgresMb, residentMb } from "../../bench/memory.ts";
import { type Academy, addressOf, type LedgerRow, openAcademy } from "../academy.ts";
import { freePort } from "../free-port.ts";
import { openNginx } from "../nginx.ts";
import { childrenOf, isRunning } from "../processes.ts";
import { openProgram } from "../stand-ins/program.ts";
import { spawnSandbox } from "../stand-ins/sandbox-process.ts";
import { until } from "../until.ts";

export interface Arrival {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly messageId: string;
}

/** A killable part: `kill` ends it at once, `revive` resolves when it serves again. */
interface KillableProcess {
  kill(): Promise<void>;
  revive(): Promise<void>;
}

/** A realistic installation: two nodes behind nginx, and each outside service as its own process. */
export interface Installation extends AsyncDisposable {
  /** nginx's. */
  readonly url: string;
  readonly nodes: readonly [Academy, Academy];
  readonly killable: Readonly<Record<string, KillableProcess>>;
  /** The environment for operator's commands. */
  readonly operatorEnv: Readonly<Record<string, string>>;
  /** Each part's memory, of all its processes. 0 while it is down. */
  memoryMb(): Record<string, number>;
  /** Bytes that each part has logged so far. */
  logBytes(): Record<string, number>;
  /** Every mail that the mail server accepted, the oldest first. */
  mails(): Promise<readonly Arrival[]>;
  /** Moves all clocks. Resolves when all due jobs have run. */
  advance(duration: string): Promise<void>;
  ledger(): Promise<LedgerRow[]>;
  allServe(): Promise<void>;
}

/** @param walk chooses which of several processes to kill */
export async function openInstallation(walk: () => number): Promise<Installation> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.adopt(await mkdtemp(join(tmpdir(), "academy-mixed-")), (path) =>
    rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  );
  const postgres = opened.adopt(await startEmbeddedPostgres(folder, { settings: { max_connections: "100" } }), (it) =>
    it.stop(),
  );
  const sandbox = opened.use(await spawnSandbox());
  const [storePort, mailPort, port] = [await freePort(), await freePort(), await freePort()];
  const mailFile = join(folder, "mails");
  await writeFile(mailFile, "");
  const standIn = (name: string, own: number, env: Record<string, string>) =>
    openProgram({ args: [`test/stand-ins/${name}-program.ts`], port: own, env: { ...env, PORT: String(own) } });
  const store = opened.use(await standIn("object-store", storePort, { DIRECTORY: join(folder, "store") }));
  const mail = opened.use(await standIn("mail-server", mailPort, { FILE: mailFile }));

  const url = `http://localhost:${port}`;
  const env = {
    // Node's options of `npm start`, because memory is measured.
    NODE_OPTIONS: "--max-semi-space-size=8 --expose-gc",
    MALLOC_ARENA_MAX: "2",
    SANDBOX_URL: sandbox.url,
    SESSION_SECRET: "one secret that both nodes of this test share",
    PUBLIC_URL: url,
    TRUST_PROXY: "loopback",
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    S3_ENDPOINT: `http://127.0.0.1:${storePort}`,
    S3_BUCKET: "academy",
    S3_REGION: "us-east-1",
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: "S3RVER",
  };
  const database = { name: "postgres", connection: postgres.connection, drop: async () => {} };
  const first = opened.use(await openAcademy(env, database));
  const second = opened.use(await openAcademy(env, database));
  const portOf = (node: Academy) => new URL(node.url).port;
  const nginx = opened.use(await openNginx(port, [first, second].map(portOf).map(Number)));

  const databaseFolder = join(folder, "postgres");
  const postmaster = () => Number(readFileSync(join(databaseFolder, "postmaster.pid"), "utf8").split("\n")[0]);
  const databaseServes = async () => existsSync(join(databaseFolder, "postmaster.pid"));
  const isReady = async (address: string) => (await fetch(`${address}/readyz`).catch(() => null))?.ok;
  const allServe = async () => {
    await until(databaseServes);
    for (const address of [first.url, second.url, url]) await until(() => isReady(address).then(Boolean));
  };
  const oneOf = (pids: readonly number[]) => pids[Math.floor(walk() * pids.length)] ?? 0;
  const killOne = async (pids: readonly number[]) => {
    const pid = oneOf(pids);
    if (pid) process.kill(pid, "SIGKILL");
    await until(async () => !isRunning(pid));
  };
  /** A start fails while the database is down, so it is retried, like under systemd. */
  const program = ({ kill, start }: { kill(): Promise<void>; start(): Promise<void> }): KillableProcess => ({
    kill,
    revive: async () => {
      const isServing = () =>
        start()
          .then(() => true)
          .catch(() => false);
      await until(isServing);
    },
  });
  /** Restarted by its supervisor. */
  const supervised = (pids: () => number[]): KillableProcess => ({
    kill: () => killOne(pids()),
    revive: async () => {},
  });

  const mails: Arrival[] = [];
  let mailsRead = 0;
  const all = opened.move();
  return {
    url,
    nodes: [first, second],
    killable: {
      "first node": program(first),
      "second node": program(second),
      database: supervised(() => [postmaster()]),
      "database connection": supervised(() => childrenOf(postmaster(), "academy postgres")),
      proxy: program(nginx),
      store: program(store),
      "mail server": program(mail),
      gateway: program(sandbox),
    },
    operatorEnv: { ...env, DATABASE_URL: addressOf(database), DATA_DIR: first.dataDir, PORT: portOf(first) },
    memoryMb: () => ({
      "first node": residentMb(first.pid),
      "second node": residentMb(second.pid),
      database: postgresMb(realpathSync(databaseFolder)),
      gateway: residentMb(sandbox.pid),
    }),
    logBytes: () => ({
      "first node": sizeOf(first.log),
      "second node": sizeOf(second.log),
      proxy: statSync(nginx.errorLog).size,
    }),
    async mails() {
      const text = (await readFile(mailFile)).subarray(mailsRead).toString();
      const whole = text.slice(0, text.lastIndexOf("\n") + 1);
      mailsRead += Buffer.byteLength(whole);
      for (const line of whole.split("\n").filter(Boolean)) mails.push(JSON.parse(line));
      return mails;
    },
    advance: (duration) => first.advance(duration),
    ledger: () => first.ledger(),
    allServe,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

const counted = new WeakMap<readonly string[], { lines: number; bytes: number }>();

/** Counts each line only once, because there may be a million. */
function sizeOf(log: readonly string[]): number {
  const before = counted.get(log) ?? { lines: 0, bytes: 0 };
  let { bytes } = before;
  for (const line of log.slice(before.lines)) bytes += Buffer.byteLength(line) + 1;
  counted.set(log, { lines: log.length, bytes });
  return bytes;
}
