import { join, resolve } from "node:path";
import { z } from "zod";
import { DAY, HOUR } from "#server/base/clock.ts";
import { OperatorError } from "#server/base/operator-error.ts";
import type { ProxyTrust } from "#server/http/client.ts";
import { readTrustedProxies, trustNobody } from "#server/http/trusted-proxies.ts";
import type { TraceConfig } from "#server/process/open-telemetry.ts";
import type { S3Config } from "#server/storage/s3.ts";
import { readMuxKey } from "#server/video/mux.ts";
import type { VideoConfig } from "#server/video/video.ts";
import { refuseDemo } from "./demo-exposure.ts";
import { minSecretLength, weaknessOf } from "./session-secret.ts";

export interface Config {
  readonly mode: "demo" | "production";
  /** A demo's first start makes a year of history. */
  readonly demoHistory: boolean;
  readonly host: string;
  readonly port: number;
  /** Processes that serve together behind the port. */
  readonly workers: number;
  /** No slash at the end. */
  readonly publicUrl: string;
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | null;
  /** As the database's owner, for migrations alone: the server never uses it. */
  readonly migrationDatabaseUrl: string | null;
  /** Null: the sandbox is mounted in this process. Never set in production. */
  readonly sandboxUrl: string | null;
  readonly adminEmails: readonly string[];
  readonly supportEmail: string;
  readonly oidc: "built-in" | { readonly issuer: string; readonly clientId: string; readonly clientSecret: string };
  readonly gateway: GatewayConfig;
  /** Null: the sandbox's mailbox. */
  readonly smtpUrl: string | null;
  readonly mailFrom: Sender;
  readonly storage: "disk" | S3Config;
  /** A clamd; null: uploads are not scanned. */
  readonly scannerUrl: string | null;
  /** Of one file. */
  readonly uploadLimitBytes: number;
  readonly backups: BackupConfig;
  readonly video: VideoConfig;
  /** The first signs, all verify. Empty: made and kept in `dataDir`. */
  readonly sessionSecrets: readonly string[];
  readonly trustProxy: ProxyTrust;
  readonly logLevel: string;
  readonly metaPixelId: string | null;
  /** Null: only scrapers on this machine read /metrics. */
  readonly metricsToken: string | null;
  /** Where traces go; null: nothing is traced. */
  readonly traces: TraceConfig | null;
  /** Where coaches without a room of their own meet students; `{id}` in it is the room. Null: each needs one. */
  readonly meetingUrl: string | null;
}

export interface BackupConfig {
  /** Milliseconds; null: none by itself. */
  readonly every: number | null;
  readonly keep: number;
  readonly to: "folder" | "object-store";
  /** Of those that are made by hand, too. */
  readonly folder: string;
  /** Public keys of age; empty: backups are not encrypted. */
  readonly recipients: readonly string[];
}

export interface Sender {
  readonly name: string | null;
  readonly address: string;
}

export type GatewayConfig =
  | { readonly environment: "demo" }
  | {
      readonly environment: "sandbox" | "production";
      readonly apiLoginId: string;
      readonly transactionKey: string;
      readonly clientKey: string;
      readonly signatureKey: string;
      readonly apiUrl: string;
      readonly scriptUrl: string;
    };

/** Names everything that is wrong with the environment, a sentence each. */
export class ConfigError extends OperatorError {
  override name = "ConfigError";
}

const gatewayAddresses = {
  sandbox: {
    apiUrl: "https://apitest.authorize.net/xml/v1/request.api",
    scriptUrl: "https://jstest.authorize.net/v1/Accept.js",
  },
  production: {
    apiUrl: "https://api.authorize.net/xml/v1/request.api",
    scriptUrl: "https://js.authorize.net/v1/Accept.js",
  },
} as const;

const optional = z
  .string()
  .trim()
  .transform((text) => text || undefined)
  .optional();

