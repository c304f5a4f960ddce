import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { productionEnv } from "#test/production-env.ts";
import { readConfig } from "./config.ts";
import { ConfigError, hintsAt, variableNames } from "./environment.ts";

const production = {
  ...productionEnv,
  TRUST_PROXY: "10.0.0.0/8",
  ADMIN_EMAILS: "Owner@Academy.example, second@академия.example",
};

const objectStore = {
  S3_ENDPOINT: "https://objects.example",
  S3_BUCKET: "academy",
  S3_REGION: "eu-central-1",
  S3_ACCESS_KEY_ID: "id",
  S3_SECRET_ACCESS_KEY: "secret",
};

function complaintsOf(variables: Record<string, string>): string[] {
  try {
    readConfig(variables);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.split("\n");
  }
}

test("backups are configured by interval, number, location and recipients", () => {
  expect(readConfig({ DATA_DIR: "/data" }).backups).toEqual({
    every: null,
    keep: 14,
    to: "folder",
    folder: "/data/backups",
    recipients: [],
  });
  const recipient = `age1${"q".repeat(58)}`;
  expect(
    readConfig({ BACKUP_EVERY: "2d", BACKUP_KEEP: "3", BACKUP_TO: "/mnt", BACKUP_RECIPIENT: recipient }).backups,
  ).toEqual({ every: 172_800_000, keep: 3, to: "folder", folder: "/mnt", recipients: [recipient] });
  expect(complaintsOf({ BACKUP_EVERY: "often", BACKUP_KEEP: "0" })).toEqual([
    "BACKUP_EVERY is hours or days, such as 6h or 1d.",
    "BACKUP_KEEP is at least 1.",
  ]);
  expect(complaintsOf({ BACKUP_TO: "object-store", BACKUP_RECIPIENT: "AGE-SECRET-KEY-1" })).toEqual([
    "BACKUP_RECIPIENT is the public key of an age key pair, age1…; its secret key belongs elsewhere.",
    "BACKUP_TO names the object store, which S3_* configure.",
  ]);
});

test("an empty environment is the demo on localhost", () => {
  expect(readConfig({})).toMatchObject({
    mode: "demo",
    host: "127.0.0.1",
    port: 3000,
    publicUrl: "http://localhost:3000",
    databaseUrl: null,
    adminEmails: ["admin@academy.test"],
    supportEmail: "support@academy.test",
    oidc: "built-in",
    gateway: { environment: "demo" },
  });
});

test("a demo begins with a year of history unless it is told not to, and production never does", () => {
  expect(readConfig({}).demoHistory).toBe(true);
  expect(readConfig({ DEMO_HISTORY: "none" }).demoHistory).toBe(false);
  expect(complaintsOf({ DEMO_HISTORY: "short" })).toEqual(["DEMO_HISTORY is none, or absent."]);
  expect(readConfig(production).demoHistory).toBe(false);
});

test("the public address follows the port, and an empty variable counts as absent", () => {
  expect(readConfig({ PORT: "4000", PUBLIC_URL: "" }).publicUrl).toBe("http://localhost:4000");
});

test("an object store is configured by all five of its variables, or not at all", () => {
  expect(readConfig({}).storage).toBe("disk");
  expect(readConfig(objectStore).storage).toMatchObject({ endpoint: "https://objects.example", bucket: "academy" });
  for (const name of Object.keys(objectStore)) {
    expect(complaintsOf({ ...objectStore, [name]: "" })).toEqual([
      `${name} is missing: the object store needs all five of S3_*.`,
    ]);
  }
});

test("a complete production environment is accepted", () => {
  const config = readConfig(production);
  expect(config.publicUrl).toBe("https://academy.example");
  expect(config.adminEmails).toEqual(["owner@academy.example", "second@xn--80aamepir7m.example"]);
  expect(config.gateway).toMatchObject({ apiUrl: "https://api.authorize.net/xml/v1/request.api" });
});

