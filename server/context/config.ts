import { resolve } from "node:path";
import { storedEmail } from "#contract/email-address.ts";
import type { ProxyTrust } from "#server/http/client.ts";
import { readTrustedProxies, trustNobody } from "#server/http/trusted-proxies.ts";
import type { TraceConfig } from "#server/process/open-telemetry.ts";
import type { VideoConfig } from "#server/video/video.ts";
import { refuseDemo } from "./demo-exposure.ts";
import { ConfigError, type Environment, listOf, parseEnvironment, senderPattern } from "./environment.ts";
import {
  type BackupConfig,
  type GatewayConfig,
  type OidcConfig,
  readBackups,
  readGateway,
  readOidc,
  readStorage,
  readTraces,
  readVideo,
  type StorageConfig,
} from "./providers.ts";
import { minSecretLength, weaknessOf } from "./session-secret.ts";

export interface Config {
  readonly mode: "demo" | "production";
  /** A demo's first start makes a year of history. */
  readonly demoHistory: boolean;
  readonly host: string;
  readonly port: number;
  /** No slash at the end. */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  /** The same database as its owner, for migrations only. */
  readonly migrationDatabaseUrl: string | null;
  /** Null: the sandbox is mounted in this process. Never set in production. */
  readonly sandboxUrl: string | null;
  readonly adminEmails: readonly string[];
  readonly supportEmail: string;
  readonly oidc: OidcConfig;
  readonly gateway: GatewayConfig;
  /** Null: the sandbox's mailbox. */
  readonly smtpUrl: string | null;
  readonly mailFrom: Sender;
  readonly storage: StorageConfig;
  /** A clamd; null: uploads are not scanned. */
  readonly scannerUrl: string | null;
  /** The largest file that an administrator may upload. */
  readonly uploadLimitBytes: number;
  /** The largest video that an administrator may upload. */
  readonly videoLimitBytes: number;
  readonly backups: BackupConfig;
  readonly video: VideoConfig;
  /** Null: the one on PATH. */
  readonly ffmpegPath: string | null;
  /** How many videos this node converts at the same time. */
  readonly videoWorkers: number;
  /** The first signs, all verify. Empty: the academy makes one and keeps it in `dataDir`. */
  readonly sessionSecrets: readonly string[];
  readonly trustProxy: ProxyTrust;
  readonly logLevel: string;
  /** Multiplies the time limits of the database, the start, answers, pages and the doctor. Always 1 in production. */
  readonly timeLimitFactor: number;
  readonly metaPixelId: string | null;
  /** Null: /metrics answers 404, except in the demo to scrapers on this machine. */
  readonly metricsToken: string | null;
  /** Where traces go; null: nothing is traced. */
  readonly traces: TraceConfig | null;
  /** Where coaches without a room of their own meet students; `{id}` in it is the room. Null: each needs one. */
  readonly meetingUrl: string | null;
  readonly allowsPrivateWebhooks: boolean;
}

interface Sender {
  readonly name: string | null;
  readonly address: string;
}

/** An empty variable counts as absent. @throws ConfigError. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const { env, unreadable, sentences } = parseEnvironment(variables);
  const refused = env.MODE === "demo" ? refusedInDemo(env) : [];
  // An operator who meant another mode has no use for the rest.
  if (refused.length > 0) throw new ConfigError([...sentences, ...refused].join("\n"));
  const wrong = env.MODE === "production" ? wrongInProduction(env) : [];
  const gateway = readGateway(env, wrong);
  const oidc = readOidc(env, wrong);
  const storage = readStorage(env, wrong);
  const backups = readBackups(env, wrong);
  const video = readVideo(env, wrong);
  const trustProxy = readProxies(env, wrong);
  const sessionSecrets = readSecrets(env, wrong);
  const others = wrong.filter((sentence) => !unreadable.has(sentence.split(" ", 1)[0] ?? ""));
  const complaints = [...sentences, ...others];
  if (complaints.length > 0 || !gateway || !oidc || !storage) throw new ConfigError(complaints.join("\n"));

  const publicUrl = new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).origin;
  return {
    mode: env.MODE,
    demoHistory: env.MODE === "demo" && env.DEMO_HISTORY !== "none",
    host: env.HOST,
    port: env.PORT,
    publicUrl,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    migrationDatabaseUrl: env.MIGRATION_DATABASE_URL ?? null,
    sandboxUrl: env.SANDBOX_URL ? new URL(env.SANDBOX_URL).origin : null,
    adminEmails: listOf(env.ADMIN_EMAILS ?? "admin@academy.test").map(inStoredForm),
    supportEmail: inStoredForm(env.SUPPORT_EMAIL ?? "support@academy.test"),
    oidc,
    gateway,
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: readSender(env.MAIL_FROM ?? env.SUPPORT_EMAIL ?? "support@academy.test"),
    storage,
    scannerUrl: env.CLAMAV_URL ?? null,
    backups,
    uploadLimitBytes: Math.floor(env.UPLOAD_LIMIT_MB * 1024 * 1024),
    videoLimitBytes: Math.floor(env.VIDEO_LIMIT_MB * 1024 * 1024),
    video,
    ffmpegPath: env.FFMPEG_PATH ?? null,
    videoWorkers: env.VIDEO_WORKERS,
    sessionSecrets,
    trustProxy,
    logLevel: env.LOG_LEVEL,
    timeLimitFactor: env.TIME_LIMIT_FACTOR,
    metaPixelId: env.META_PIXEL_ID || null,
    metricsToken: env.METRICS_TOKEN ?? null,
    traces: readTraces(env),
    meetingUrl: env.MEETING_URL ?? null,
    allowsPrivateWebhooks: env.WEBHOOKS_ALLOW_PRIVATE === "yes",
  };
}

function readSender(text: string): Sender {
  const [, name, address] = senderPattern.exec(text.trim()) ?? [];
  if (!address) return { name: null, address: inStoredForm(text) };
  return { name: name?.trim().replace(/^"(.*)"$/, "$1") || null, address: inStoredForm(address) };
}

const inStoredForm = (address: string) => storedEmail(address) ?? address.trim();

/** The domain of the demo accounts, whose password is public. */
const demoAddress = /@([^\s,>@]+\.)?academy\.test\.?($|[\s,>])/i;

