import { createHash, createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { MINUTE, systemClock } from "#server/clock.ts";
import { type OpenId, openIdClient, ProviderUnavailable, SignInFailed } from "./openid.ts";

const clientId = "academy";
const publicUrl = "https://academy.example";
const own = generateKeyPairSync("rsa", { modulusLength: 2048 });
const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 });

type Claims = Record<string, unknown>;
type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A provider that may lie: tests change what it says. */
interface Provider {
  readonly issuer: string;
  readonly openId: OpenId;
  /** How often each path was asked for. */
  readonly asked: Map<string, number>;
  /** Changes the claims of an honest ID token, and how it is signed. */
  claims: (honest: Claims) => Claims;
  token: (claims: Claims) => string;
  userInfo: Claims;
  keys: Claims[];
  metadata: Claims;
  /** Answers a path otherwise. */
  readonly paths: Map<string, Answer>;
}

async function openProvider(): Promise<Provider & AsyncDisposable> {
  let challenge: string | null = null;
  let nonce: string | null = null;
  const json = (response: ServerResponse, body: unknown, status = 200) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", provider.issuer);
    provider.asked.set(pathname, (provider.asked.get(pathname) ?? 0) + 1);
    const other = provider.paths.get(pathname);
    if (other) return other(request, response);
    if (pathname === "/.well-known/openid-configuration") return json(response, metadata());
    if (pathname === "/jwks") return json(response, { keys: provider.keys });
    if (pathname === "/userinfo") return json(response, provider.userInfo);
    const form = new URLSearchParams((await request.toArray()).join(""));
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (pathname !== "/token" || verifier !== challenge) return json(response, { error: "invalid_grant" }, 400);
    const now = Math.floor(Date.now() / 1000);
    const honest = { iss: provider.issuer, sub: "person-1", aud: clientId, iat: now, exp: now + 300, nonce };
    json(response, {
      access_token: "an-access-token",
      token_type: "Bearer",
      id_token: provider.token(provider.claims(honest)),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
    ...provider.metadata,
  });
  const openId = openIdClient({ issuer, clientId, clientSecret: "a secret", publicUrl, clock: systemClock });
  const provider: Provider & AsyncDisposable = {
    issuer,
    openId: {
      ...openId,
      async start(...request) {
        const started = await openId.start(...request);
        const asked = new URL(started.url).searchParams;
        challenge = asked.get("code_challenge");
        nonce = asked.get("nonce");
        return started;
      },
    },
    asked: new Map(),
    claims: (honest) => honest,
    token: (claims) => signed(claims, own.privateKey),
    userInfo: { sub: "person-1", email: "ada@example.com", email_verified: true, given_name: "Ada" },
    keys: [{ ...own.publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }],
    metadata: {},
    paths: new Map(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

function signed(claims: Claims, key: KeyObject, header: Claims = {}): string {
  const content = `${encoded({ alg: "RS256", kid: "one", typ: "JWT", ...header })}.${encoded(claims)}`;
  return `${content}.${sign("sha256", Buffer.from(content), key).toString("base64url")}`;
}

function signedByPublicKey(claims: Claims): string {
  const content = `${encoded({ alg: "HS256", kid: "one", typ: "JWT" })}.${encoded(claims)}`;
  const secret = createPublicKey(own.privateKey).export({ format: "pem", type: "spki" });
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

/** A whole sign-in at the provider. */
async function signIn(provider: Provider) {
  const { pending } = await provider.openId.start("/dashboard");
  return provider.openId.finish(new URL(`${publicUrl}/api/auth/callback?code=a-code&state=${pending.state}`), pending);
}

async function failureOf(provider: Provider): Promise<unknown> {
  return signIn(provider).then(
    () => "signed in",
    (error: unknown) => error,
  );
}

test("an honest provider's person is signed in", async () => {
  await using provider = await openProvider();
  const { person, idToken } = await signIn(provider);
  expect(person).toEqual({
    issuer: provider.issuer,
    subject: "person-1",
    email: "ada@example.com",
    emailVerified: true,
    firstName: "Ada",
    lastName: null,
  });
  expect(idToken.split(".")).toHaveLength(3);
});

const now = () => Math.floor(Date.now() / 1000);
const lies: [string, Partial<Provider>][] = [
  ["has no signature", { token: (claims) => `${encoded({ alg: "none" })}.${encoded(claims)}.` }],
  ["is signed with HS256 by the public key", { token: signedByPublicKey }],
  ["is signed by another key under the same id", { token: (claims) => signed(claims, foreign.privateKey) }],
  [
    "is signed by a key that nobody publishes",
    { token: (claims) => signed(claims, foreign.privateKey, { kid: "two" }) },
  ],
  ["was changed after it was signed", { token: (claims) => tampered(signed(claims, own.privateKey)) }],
  [
    "names a critical header that nobody knows",
    { token: (claims) => signed(claims, own.privateKey, { crit: ["x"], x: 1 }) },
  ],
  ["comes from another issuer", { claims: (honest) => ({ ...honest, iss: "https://evil.test" }) }],
  ["is for another client", { claims: (honest) => ({ ...honest, aud: "somebody-else" }) }],
  [
    "is for us among others, given to another",
    { claims: (honest) => ({ ...honest, aud: [clientId, "other"], azp: "other" }) },
  ],
  ["has expired", { claims: (honest) => ({ ...honest, iat: now() - 900, exp: now() - 600 }) }],
  ["is not valid yet", { claims: (honest) => ({ ...honest, nbf: now() + 600 }) }],
  ["never expires", { claims: ({ exp: _, ...rest }) => rest }],
  ["carries no nonce", { claims: ({ nonce: _, ...rest }) => rest }],
  ["carries another nonce", { claims: (honest) => ({ ...honest, nonce: "another" }) }],
  ["names nobody", { claims: ({ sub: _, ...rest }) => rest }],
  ["is no token", { token: () => "nonsense" }],
];

function tampered(token: string): string {
  const [header, body = "", signature] = token.split(".");
  const claims = JSON.parse(Buffer.from(body, "base64url").toString());
  return [header, encoded({ ...claims, sub: "administrator" }), signature].join(".");
}

test.each(lies)("an ID token that %s is refused", async (_what, lie) => {
  await using provider = await openProvider();
  Object.assign(provider, lie);
  expect(await failureOf(provider)).toBeInstanceOf(SignInFailed);
});

test("userinfo about somebody else is refused", async () => {
  await using provider = await openProvider();
  provider.userInfo = { sub: "person-2", email: "admin@academy.test", email_verified: true };
  expect(await failureOf(provider)).toBeInstanceOf(SignInFailed);
});

test.each([
  [{ email: "ada@example.com", email_verified: true }, true],
  [{ email: "ada@example.com", email_verified: "true" }, false],
  [{ email: "ada@example.com", email_verified: 1 }, false],
  [{ email: "ada@example.com", email_verified: false }, false],
  [{ email: "ada@example.com" }, false],
  [{ email: "", email_verified: true }, false],
  [{ email_verified: true }, false],
])("userinfo %j is a verified address: %j", async (claims, verified) => {
  await using provider = await openProvider();
  provider.userInfo = { sub: "person-1", ...claims };
  expect((await signIn(provider)).person.emailVerified).toBe(verified);
});

test("userinfo cannot verify an address that only the ID token names", async () => {
  await using provider = await openProvider();
  provider.claims = (honest) => ({ ...honest, email: "admin@academy.test" });
  const { person } = await signIn(provider);
  expect(person).toMatchObject({ email: "admin@academy.test", emailVerified: false });
});

test("a failed discovery is forgotten: the next sign-in works", async () => {
  await using provider = await openProvider();
  provider.paths.set("/.well-known/openid-configuration", (_request, response) => void response.writeHead(503).end());
  expect(await failureOf(provider)).toBeInstanceOf(ProviderUnavailable);
  expect(await provider.openId.signOutUrl("a-token")).toBeNull();
  provider.paths.clear();
  expect((await signIn(provider)).person.subject).toBe("person-1");
  await signIn(provider);
  expect(provider.asked.get("/.well-known/openid-configuration")).toBe(3);
});

test.each<[string, Answer]>([
  ["answers 500", (_request, response) => void response.writeHead(500).end("broken")],
  ["answers with a page instead of data", (_request, response) => void response.writeHead(200).end("<html>")],
  ["breaks off", (request) => void request.socket.destroy()],
])("a token endpoint that %s is an outage, not a refusal", async (_what, answer) => {
  await using provider = await openProvider();
  provider.paths.set("/token", answer);
  expect(await failureOf(provider)).toBeInstanceOf(ProviderUnavailable);
});

test("a provider that hangs is given up within 10 seconds", { timeout: 15_000 }, async () => {
  await using provider = await openProvider();
  provider.paths.set("/.well-known/openid-configuration", () => {});
  const before = performance.now();
  expect(await failureOf(provider)).toBeInstanceOf(ProviderUnavailable);
  expect(performance.now() - before).toBeLessThan(10_000);
});

test("a provider that nobody reaches is an outage", async () => {
  const provider = await openProvider();
  await provider[Symbol.asyncDispose]();
  expect(await failureOf(provider)).toBeInstanceOf(ProviderUnavailable);
});

test("a key that replaced another is found at once", async () => {
  await using provider = await openProvider();
  await signIn(provider);
  provider.keys = [{ ...foreign.publicKey.export({ format: "jwk" }), kid: "two", use: "sig", alg: "RS256" }];
  provider.token = (claims) => signed(claims, foreign.privateKey, { kid: "two" });
  expect((await signIn(provider)).person.subject).toBe("person-1");
  provider.token = (claims) => signed(claims, own.privateKey);
  expect(await failureOf(provider)).toBeInstanceOf(SignInFailed);
});

test("any number of invented key ids makes us ask for the keys once more in 30 seconds", async () => {
  await using provider = await openProvider();
  await signIn(provider);
  provider.token = (claims) => signed(claims, foreign.privateKey, { kid: crypto.randomUUID() });
  for (let time = 0; time < 20; time += 1) expect(await failureOf(provider)).toBeInstanceOf(SignInFailed);
  expect(provider.asked.get("/jwks")).toBe(2);
});

test("keys that cannot be read are an outage, and asked for again the next time", async () => {
  await using provider = await openProvider();
  provider.paths.set("/jwks", (_request, response) => void response.writeHead(503).end());
  expect(await failureOf(provider)).toBeInstanceOf(ProviderUnavailable);
  provider.paths.set("/jwks", (_request, response) => void response.writeHead(200).end("<html>"));
  expect(await failureOf(provider)).toBeInstanceOf(ProviderUnavailable);
  provider.paths.clear();
  expect((await signIn(provider)).person.subject).toBe("person-1");
});

test("the browser is sent with S256, a state and a nonce, and comes back to our own address", async () => {
  await using provider = await openProvider();
  const { url, pending } = await provider.openId.start("/profile");
  const asked = Object.fromEntries(new URL(url).searchParams);
  expect(asked).toMatchObject({
    client_id: clientId,
    response_type: "code",
    scope: "openid email profile",
    redirect_uri: `${publicUrl}/api/auth/callback`,
    code_challenge_method: "S256",
    code_challenge: createHash("sha256").update(pending.verifier).digest("base64url"),
    state: pending.state,
    nonce: pending.nonce,
  });
  expect(pending.returnTo).toBe("/profile");
});

test("whoever shall prove again who they are is sent with a prompt, and with an age that has the provider say when", async () => {
  await using provider = await openProvider();
  const again = new URL((await provider.openId.start("/profile", { again: true })).url).searchParams;
  expect([again.get("prompt"), again.get("max_age")]).toEqual(["login", "0"]);
  const usual = new URL((await provider.openId.start("/profile")).url).searchParams;
  expect([usual.get("prompt"), usual.get("max_age")]).toEqual([null, null]);
});

test("somebody proved who they are as long ago as the provider says, whatever its clock shows", async () => {
  await using provider = await openProvider();
  const ago = async () => Math.round((Date.now() - (await signIn(provider)).authenticatedAt.getTime()) / 1000);
  expect(await ago()).toBeLessThan(10);
  provider.claims = (honest) => ({ ...honest, iat: Number(honest.iat) - 20, auth_time: Number(honest.iat) - 3620 });
  expect(await ago()).toBeGreaterThanOrEqual(3600);
  expect(await ago()).toBeLessThan(3610);
  provider.claims = (honest) => ({ ...honest, auth_time: Number(honest.iat) + 3600 });
  expect(await ago()).toBeGreaterThanOrEqual(0);
});

test("a provider is asked to delete an account only when it offers that, and is told again when it did not", async () => {
  await using provider = await openProvider();
  const person = { issuer: provider.issuer, subject: "person 1/2" };
  await provider.openId.deleteAccount(person);
  expect([...provider.asked.keys()]).toEqual(["/.well-known/openid-configuration"]);

  await using offering = await openProvider();
  offering.metadata = { account_deletion_endpoint: `${offering.issuer}/accounts` };
  let status = 503;
  let authorization: string | undefined;
  offering.paths.set("/accounts/person%201%2F2", (request, response) => {
    authorization = request.headers.authorization;
    response.writeHead(status).end();
  });
  const theirs = { ...person, issuer: offering.issuer };
  await expect(offering.openId.deleteAccount(theirs)).rejects.toThrow(ProviderUnavailable);
  status = 204;
  await offering.openId.deleteAccount(theirs);
  expect(authorization).toBe(`Basic ${Buffer.from("academy:a%20secret").toString("base64")}`);
  await offering.openId.deleteAccount(person);
  expect(offering.asked.get("/accounts/person%201%2F2")).toBe(2);
});

test("only the query of the callback's address counts", async () => {
  await using provider = await openProvider();
  const { pending } = await provider.openId.start("/");
  const url = new URL(`http://evil.test/elsewhere?code=a-code&state=${pending.state}`);
  expect((await provider.openId.finish(url, pending)).person.subject).toBe("person-1");
});

test("a sign-in that began more than 10 minutes ago, or in the future, is refused", async () => {
  await using provider = await openProvider();
  for (const age of [10 * MINUTE + 1000, -MINUTE, Number.NaN]) {
    const { pending } = await provider.openId.start("/");
    const startedAt = Number.isNaN(age) ? "soon" : new Date(Date.now() - age).toISOString();
    const url = new URL(`${publicUrl}/api/auth/callback?code=a-code&state=${pending.state}`);
    const error = await provider.openId.finish(url, { ...pending, startedAt }).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "SignInFailed", reason: "pending-expired" });
  }
});

test("what somebody writes into the callback's address does not reach the log", async () => {
  await using provider = await openProvider();
  const { pending } = await provider.openId.start("/");
  const url = new URL(`${publicUrl}/api/auth/callback?state=${pending.state}&error=a%0Aforged%20line`);
  const error = await provider.openId.finish(url, pending).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: "SignInFailed", reason: "provider-error" });
});

test("without a place to end the session, signing out stays with us", async () => {
  await using provider = await openProvider();
  expect(await provider.openId.signOutUrl("a-token")).toBeNull();
});

test("the secret goes the way the provider accepts", async () => {
  for (const [methods, place] of [
    [undefined, "header"],
    [["client_secret_post"], "body"],
  ] as const) {
    await using provider = await openProvider();
    if (methods) provider.metadata = { token_endpoint_auth_methods_supported: methods };
    let seen = "";
    provider.paths.set("/token", async (request, response) => {
      const body = (await request.toArray()).join("");
      seen = request.headers.authorization ? "header" : body.includes("client_secret=") ? "body" : "nowhere";
      response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant"}');
    });
    await failureOf(provider);
    expect(seen).toBe(place);
  }
});