test("production names everything that is missing at once [I17]", () => {
  const complaints = complaintsOf({ MODE: "production", AUTHORIZE_NET_ENVIRONMENT: "production" });
  for (const name of [
    ...["PUBLIC_URL", "TRUST_PROXY", "SESSION_SECRET", "ADMIN_EMAILS", "SMTP_URL", "MAIL_FROM", "OIDC_ISSUER"],
    ...["AUTHORIZE_NET_API_LOGIN_ID", "AUTHORIZE_NET_SIGNATURE_KEY"],
  ]) {
    expect(complaints.some((line) => line.startsWith(name))).toBe(true);
  }
});

test.each([
  [{ PUBLIC_URL: "http://academy.example" }, "PUBLIC_URL must be https in production."],
  [{ AUTHORIZE_NET_ENVIRONMENT: "demo" }, /stand-in is never used in production/],
  [{ AUTHORIZE_NET_API_URL: "https://evil.example/request.api" }, /must be the gateway's own addresses/],
  [{ SANDBOX_URL: "http://localhost:4000" }, "SANDBOX_URL is for the demo only."],
  [{ TRUST_PROXY: "" }, /^TRUST_PROXY is missing: it names the proxies in front/],
  [{ TRUST_PROXY: "false" }, /^TRUST_PROXY is missing/],
  [{ TRUST_PROXY: "true" }, /^TRUST_PROXY believes what strangers say, or cannot be read/],
  [{ TRUST_PROXY: "0.0.0.0/0" }, /^TRUST_PROXY believes what strangers say/],
  [{ SESSION_SECRET: "a".repeat(64) }, /^SESSION_SECRET has too few different characters/],
  [{ SESSION_SECRET: "abcdefghij".repeat(4) }, /^SESSION_SECRET is one short text again and again/],
  [{ SESSION_SECRET: "abcdefghijklmnopqrstuvwxyz0123456789" }, /^SESSION_SECRET counts through/],
  [{ SESSION_SECRET: "change-me-to-a-long-secret-of-your-own" }, /^SESSION_SECRET is the text of an example/],
  [{ SESSION_SECRET: `${production.SESSION_SECRET}, ${"ab".repeat(20)}` }, /^SESSION_SECRET has too few/],
  [{ SESSION_SECRET: " , " }, "SESSION_SECRET is missing: it signs the session cookies."],
  [{ ADMIN_EMAILS: " , " }, "ADMIN_EMAILS is missing: nobody could run the academy."],
  [{ ADMIN_EMAILS: "owner@academy.example, Admin@Academy.test" }, /^ADMIN_EMAILS has an address at academy\.test/],
  [{ SUPPORT_EMAIL: "support@academy.test" }, /^SUPPORT_EMAIL has an address at academy\.test/],
  [{ MAIL_FROM: "Academy <support@mail.academy.test>" }, /^MAIL_FROM has an address at academy\.test/],
  [{ OIDC_ISSUER: "HTTP://id.example", OIDC_CLIENT_ID: "id", OIDC_CLIENT_SECRET: "s" }, /^OIDC_ISSUER must be https/],
  [{ ...objectStore, S3_ENDPOINT: "http://objects.example" }, /^S3_ENDPOINT must be https/],
  [{ DEMO_IS_PUBLIC: "yes" }, "DEMO_IS_PUBLIC is for the demo only."],
  [{ FFMPEG_PATH: "/a/node_modules/@ffmpeg-installer/linux-x64/ffmpeg" }, /^FFMPEG_PATH is the demo's ffmpeg of 2018/],
  [{ DEMO_HISTORY: "none" }, "DEMO_HISTORY is for the demo only."],
  [{ WEBHOOKS_ALLOW_PRIVATE: "yes" }, "WEBHOOKS_ALLOW_PRIVATE is for the demo only."],
  [{ TIME_LIMIT_FACTOR: "20" }, "TIME_LIMIT_FACTOR is for tests only."],
  [{ SESSION_SECRET: "short" }, "SESSION_SECRET needs at least 32 characters each."],
])("production refuses %o [I17]", (change, complaint) => {
  expect(complaintsOf({ ...production, ...change })).toEqual([
    typeof complaint === "string" ? complaint : expect.stringMatching(complaint),
  ]);
});

const credentials = {
  AUTHORIZE_NET_API_LOGIN_ID: "login",
  AUTHORIZE_NET_TRANSACTION_KEY: "transaction-key",
  AUTHORIZE_NET_CLIENT_KEY: "client-key",
  AUTHORIZE_NET_SIGNATURE_KEY: "0001".repeat(32),
};
const live = /^AUTHORIZE_NET_\* name the live gateway, and a demo never charges real cards: set MODE=production\.$/;
const exposed = /^(HOST|PUBLIC_URL) \S+ lets strangers into a demo, .* set MODE=production, or DEMO_IS_PUBLIC=yes/;

test.each([
  [{ AUTHORIZE_NET_ENVIRONMENT: "production" }, live],
  [{ ...credentials, AUTHORIZE_NET_ENVIRONMENT: "production", MODE: "demo" }, live],
  [{ ...credentials, AUTHORIZE_NET_ENVIRONMENT: "production", DEMO_IS_PUBLIC: "yes" }, live],
  [
    {
      ...credentials,
      AUTHORIZE_NET_ENVIRONMENT: "sandbox",
      AUTHORIZE_NET_API_URL: "https://api2.authorize.net/xml/v1/request.api",
    },
    live,
  ],
  [{ AUTHORIZE_NET_SCRIPT_URL: "https://js.authorize.net/v1/Accept.js" }, live],
  [{ PUBLIC_URL: "https://academy.example" }, exposed],
  [{ PUBLIC_URL: "https://localhost:3000" }, exposed],
  [{ PUBLIC_URL: "http://academy.example" }, exposed],
  [{ PUBLIC_URL: "http://localhost.example" }, exposed],
  [{ HOST: "0.0.0.0" }, exposed],
  [{ HOST: "::" }, exposed],
  [{ HOST: "academy.internal", DEMO_IS_PUBLIC: "no" }, exposed],
])("without MODE=production %o does not start [P40]", (variables, complaint) => {
  expect(complaintsOf(variables)).toEqual([expect.stringMatching(complaint)]);
});

test("a demo is public only if its operator says so [P40]", () => {
  const publicly = { PUBLIC_URL: "https://demo.example", HOST: "0.0.0.0", DEMO_IS_PUBLIC: "yes" };
  expect(readConfig(publicly)).toMatchObject({ mode: "demo", publicUrl: "https://demo.example", host: "0.0.0.0" });
  expect(readConfig({ PUBLIC_URL: "http://[::1]:3000", HOST: "::1" }).host).toBe("::1");
  expect(complaintsOf({ DEMO_IS_PUBLIC: "maybe" })).toEqual(["DEMO_IS_PUBLIC is yes, or absent."]);
});

test("unreadable and missing variables are named together [I17]", () => {
  const unreadable = { PORT: "many", DATABASE_URL: "mysql://x", SMTP_URL: "mail.example" };
  expect(complaintsOf({ ...production, ...unreadable, TRUST_PROXY: "true" }).toSorted()).toEqual([
    "DATABASE_URL is a postgres:// address.",
    "PORT is a number.",
    "SMTP_URL is an smtp:// address.",
    expect.stringMatching(/^TRUST_PROXY believes/),
  ]);
});

/** Values that cannot be meant, for each variable with a form. */
const wrongValues: Readonly<Record<string, readonly string[]>> = {
  MODE: ["live", "Production"],
  WEBHOOKS_ALLOW_PRIVATE: ["maybe"],
  HOST: ["http://0.0.0.0", "localhost:3000", "my host", "-academy"],
  PORT: ["http", "70000", "-1", "3.5"],
  PUBLIC_URL: [
    ...["academy.example", "ftp://academy.example", "https://academy.example/course", "https://academy.example?a=1"],
    ...["https://owner:secret@academy.example", "https://academy.example#top"],
  ],
  DATABASE_URL: ["localhost:5432"],
  MIGRATION_DATABASE_URL: ["localhost"],
  SANDBOX_URL: ["localhost:4000", "http://localhost:4000/sandbox"],
  ADMIN_EMAILS: ["one@academy.example; two@academy.example", "owner", "one@academy.example two@academy.example"],
  SUPPORT_EMAIL: ["support", "Academy <support@academy.example>"],
  OIDC_ISSUER: ["builtin", "ftp://id.example"],
  AUTHORIZE_NET_ENVIRONMENT: ["live", "test"],
  AUTHORIZE_NET_SIGNATURE_KEY: ["key", "0".repeat(127), `${"0".repeat(128)}; ${"1".repeat(128)}`],
  SMTP_URL: ["mail.example", "https://mail.example", "smtp://"],
  MAIL_FROM: ["Academy", "Academy <support>", "support@", "Academy support@academy.example", "a <b@c.example> d"],
  S3_ENDPOINT: ["objects.example", "s3://academy"],
  S3_BUCKET: ["my bucket", "s3://academy", "a"],
  S3_REGION: ["eu central 1"],
  CLAMAV_URL: ["127.0.0.1:3310", "http://127.0.0.1:3310"],
  UPLOAD_LIMIT_MB: ["0", "10 GB", "4096"],
  VIDEO_LIMIT_MB: ["0", "8 GB", "2000000"],
  BACKUP_EVERY: ["often", "0h", "1w"],
  BACKUP_KEEP: ["0", "all"],
  BACKUP_TO: ["s3", "backups"],
  BACKUP_RECIPIENT: ["AGE-SECRET-KEY-1", "ssh-ed25519 AAAA"],
  BUNNY_LIBRARY_ID: ["library"],
  FFMPEG_PATH: ["ffmpeg", "bin/ffmpeg"],
  VIDEO_WORKERS: ["many", "-1", "1.5"],
  VIDEO_ORIGINS: ["videos.example.com", "https://*.example.com", "https://videos.example.com/a"],
  SESSION_SECRET: ["short"],
  LOG_LEVEL: ["verbose"],
  METRICS_TOKEN: ["short"],
  MEETING_URL: ["http://meet.example/{id}", "meet.example"],
  META_PIXEL_ID: ["pixel"],
  OTEL_EXPORTER_OTLP_ENDPOINT: ["localhost:4318"],
  OTEL_EXPORTER_OTLP_HEADERS: ["token"],
  OTEL_TRACES_SAMPLER_ARG: ["2", "half"],
  TIME_LIMIT_FACTOR: ["0", "fast"],
};

test.each(Object.entries(wrongValues))("%s is refused with a sentence, whatever stands in it", (name, values) => {
  for (const value of values) {
    expect(complaintsOf({ [name]: value }), value).toContainEqual(expect.stringMatching(`^${name} `));
  }
});

test("a name that is almost one of ours is hinted at", () => {
  expect(
    hintsAt({ SMTP_UR: "x", BACKUPTO: "/backups", ADMIN_EMAIL: "a@b.example", PATH: "/bin", EDITOR: "vi" }),
  ).toEqual([
    "SMTP_UR is not a variable of the academy: is SMTP_URL meant?",
    "BACKUPTO is not a variable of the academy: is BACKUP_TO meant?",
    "ADMIN_EMAIL is not a variable of the academy: is ADMIN_EMAILS meant?",
  ]);
  expect(hintsAt({ ...production, SESSION_SECRETS: "kept beside the right one" })).toEqual([]);
});

test(".env.example and docs/configuration.md name every variable, and no other", () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const example = Array.from(read(".env.example").matchAll(/^#([A-Z][A-Z0-9_]+)=/gm), ([, name]) => name);
  expect(example.toSorted()).toEqual(variableNames.toSorted());
  const rows = read("docs/configuration.md").match(/^\| `[A-Z0-9_]{4,}.*$/gm) ?? [];
  const documented = rows.flatMap((row) => row.split("|")[1]?.match(/[A-Z][A-Z0-9_]{3,}/g) ?? []);
  expect(documented.toSorted()).toEqual(variableNames.toSorted());
});