const Environment = z.object({
  MODE: z.enum(["demo", "production"], "is either demo or production").default("demo"),
  DEMO_IS_PUBLIC: z.enum(["yes", "no"], "is yes, or absent").default("no"),
  DEMO_HISTORY: z.literal("none", "is none, or absent").optional(),
  HOST: z.string().trim().default("127.0.0.1"),
  PORT: z.coerce.number("is a number").int("is a whole number").min(0).max(65_535, "is at most 65535").default(3000),
  WORKERS: z.coerce
    .number("is a number")
    .int("is a whole number")
    .min(1, "is at least 1")
    .max(64, "is at most 64")
    .default(1),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: "is an http or https address" }).optional(),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "is a postgres:// address" }).optional(),
  MIGRATION_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "is a postgres:// address" }).optional(),
  SANDBOX_URL: z.url({ protocol: /^https?$/, error: "is an http address" }).optional(),
  ADMIN_EMAILS: optional,
  SUPPORT_EMAIL: z.email("is an email address").optional(),
  OIDC_ISSUER: optional,
  OIDC_CLIENT_ID: optional,
  OIDC_CLIENT_SECRET: optional,
  AUTHORIZE_NET_ENVIRONMENT: z
    .enum(["demo", "sandbox", "production"], "is demo, sandbox or production")
    .default("demo"),
  AUTHORIZE_NET_API_LOGIN_ID: optional,
  AUTHORIZE_NET_TRANSACTION_KEY: optional,
  AUTHORIZE_NET_CLIENT_KEY: optional,
  AUTHORIZE_NET_SIGNATURE_KEY: optional,
  AUTHORIZE_NET_API_URL: optional,
  AUTHORIZE_NET_SCRIPT_URL: optional,
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "is an smtp:// address" }).optional(),
  MAIL_FROM: optional,
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: "is an http or https address" }).optional(),
  S3_BUCKET: optional,
  S3_REGION: optional,
  S3_ACCESS_KEY_ID: optional,
  S3_SECRET_ACCESS_KEY: optional,
  CLAMAV_URL: z.url({ protocol: /^tcp$/, error: "is a tcp:// address, such as tcp://127.0.0.1:3310" }).optional(),
  UPLOAD_LIMIT_MB: z.coerce.number("is a number").min(1, "is at least 1").max(2048, "is at most 2048").default(100),
  BACKUP_EVERY: z
    .string()
    .regex(/^[1-9]\d{0,3}[hd]$/, "is hours or days, such as 6h or 1d")
    .optional(),
  BACKUP_KEEP: z.coerce.number("is a number").int("is a whole number").min(1, "is at least 1").default(14),
  BACKUP_TO: optional,
  BACKUP_RECIPIENT: optional,
  BUNNY_LIBRARY_ID: z.string().regex(/^\d+$/, "is a number").optional(),
  BUNNY_SECURITY_KEY: optional,
  MUX_SIGNING_KEY_ID: optional,
  MUX_SIGNING_PRIVATE_KEY: optional,
  VIDEO_ORIGINS: optional,
  SESSION_SECRET: optional,
  TRUST_PROXY: optional,
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], "is a log level").default("info"),
  METRICS_TOKEN: z.string().min(20, "needs at least 20 characters").optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "is an address, such as http://localhost:4318" })
    .optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/, "is name=value, comma separated")
    .optional(),
  OTEL_SERVICE_NAME: z.string().trim().default("academy"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number("is a number").min(0, "is at least 0").max(1, "is at most 1").default(1),
  MEETING_URL: z
    .url({ protocol: /^https$/, error: "is an https address, such as https://meet.example.com/{id}" })
    .optional(),
  META_PIXEL_ID: z.string().regex(/^\d*$/, "is a number").optional(),
});
type Environment = z.infer<typeof Environment>;

/** @internal */
export const variableNames: readonly string[] = Environment.keyof().options;

/** An empty variable counts as absent. @throws ConfigError. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const { env, unreadable, sentences } = parseEnvironment(variables);
  const refused = env.MODE === "demo" ? refusedInDemo(env) : [];
  // What else may be wrong is of no use to somebody who meant another mode.
  if (refused.length > 0) throw new ConfigError([...sentences, ...refused].join("\n"));
  const wrong = env.MODE === "production" ? wrongInProduction(env) : [];
  const gateway = readGateway(env, wrong);
  const oidc = readOidc(env, wrong);
  const storage = readStorage(env, wrong);
  const backups = readBackups(env, wrong);
  const video = { bunny: readBunny(env, wrong), mux: readMux(env, wrong), origins: readVideoOrigins(env, wrong) };
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
    workers: env.WORKERS,
    publicUrl,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    migrationDatabaseUrl: env.MIGRATION_DATABASE_URL ?? null,
    sandboxUrl: env.SANDBOX_URL ? new URL(env.SANDBOX_URL).origin : null,
    adminEmails: listOf(env.ADMIN_EMAILS ?? "admin@academy.test").map((email) => email.toLowerCase()),
    supportEmail: env.SUPPORT_EMAIL ?? "support@academy.test",
    oidc,
    gateway,
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: readSender(env.MAIL_FROM ?? env.SUPPORT_EMAIL ?? "support@academy.test"),
    storage,
    scannerUrl: env.CLAMAV_URL ?? null,
    backups,
    uploadLimitBytes: Math.floor(env.UPLOAD_LIMIT_MB * 1024 * 1024),
    video,
    sessionSecrets,
    trustProxy,
    logLevel: env.LOG_LEVEL,
    metaPixelId: env.META_PIXEL_ID || null,
    metricsToken: env.METRICS_TOKEN ?? null,
    traces: readTraces(env),
    meetingUrl: env.MEETING_URL ?? null,
  };
}

/** "Academy <post@academy.example>", or the address alone. */
function readSender(text: string): Sender {
  const [, name, address] = /^(.*?)<([^<>]+)>$/.exec(text.trim()) ?? [];
  if (!address) return { name: null, address: text.trim() };
  return { name: name?.trim().replace(/^"(.*)"$/, "$1") || null, address: address.trim() };
}