function readProxies(env: Environment, wrong: string[]): ProxyTrust {
  if (env.TRUST_PROXY === undefined || env.TRUST_PROXY === "false") {
    if (env.MODE === "production") wrong.push(`TRUST_PROXY is missing: ${whatProxies}.`);
    return trustNobody;
  }
  const proxies = readTrustedProxies(env.TRUST_PROXY);
  if (!proxies) wrong.push(`TRUST_PROXY believes what strangers say, or cannot be read: ${whatProxies}.`);
  return proxies ?? trustNobody;
}

const whatProxies =
  "it names the proxies in front, by address or network (10.0.0.0/8), or by how many stand in a row (1)";

function refusedInDemo(env: Environment): string[] {
  return refuseDemo({
    host: env.HOST,
    publicUrl: env.PUBLIC_URL,
    isPublic: env.DEMO_IS_PUBLIC === "yes",
    gatewayEnvironment: env.AUTHORIZE_NET_ENVIRONMENT,
    gatewayAddresses: [env.AUTHORIZE_NET_API_URL, env.AUTHORIZE_NET_SCRIPT_URL],
  });
}

function readSecrets(env: Environment, wrong: string[]): string[] {
  const secrets = listOf(env.SESSION_SECRET);
  const weaknesses = secrets.flatMap((secret) => weaknessOf(secret) ?? []);
  if (secrets.some((secret) => secret.length < minSecretLength)) {
    wrong.push(`SESSION_SECRET needs at least ${minSecretLength} characters each.`);
  } else if (env.MODE === "production" && weaknesses[0]) {
    wrong.push(`SESSION_SECRET ${weaknesses[0]}: make one by openssl rand -base64 32.`);
  }
  return secrets;
}

function wrongInProduction(env: Environment): string[] {
  const wrong: string[] = [];
  const need = (name: keyof Environment, why: string) => {
    if (!env[name]) wrong.push(`${name} is missing: ${why}.`);
  };
  if (!env.PUBLIC_URL) wrong.push("PUBLIC_URL is missing: links and cookies are made from it.");
  else if (new URL(env.PUBLIC_URL).protocol !== "https:") wrong.push("PUBLIC_URL must be https in production.");
  const needOne = (name: "SESSION_SECRET" | "ADMIN_EMAILS", why: string) => {
    if (listOf(env[name]).length === 0) wrong.push(`${name} is missing: ${why}.`);
  };
  needOne("SESSION_SECRET", "it signs the session cookies");
  needOne("ADMIN_EMAILS", "nobody could run the academy");
  need("SUPPORT_EMAIL", "pages and emails name it");
  need("SMTP_URL", "mail goes out through it");
  need("MAIL_FROM", "mail comes from it");
  need("OIDC_ISSUER", "an OpenID Connect provider, or built-in");
  if (env.AUTHORIZE_NET_ENVIRONMENT === "demo") {
    wrong.push("AUTHORIZE_NET_ENVIRONMENT must be sandbox or production: the stand-in is never used in production.");
  }
  if (env.SANDBOX_URL) wrong.push("SANDBOX_URL is for the demo only.");
  if (env.DEMO_IS_PUBLIC === "yes") wrong.push("DEMO_IS_PUBLIC is for the demo only.");
  if (env.WEBHOOKS_ALLOW_PRIVATE === "yes") wrong.push("WEBHOOKS_ALLOW_PRIVATE is for the demo only.");
  if (/[/\\]@ffmpeg-installer[/\\]/.test(env.FFMPEG_PATH ?? "")) {
    wrong.push("FFMPEG_PATH is the demo's ffmpeg of 2018, which gets no security fixes: install ffmpeg.");
  }
  if (env.DEMO_HISTORY) wrong.push("DEMO_HISTORY is for the demo only.");
  if (env.TIME_LIMIT_FACTOR !== 1) wrong.push("TIME_LIMIT_FACTOR is for tests only.");
  for (const name of ["ADMIN_EMAILS", "SUPPORT_EMAIL", "MAIL_FROM"] as const) {
    if (demoAddress.test(env[name] ?? "")) wrong.push(`${name} has an address at academy.test, which is the demo's.`);
  }
  if (isPlain(env.OIDC_ISSUER)) {
    wrong.push("OIDC_ISSUER must be https in production: over http anybody on the way signs in as anybody.");
  }
  if (isPlain(env.S3_ENDPOINT)) {
    wrong.push("S3_ENDPOINT must be https in production: over http people's files can be read on the way.");
  }
  return wrong;
}

function isPlain(address: string | undefined): boolean {
  return address !== undefined && URL.canParse(address) && new URL(address).protocol === "http:";
}
