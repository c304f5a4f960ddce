import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import { z } from "zod";
import { storedEmail } from "#contract/email-address.ts";
import { OperatorError } from "#server/base/operator-error.ts";

/** Names everything that is wrong with the environment, a sentence each. */
export class ConfigError extends OperatorError {
  override name = "ConfigError";
}

const optional = z
  .string()
  .trim()
  .transform((text) => text || undefined)
  .optional();

const only = (isRight: (text: string) => boolean, error: string) =>
  z
    .string()
    .trim()
    .refine((text) => isRight(text), error)
    .optional();

const isAddress = (text: string) => storedEmail(text) !== null;

/** "Academy <post@academy.example>", or the address alone. */
export const senderPattern = /^(?:([^<>\r\n]*)<([^<>\s]+)>|[^<>\s]+)$/;

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
}

const Environment = z.object({
  MODE: z.enum(["demo", "production"], "is either demo or production").default("demo"),
  DEMO_IS_PUBLIC: z.enum(["yes", "no"], "is yes, or absent").default("no"),
  WEBHOOKS_ALLOW_PRIVATE: z.enum(["yes", "no"], "is yes, or absent").default("no"),
  DEMO_HISTORY: z.literal("none", "is none, or absent").optional(),
  HOST: z
    .string()
    .trim()
    .refine(
      (text) => isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text),
      "is an address or a name of this machine, without a port",
    )
    .default("127.0.0.1"),
  PORT: z.coerce.number("is a number").int("is a whole number").min(0).max(65_535, "is at most 65535").default(3000),
  PUBLIC_URL: only(isOrigin, "is an address without a path, such as https://academy.example"),
  DATA_DIR: z.string().default("./data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "is a postgres:// address" }).optional(),
  MIGRATION_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "is a postgres:// address" }).optional(),
  SANDBOX_URL: only(isOrigin, "is an http address without a path"),
  ADMIN_EMAILS: only((text) => listOf(text).every(isAddress), "are email addresses, with commas between them"),
  SUPPORT_EMAIL: only(isAddress, "is an email address"),
  OIDC_ISSUER: optional,
  OIDC_CLIENT_ID: optional,
  OIDC_CLIENT_SECRET: optional,
  AUTHORIZE_NET_ENVIRONMENT: z
    .enum(["demo", "sandbox", "production"], "is demo, sandbox or production")
    .default("demo"),
  AUTHORIZE_NET_API_LOGIN_ID: optional,
  AUTHORIZE_NET_TRANSACTION_KEY: optional,
  AUTHORIZE_NET_CLIENT_KEY: optional,
  AUTHORIZE_NET_SIGNATURE_KEY: only(
    (text) => listOf(text).every((key) => /^[0-9a-f]{128}$/i.test(key)),
    "has 128 characters of 0 to 9 and A to F each",
  ),
  AUTHORIZE_NET_API_URL: optional,
  AUTHORIZE_NET_SCRIPT_URL: optional,
  SMTP_URL: z.url({ protocol: /^smtps?$/, hostname: /./, error: "is an smtp:// address" }).optional(),
  MAIL_FROM: only((text) => {
    const [whole, , address] = senderPattern.exec(text) ?? [];
    return isAddress(address ?? whole ?? "");
  }, "is an email address, or a name with one: Academy <support@academy.example>"),
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: "is an http or https address" }).optional(),
  S3_BUCKET: only((text) => /^[\w.-]{3,63}$/.test(text), "is the name of a bucket"),
  S3_REGION: only((text) => /^[\w-]+$/.test(text), "is the name of a region, such as us-east-1"),
  S3_ACCESS_KEY_ID: optional,
  S3_SECRET_ACCESS_KEY: optional,
  CLAMAV_URL: z
    .url({ protocol: /^tcp$/, hostname: /./, error: "is a tcp:// address, such as tcp://127.0.0.1:3310" })
    .optional(),
  UPLOAD_LIMIT_MB: z.coerce.number("is a number").min(1, "is at least 1").max(2048, "is at most 2048").default(100),
  VIDEO_LIMIT_MB: z.coerce
    .number("is a number")
    .min(1, "is at least 1")
    .max(1_000_000, "is at most 1000000")
    .default(8192),
  BACKUP_EVERY: z
    .string()
    .regex(/^[1-9]\d{0,3}[hd]$/, "is hours or days, such as 6h or 1d")
    .optional(),
  BACKUP_KEEP: z.coerce.number("is a number").int("is a whole number").min(1, "is at least 1").default(14),
  BACKUP_TO: only(
    (text) => text === "object-store" || /[/\\]/.test(text),
    "is object-store, or the path of a folder, such as /var/backups/academy",
  ),
  BACKUP_RECIPIENT: optional,
  BUNNY_LIBRARY_ID: z.string().regex(/^\d+$/, "is a number").optional(),
  BUNNY_SECURITY_KEY: optional,
  MUX_SIGNING_KEY_ID: optional,
  MUX_SIGNING_PRIVATE_KEY: optional,
  VIDEO_ORIGINS: optional,
  FFMPEG_PATH: only((text) => isAbsolute(text), "is the absolute path of a program, such as /usr/bin/ffmpeg"),
  VIDEO_WORKERS: z.coerce
    .number("is a number")
    .int("is a whole number")
    .min(0, "is at least 0")
    .max(16, "is at most 16")
    .default(1),
  SESSION_SECRET: optional,
  TRUST_PROXY: optional,
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"], "is a log level").default("info"),
  TIME_LIMIT_FACTOR: z.coerce.number("is a number").min(1, "is at least 1").max(100, "is at most 100").default(1),
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
export type Environment = z.infer<typeof Environment>;

/** @internal */
export const variableNames: readonly string[] = Environment.keyof().options;

/** Names everything that cannot be read at once: the rest is parsed as if it were absent. @throws ConfigError for MODE. */
export function parseEnvironment(variables: Readonly<Record<string, string | undefined>>) {
  const present = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const issues = Environment.safeParse(present).error?.issues ?? [];
  const unreadable = new Set(issues.map(({ path }) => String(path[0])));
  const sentences = issues.map(({ path, message }) => `${path.join(".")} ${message}.`);
  if (unreadable.has("MODE")) throw new ConfigError(sentences.join("\n"));
  const env = Environment.parse(Object.fromEntries(Object.entries(present).filter(([name]) => !unreadable.has(name))));
  return { env, unreadable, sentences };
}

/** A sentence for each variable that is not ours and almost has the name of one that is. */
export function hintsAt(variables: Readonly<Record<string, string | undefined>>): string[] {
  const unknown = Object.keys(variables).filter((name) => name.length > 6 && !variableNames.includes(name));
  return unknown.flatMap((name) => {
    const meant = variableNames.find(
      (known) => known.length > 6 && !variables[known] && editsBetween(name, known) <= 2,
    );
    return meant ? [`${name} is not a variable of the academy: is ${meant} meant?`] : [];
  });
}

/** The Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (const [at, another] of [...other].entries()) {
      const replaced = (row[at] ?? 0) + (letter === another ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The parts of a comma-separated text. */
export function listOf(text: string | undefined): string[] {
  return (text ?? "").split(",").flatMap((part) => part.trim() || []);
}