function parseEnvironment(variables: Readonly<Record<string, string | undefined>>) {
  const present = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const issues = Environment.safeParse(present).error?.issues ?? [];
  const unreadable = new Set(issues.map(({ path }) => String(path[0])));
  const sentences = issues.map(({ path, message }) => `${path.join(".")} ${message}.`);
  if (unreadable.has("MODE")) throw new ConfigError(sentences.join("\n"));
  // The rest is read as if what cannot be read were absent, so that everything wrong is named at once.
  const env = Environment.parse(Object.fromEntries(Object.entries(present).filter(([name]) => !unreadable.has(name))));
  return { env, unreadable, sentences };
}

/** The demo's people live there, and their password is no secret. */
const demoAddress = /@([^\s,>@]+\.)?academy\.test\.?($|[\s,>])/i;

function listOf(text: string | undefined): string[] {
  return (text ?? "").split(",").flatMap((part) => part.trim() || []);
}

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
  need("SUPPORT_EMAIL", "pages and mails name it");
  need("SMTP_URL", "mail goes out through it");
  need("MAIL_FROM", "mail comes from it");
  need("OIDC_ISSUER", "an OpenID Connect provider, or built-in");
  if (env.AUTHORIZE_NET_ENVIRONMENT === "demo") {
    wrong.push("AUTHORIZE_NET_ENVIRONMENT must be sandbox or production: the stand-in is never used in production.");
  }
  if (env.SANDBOX_URL) wrong.push("SANDBOX_URL is for the demo only.");
  if (env.DEMO_IS_PUBLIC === "yes") wrong.push("DEMO_IS_PUBLIC is for the demo only.");
  if (env.DEMO_HISTORY) wrong.push("DEMO_HISTORY is for the demo only.");
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

function readOidc(env: Environment, wrong: string[]): Config["oidc"] | null {
  if (env.OIDC_ISSUER === undefined || env.OIDC_ISSUER === "built-in") return "built-in";
  if (!URL.canParse(env.OIDC_ISSUER)) wrong.push("OIDC_ISSUER is an address, or built-in.");
  if (!env.OIDC_CLIENT_ID) wrong.push("OIDC_CLIENT_ID is missing: the provider knows the academy by it.");
  if (!env.OIDC_CLIENT_SECRET) wrong.push("OIDC_CLIENT_SECRET is missing: the academy proves itself with it.");
  if (!env.OIDC_CLIENT_ID || !env.OIDC_CLIENT_SECRET) return null;
  return { issuer: env.OIDC_ISSUER, clientId: env.OIDC_CLIENT_ID, clientSecret: env.OIDC_CLIENT_SECRET };
}

/** The five belong together: half an object store would keep files where nobody looks for them. */
function readStorage(env: Environment, wrong: string[]): Config["storage"] | null {
  const given = {
    S3_ENDPOINT: env.S3_ENDPOINT,
    S3_BUCKET: env.S3_BUCKET,
    S3_REGION: env.S3_REGION,
    S3_ACCESS_KEY_ID: env.S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: env.S3_SECRET_ACCESS_KEY,
  };
  if (Object.values(given).every((value) => !value)) return "disk";
  for (const [name, value] of Object.entries(given)) {
    if (!value) wrong.push(`${name} is missing: the object store needs all five of S3_*.`);
  }
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region } = given;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given;
  if (!endpoint || !bucket || !region || !accessKeyId || !secretAccessKey) return null;
  return { endpoint, bucket, region, accessKeyId, secretAccessKey };
}

function readTraces(env: Environment): TraceConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = env;
  if (!endpoint) return null;
  const pairs = listOf(headers).map((pair) => pair.split(/=(.*)/s, 2).map((word) => unescaped(word.trim())));
  return {
    endpoint,
    headers: Object.fromEntries(pairs),
    serviceName: env.OTEL_SERVICE_NAME,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}

