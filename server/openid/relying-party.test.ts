import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { MINUTE, systemClock } from "#server/base/clock.ts";
import {
  type Answer,
  clientId,
  foreign,
  type HostileProvider,
  lies,
  openHostileProvider,
  published,
  seconds,
  signed,
} from "#test/stand-ins/hostile-provider.ts";
import { type OpenId, ProviderUnavailable, SignInFailed } from "./openid.ts";
import { openIdClient } from "./relying-party.ts";

const publicUrl = "https://academy.example";

type Provider = HostileProvider & { readonly openId: OpenId };

/** A provider that may lie, and our side of its sign-in. */
async function openProvider(): Promise<Provider> {
  const provider = await openHostileProvider();
  const { issuer } = provider;
  const openId = openIdClient({ issuer, clientId, clientSecret: "a secret", publicUrl, clock: systemClock });
  return Object.assign(provider, { openId });
}

let provider: Provider;
beforeEach(async () => {
  provider = await openProvider();
  return () => provider[Symbol.asyncDispose]();
});

/** A whole sign-in at the provider. */
async function signIn() {
  const { url, pending } = await provider.openId.start("/dashboard");
  return provider.openId.finish(await callbackFrom(url), pending);
}

/** Where the provider sends the browser that comes with this address. */
async function callbackFrom(url: string): Promise<URL> {
  const { headers } = await fetch(url, { redirect: "manual" });
  return new URL(headers.get("location") ?? "");
}

async function failureOf(): Promise<unknown> {
  return signIn().then(
    () => "signed in",
    (error: unknown) => error,
  );
}

test("an honest provider's person is signed in", async () => {
  const { person, idToken } = await signIn();
  expect(person).toEqual({
    issuer: provider.issuer,
    subject: "person-1",
    email: "ada@example.com",
    emailVerified: true,
    emailVerifiedAt: null,
    firstName: "Ada",
    lastName: null,
  });
  expect(idToken.split(".")).toHaveLength(3);
});

test("a logout token counts from when it was issued, and one from the future is refused", async () => {
  const { issuer } = provider;
  const now = seconds();
  const client = { issuer, clientId, clientSecret: "a secret", publicUrl, clock: systemClock };
  const openId = openIdClient({ ...client, sharesClock: true });
  const read = (iat: number) =>
    openId.readLogout(
      signed({
        ...{ iss: issuer, aud: clientId, sub: "person-1", jti: "x", iat, exp: iat + 120 },
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
      }),
    );
  expect(await read(now)).toMatchObject({ endedAt: new Date(now * 1000) });
  await expect(read(now + 86_400)).rejects.toBeInstanceOf(SignInFailed);
});

test.each(lies)("an ID token that %s is refused [A10]", async (_what, lie) => {
  Object.assign(provider, lie);
  expect(await failureOf()).toBeInstanceOf(SignInFailed);
});

test.each([
  [{ email: "ada@example.com", email_verified: true }, true],
  [{ email: "ada@example.com", email_verified: "true" }, false],
  [{ email: "ada@example.com", email_verified: 1 }, false],
  [{ email: "ada@example.com", email_verified: false }, false],
  [{ email: "ada@example.com" }, false],
  [{ email: "", email_verified: true }, false],
  [{ email_verified: true }, false],
])("userinfo %j is a verified address: %j [A16]", async (claims, verified) => {
  provider.person = { sub: "person-1", ...claims };
  expect((await signIn()).person.emailVerified).toBe(verified);
});

test.each([
  [undefined, null],
  ["mfa", null],
  [[], false],
  [["pwd"], false],
  [["otp"], false],
  [["pwd", "otp", "mfa"], true],
  [["mfa"], true],
  [["pwd", "hwk"], true],
])("amr %j of an ID token says of a second factor: %j [A28]", async (amr, used) => {
  provider.claims = (honest) => ({ ...honest, amr });
  expect((await signIn()).usedSecondFactor).toBe(used);
});

test("userinfo cannot verify an address that only the ID token names [A16]", async () => {
  provider.claims = (honest) => ({ ...honest, email: "admin@academy.test" });
  const { person } = await signIn();
  expect(person).toMatchObject({ email: "admin@academy.test", emailVerified: false });
});

test("after a failed discovery the next sign-in works [A12]", async () => {
  provider.paths.set("/.well-known/openid-configuration", (_request, response) => void response.writeHead(503).end());
  expect(await failureOf()).toBeInstanceOf(ProviderUnavailable);
  expect(await provider.openId.signOutUrl("a-token")).toBeNull();
  provider.paths.clear();
  expect((await signIn()).person.subject).toBe("person-1");
  await signIn();
  expect(provider.asked.get("/.well-known/openid-configuration")).toBe(3);
});

const [json, html] = ["application/json", "text/html"].map((type) => ({ "content-type": type }));

test.each<[string, Answer]>([
  ["answers 500", (_request, response) => void response.writeHead(500).end("broken")],
  ["answers with a page instead of data", (_request, response) => void response.writeHead(200, html).end("<html>")],
  ["answers without a content type", (_request, response) => void response.writeHead(200).end("<html>")],
  ["stops in the middle of its data", (_request, response) => void response.writeHead(200, json).end('{"id_token":')],
  ["breaks off", (request) => void request.socket.destroy()],
])("a provider that %s is an outage, not a refusal [A12]", async (_what, answer) => {
  for (const path of ["/token", "/userinfo"]) {
    provider.paths.set(path, answer);
    expect(await failureOf(), path).toBeInstanceOf(ProviderUnavailable);
    provider.paths.clear();
  }
});

