import { join, resolve } from "node:path";
import { DAY, HOUR } from "#server/base/clock.ts";
import type { TraceConfig } from "#server/process/open-telemetry.ts";
import type { S3Config } from "#server/storage/s3.ts";
import { readMuxKey } from "#server/video/mux.ts";
import type { VideoConfig } from "#server/video/video.ts";
import { type Environment, listOf } from "./environment.ts";

export type OidcConfig =
  | "built-in"
  | { readonly issuer: string; readonly clientId: string; readonly clientSecret: string };

export type StorageConfig = "disk" | S3Config;

export interface BackupConfig {
  /** Milliseconds between scheduled backups; null: none. */
  readonly every: number | null;
  readonly keep: number;
  readonly to: "folder" | "object-store";
  /** Also for backups that an operator makes without a file name. */
  readonly folder: string;
  /** age public keys; empty: backups are not encrypted. */
  readonly recipients: readonly string[];
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

// Each reader adds a sentence to `wrong` for whatever the operator has to correct.

export function readOidc(env: Environment, wrong: string[]): OidcConfig | null {
  if (env.OIDC_ISSUER === undefined || env.OIDC_ISSUER === "built-in") return "built-in";
  if (!/^https?:/i.test(env.OIDC_ISSUER) || !URL.canParse(env.OIDC_ISSUER))
    wrong.push("OIDC_ISSUER is an address, or built-in.");
  if (!env.OIDC_CLIENT_ID) wrong.push("OIDC_CLIENT_ID is missing: the provider knows the academy by it.");
  if (!env.OIDC_CLIENT_SECRET) wrong.push("OIDC_CLIENT_SECRET is missing: the academy proves itself with it.");
  if (!env.OIDC_CLIENT_ID || !env.OIDC_CLIENT_SECRET) return null;
  return { issuer: env.OIDC_ISSUER, clientId: env.OIDC_CLIENT_ID, clientSecret: env.OIDC_CLIENT_SECRET };
}

/** All five variables or none: with some of them missing, files would go to the disk by mistake. */
export function readStorage(env: Environment, wrong: string[]): StorageConfig | null {
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

export function readTraces(env: Environment): TraceConfig | null {
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

/** OpenTelemetry percent-encodes values; some services document theirs without. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function readBackups(env: Environment, wrong: string[]): BackupConfig {
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

export function readVideo(env: Environment, wrong: string[]): VideoConfig {
  return { bunny: readBunny(env, wrong), mux: readMux(env, wrong), origins: readVideoOrigins(env, wrong) };
}

function readBunny(env: Environment, wrong: string[]): VideoConfig["bunny"] {
  const { BUNNY_LIBRARY_ID: libraryId, BUNNY_SECURITY_KEY: securityKey } = env;
  if (libraryId && securityKey) return { libraryId, securityKey };
  if (libraryId || securityKey)
    wrong.push("BUNNY_LIBRARY_ID and BUNNY_SECURITY_KEY belong together: set both or none.");
  return null;
}

/** The server requests files there, so only origins count, and no wildcards. */
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

export function readGateway(env: Environment, wrong: string[]): GatewayConfig | null {
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