/** The standard has values escaped as in addresses; some services tell theirs as they are. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readBackups(env: Environment, wrong: string[]): BackupConfig {
  const { BACKUP_EVERY: every, BACKUP_KEEP: keep, BACKUP_TO: to } = env;
  const recipients = listOf(env.BACKUP_RECIPIENT);
  if (recipients.some((recipient) => !/^age1[a-z0-9]{20,}$/.test(recipient))) {
    wrong.push("BACKUP_RECIPIENT is the public key of an age key pair, age1…; its secret key belongs elsewhere.");
  }
  if (to === "object-store" && !env.S3_ENDPOINT) wrong.push("BACKUP_TO names the object store, which S3_* configure.");
  return {
    every: every ? Number(every.slice(0, -1)) * (every.endsWith("d") ? DAY : HOUR) : null,
    keep,
    to: to === "object-store" ? to : "folder",
    folder: to && to !== "object-store" ? resolve(to) : join(resolve(env.DATA_DIR), "backups"),
    recipients,
  };
}

function readBunny(env: Environment, wrong: string[]): VideoConfig["bunny"] {
  const { BUNNY_LIBRARY_ID: libraryId, BUNNY_SECURITY_KEY: securityKey } = env;
  if (libraryId && securityKey) return { libraryId, securityKey };
  if (libraryId || securityKey)
    wrong.push("BUNNY_LIBRARY_ID and BUNNY_SECURITY_KEY belong together: set both or none.");
  return null;
}

/** Each is asked for files, so only what the operator names counts, and never a whole domain. */
function readVideoOrigins(env: Environment, wrong: string[]): string[] {
  const named = listOf(env.VIDEO_ORIGINS);
  if (named.every((one) => URL.canParse(one) && /^https:\/\/[^/*]+\/?$/.test(one))) {
    return named.map((one) => new URL(one).origin);
  }
  wrong.push(
    "VIDEO_ORIGINS are addresses without a path, such as https://videos.example.com, with commas between them.",
  );
  return [];
}

function readMux(env: Environment, wrong: string[]): VideoConfig["mux"] {
  const { MUX_SIGNING_KEY_ID: signingKeyId, MUX_SIGNING_PRIVATE_KEY: privateKey } = env;
  if (!signingKeyId && !privateKey) return null;
  if (!signingKeyId || !privateKey) {
    wrong.push("MUX_SIGNING_KEY_ID and MUX_SIGNING_PRIVATE_KEY belong together: set both or none.");
    return null;
  }
  try {
    return { signingKeyId, privateKey: readMuxKey(privateKey) };
  } catch {
    wrong.push("MUX_SIGNING_PRIVATE_KEY is an RSA private key in PEM, as it is or in base64.");
    return null;
  }
}

function readGateway(env: Environment, wrong: string[]): GatewayConfig | null {
  const environment = env.AUTHORIZE_NET_ENVIRONMENT;
  if (environment === "demo") return { environment };
  const own = gatewayAddresses[environment];
  const needed = {
    apiLoginId: env.AUTHORIZE_NET_API_LOGIN_ID,
    transactionKey: env.AUTHORIZE_NET_TRANSACTION_KEY,
    clientKey: env.AUTHORIZE_NET_CLIENT_KEY,
    signatureKey: env.AUTHORIZE_NET_SIGNATURE_KEY,
  };
  const names = {
    apiLoginId: "API_LOGIN_ID",
    transactionKey: "TRANSACTION_KEY",
    clientKey: "CLIENT_KEY",
    signatureKey: "SIGNATURE_KEY",
  };
  for (const [key, value] of Object.entries(needed)) {
    if (!value) wrong.push(`AUTHORIZE_NET_${names[key as keyof typeof names]} is missing: the gateway needs it.`);
  }
  const apiUrl = env.AUTHORIZE_NET_API_URL ?? own.apiUrl;
  const scriptUrl = env.AUTHORIZE_NET_SCRIPT_URL ?? own.scriptUrl;
  if (env.MODE === "production" && (apiUrl !== own.apiUrl || scriptUrl !== own.scriptUrl)) {
    wrong.push("AUTHORIZE_NET_API_URL and AUTHORIZE_NET_SCRIPT_URL must be the gateway's own addresses in production.");
  }
  const { apiLoginId, transactionKey, clientKey, signatureKey } = needed;
  if (!apiLoginId || !transactionKey || !clientKey || !signatureKey) return null;
  return { environment, apiLoginId, transactionKey, clientKey, signatureKey, apiUrl, scriptUrl };
}