test("a provider that hangs times out [A12]", async () => {
  provider.paths.set("/.well-known/openid-configuration", () => {});
  expect(await failureOf()).toBeInstanceOf(ProviderUnavailable);
});

test("a provider that nobody reaches is an outage [A12]", async () => {
  await provider[Symbol.asyncDispose]();
  expect(await failureOf()).toBeInstanceOf(ProviderUnavailable);
});

test("a key that replaced another is found at once [A11]", async () => {
  await signIn();
  provider.keys = [published(foreign.publicKey, "two")];
  provider.token = (claims) => signed(claims, foreign.privateKey, { kid: "two" });
  expect((await signIn()).person.subject).toBe("person-1");
  provider.token = (claims) => signed(claims);
  expect(await failureOf()).toBeInstanceOf(SignInFailed);
});

test("unknown key ids refetch the keys at most once in 30 seconds [A11]", async () => {
  await signIn();
  provider.token = (claims) => signed(claims, foreign.privateKey, { kid: crypto.randomUUID() });
  for (let time = 0; time < 20; time += 1) expect(await failureOf()).toBeInstanceOf(SignInFailed);
  expect(provider.asked.get("/jwks")).toBe(2);
});

test("unreadable keys count as an outage and are fetched again the next time [A11 A12]", async () => {
  provider.paths.set("/jwks", (_request, response) => void response.writeHead(503).end());
  expect(await failureOf()).toBeInstanceOf(ProviderUnavailable);
  provider.paths.set("/jwks", (_request, response) => void response.writeHead(200).end("<html>"));
  expect(await failureOf()).toBeInstanceOf(ProviderUnavailable);
  provider.paths.clear();
  expect((await signIn()).person.subject).toBe("person-1");
});

test("the authorization request has S256, a state, a nonce and our redirect address [A09]", async () => {
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

test("re-authentication is requested by prompt and max_age", async () => {
  const again = new URL((await provider.openId.start("/profile", { again: true })).url).searchParams;
  expect([again.get("prompt"), again.get("max_age")]).toEqual(["login", "0"]);
  const usual = new URL((await provider.openId.start("/profile")).url).searchParams;
  expect([usual.get("prompt"), usual.get("max_age")]).toEqual([null, null]);
});

test.each([
  [["none", "login", "create"], "create"],
  [["none", "login"], null],
  [undefined, null],
])(
  "of a provider that lists the prompts %j, the form to create an account is requested as %j",
  async (prompts, prompt) => {
    if (prompts) provider.metadata = { prompt_values_supported: prompts };
    const { url } = await provider.openId.start("/", { create: true });
    expect(new URL(url).searchParams.get("prompt")).toBe(prompt);
  },
);

test("the age of an authentication is the provider's, whatever its clock shows", async () => {
  /** The age at an instant between the start and the end of the sign-in. */
  async function expectAge(ms: number) {
    const start = Date.now();
    const authenticatedAt = (await signIn()).authenticatedAt.getTime();
    expect(start - authenticatedAt).toBeLessThanOrEqual(ms);
    expect(Date.now() - authenticatedAt).toBeGreaterThanOrEqual(ms);
  }
  await expectAge(0);
  provider.claims = (honest) => ({ ...honest, iat: Number(honest.iat) - 20, auth_time: Number(honest.iat) - 3620 });
  await expectAge(3_600_000);
  provider.claims = (honest) => ({ ...honest, auth_time: Number(honest.iat) + 3600 });
  await expectAge(0);
});

test("a provider is asked to delete an account only when it offers that, and is told again when it did not", async () => {
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
  const { url, pending } = await provider.openId.start("/");
  const callback = new URL(`http://evil.test/elsewhere${(await callbackFrom(url)).search}`);
  expect((await provider.openId.finish(callback, pending)).person.subject).toBe("person-1");
});

test("a sign-in that began more than 10 minutes ago, or in the future, is refused", async () => {
  for (const age of [10 * MINUTE + 1000, -MINUTE, Number.NaN]) {
    const { pending } = await provider.openId.start("/");
    const startedAt = Number.isNaN(age) ? "soon" : new Date(Date.now() - age).toISOString();
    const url = new URL(`${publicUrl}/api/auth/callback?code=a-code&state=${pending.state}`);
    const error = await provider.openId.finish(url, { ...pending, startedAt }).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "SignInFailed", reason: "pending-expired" });
  }
});

test("text in the callback's query does not reach the log", async () => {
  const { pending } = await provider.openId.start("/");
  const url = new URL(`${publicUrl}/api/auth/callback?state=${pending.state}&error=a%0Aforged%20line`);
  const error = await provider.openId.finish(url, pending).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: "SignInFailed", reason: "provider-error" });
});

test("without an end-session endpoint signing out is local", async () => {
  expect(await provider.openId.signOutUrl("a-token")).toBeNull();
});

test.each([
  [undefined, "header"],
  [["client_secret_post"], "body"],
])("to a provider that supports the methods %j, the client secret is sent in the %s", async (methods, method) => {
  if (methods) provider.metadata = { token_endpoint_auth_methods_supported: methods };
  let seen = "";
  provider.paths.set("/token", async (request, response) => {
    const body = (await request.toArray()).join("");
    seen = request.headers.authorization ? "header" : body.includes("client_secret=") ? "body" : "nowhere";
    response.writeHead(400, json).end('{"error":"invalid_grant"}');
  });
  await failureOf();
  expect(seen).toBe(method);
});
