import { expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const production = {
  MODE: "production",
  PUBLIC_URL: "https://academy.example",
  TRUST_PROXY: "10.0.0.0/8",
  SESSION_SECRET: "a secret of at least thirty-two characters",
  ADMIN_EMAILS: "Owner@Academy.example, second@academy.example",
  SUPPORT_EMAIL: "support@academy.example",
  SMTP_URL: "smtp://mail.academy.example:587",
  MAIL_FROM: "Academy <support@academy.example>",
  OIDC_ISSUER: "built-in",
  AUTHORIZE_NET_ENVIRONMENT: "production",
  AUTHORIZE_NET_API_LOGIN_ID: "login",
  AUTHORIZE_NET_TRANSACTION_KEY: "transaction-key",
  AUTHORIZE_NET_CLIENT_KEY: "client-key",
  AUTHORIZE_NET_SIGNATURE_KEY: "signature-key",
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

test("nothing set is the demo on localhost", () => {
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

test("the public address follows the port, and an empty variable counts as absent", () => {
  expect(readConfig({ PORT: "4000", PUBLIC_URL: "" }).publicUrl).toBe("http://localhost:4000");
});

test("an object store is configured by all five of its variables, or not at all", () => {
  const store = {
    S3_ENDPOINT: "https://objects.example",
    S3_BUCKET: "academy",
    S3_REGION: "eu-central-1",
    S3_ACCESS_KEY_ID: "id",
    S3_SECRET_ACCESS_KEY: "secret",
  };
  expect(readConfig({}).storage).toBe("disk");
  expect(readConfig(store).storage).toMatchObject({ endpoint: "https://objects.example", bucket: "academy" });
  for (const name of Object.keys(store)) {
    expect(complaintsOf({ ...store, [name]: "" })).toEqual([
      `${name} is missing: the object store needs all five of S3_*.`,
    ]);
  }
});

test("a complete production environment is accepted", () => {
  const config = readConfig(production);
  expect(config.publicUrl).toBe("https://academy.example");
  expect(config.adminEmails).toEqual(["owner@academy.example", "second@academy.example"]);
  expect(config.gateway).toMatchObject({ apiUrl: "https://api.authorize.net/xml/v1/request.api" });
});

test("I17 production names everything that is missing at once", () => {
  const complaints = complaintsOf({ MODE: "production", AUTHORIZE_NET_ENVIRONMENT: "production" });
  for (const name of [
    "PUBLIC_URL",
    "TRUST_PROXY",
    "SESSION_SECRET",
    "ADMIN_EMAILS",
    "SMTP_URL",
    "MAIL_FROM",
    "OIDC_ISSUER",
    "AUTHORIZE_NET_API_LOGIN_ID",
    "AUTHORIZE_NET_SIGNATURE_KEY",
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
  [{ SESSION_SECRET: "short" }, "SESSION_SECRET needs at least 32 characters each."],
])("I17 production refuses %o", (change, complaint) => {
  expect(complaintsOf({ ...production, ...change })).toEqual([
    typeof complaint === "string" ? complaint : expect.stringMatching(complaint),
  ]);
});

test("what cannot be read is named with its variable", () => {
  expect(complaintsOf({ PORT: "http", DATABASE_URL: "mysql://x" })).toEqual([
    "PORT is a number.",
    "DATABASE_URL is a postgres:// address.",
  ]);
});
