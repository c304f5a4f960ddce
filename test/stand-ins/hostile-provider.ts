import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listening } from "../listening.ts";

export const clientId = "academy";
export const foreign = generateKeyPairSync("rsa", { modulusLength: 2048 });
const own = generateKeyPairSync("rsa", { modulusLength: 2048 });

type Claims = Record<string, unknown>;
export type Answer = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** An OpenID provider whose replies tests can falsify. It signs everybody in without asking. */
export interface HostileProvider extends AsyncDisposable {
  readonly issuer: string;
  /** The number of requests by path. */
  readonly asked: Map<string, number>;
  /** The signed-in person. */
  person: Claims;
  /** Changes the claims of a correct ID token, its signature, and the userinfo. */
  claims: (honest: Claims) => Claims;
  token: (claims: Claims) => string;
  userInfo: (person: Claims) => Claims;
  keys: Claims[];
  metadata: Claims;
  /** Replaces the reply of a path. */
  readonly paths: Map<string, Answer>;
}

/** The correct `claims`, `token` and `userInfo`. */
export const honesty = {
  claims: (honest) => honest,
  token: (claims) => signed(claims),
  userInfo: (person) => person,
} satisfies Partial<HostileProvider>;

export async function openHostileProvider(): Promise<HostileProvider> {
  /** What each unredeemed code is bound to. */
  const codes = new Map<string, { challenge: string | null; nonce: string | null }>();
  const json = (response: ServerResponse, body: unknown, status = 200) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  function authorize(asked: URLSearchParams, response: ServerResponse) {
    if (asked.get("code_challenge_method") !== "S256") return json(response, { error: "invalid_request" }, 400);
    const code = randomUUID();
    codes.set(code, { challenge: asked.get("code_challenge"), nonce: asked.get("nonce") });
    const back = new URL(asked.get("redirect_uri") ?? "");
    back.search = new URLSearchParams({ code, state: asked.get("state") ?? "" }).toString();
    response.writeHead(302, { location: back.href }).end();
  }

  function redeem(form: URLSearchParams, response: ServerResponse) {
    const code = form.get("code") ?? "";
    const bound = codes.get(code);
    codes.delete(code);
    const verifier = createHash("sha256").update(form.get("code_verifier") ?? "");
    if (!bound || verifier.digest("base64url") !== bound.challenge) {
      return json(response, { error: "invalid_grant" }, 400);
    }
    const iat = seconds();
    const { sub } = provider.person;
    const honest = { iss: provider.issuer, sub, aud: clientId, iat, exp: iat + 300, nonce: bound.nonce };
    json(response, {
      access_token: "an-access-token",
      token_type: "Bearer",
      id_token: provider.token(provider.claims(honest)),
    });
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", provider.issuer);
    provider.asked.set(pathname, (provider.asked.get(pathname) ?? 0) + 1);
    const other = provider.paths.get(pathname);
    if (other) return other(request, response);
    if (pathname === "/.well-known/openid-configuration") return json(response, metadata());
    if (pathname === "/authorize") return authorize(searchParams, response);
    if (pathname === "/token") return redeem(new URLSearchParams((await request.toArray()).join("")), response);
    if (pathname === "/jwks") return json(response, { keys: provider.keys });
    if (pathname === "/userinfo") return json(response, provider.userInfo(provider.person));
    response.writeHead(404).end();
  });
  // Longer than any test: closing a kept-alive connection just as it is reused would be an unintended failure.
  server.keepAliveTimeout = 120_000;
  const issuer = `http://127.0.0.1:${await listening(server)}`;
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
  const provider: HostileProvider = {
    issuer,
    asked: new Map(),
    person: { sub: "person-1", email: "ada@example.com", email_verified: true, given_name: "Ada" },
    ...honesty,
    keys: [published(own.publicKey, "one")],
    metadata: {},
    paths: new Map(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return provider;
}

/** A public key as a JWK. */
export function published(key: KeyObject, kid: string): Claims {
  return { ...key.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" };
}

/** A token signed with the provider's key, or with another one. */
export function signed(claims: Claims, key = own.privateKey, header: Claims = {}): string {
  const content = `${encoded({ alg: "RS256", kid: "one", typ: "JWT", ...header })}.${encoded(claims)}`;
  return `${content}.${sign("sha256", Buffer.from(content), key).toString("base64url")}`;
}

export function unsigned(claims: Claims): string {
  return `${encoded({ alg: "none" })}.${encoded(claims)}.`;
}

function signedByPublicKey(claims: Claims): string {
  const content = `${encoded({ alg: "HS256", kid: "one", typ: "JWT" })}.${encoded(claims)}`;
  const secret = own.publicKey.export({ format: "pem", type: "spki" });
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

function tampered(token: string): string {
  const [header, body = "", signature] = token.split(".");
  const claims = JSON.parse(Buffer.from(body, "base64url").toString());
  return [header, encoded({ ...claims, sub: "administrator" }), signature].join(".");
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
export const seconds = () => Math.floor(Date.now() / 1000);

/** Invalid ID tokens that a relying party must reject: a description, and how each is made. */
export const lies: [string, Partial<HostileProvider>][] = [
  ["has no signature", { token: unsigned }],
  ["is signed with HS256 by the public key", { token: signedByPublicKey }],
  ["is signed by another key under the same id", { token: (claims) => signed(claims, foreign.privateKey) }],
  [
    "is signed by a key that nobody publishes",
    { token: (claims) => signed(claims, foreign.privateKey, { kid: "two" }) },
  ],
  ["was changed after it was signed", { token: (claims) => tampered(signed(claims)) }],
  [
    "names a critical header that nobody knows",
    { token: (claims) => signed(claims, undefined, { crit: ["x"], x: 1 }) },
  ],
  ["comes from another issuer", { claims: (honest) => ({ ...honest, iss: "https://evil.test" }) }],
  ["is for another client", { claims: (honest) => ({ ...honest, aud: "somebody-else" }) }],
  [
    "is for us among others, given to another",
    { claims: (honest) => ({ ...honest, aud: [clientId, "other"], azp: "other" }) },
  ],
  ["has expired", { claims: (honest) => ({ ...honest, iat: seconds() - 900, exp: seconds() - 600 }) }],
  ["is not valid yet", { claims: (honest) => ({ ...honest, nbf: seconds() + 600 }) }],
  ["never expires", { claims: ({ exp: _, ...rest }) => rest }],
  ["carries no nonce", { claims: ({ nonce: _, ...rest }) => rest }],
  ["carries another nonce", { claims: (honest) => ({ ...honest, nonce: "another" }) }],
  ["names nobody", { claims: ({ sub: _, ...rest }) => rest }],
  ["is about somebody else than userinfo", { userInfo: (person) => ({ ...person, sub: "person-2" }) }],
  ["is no token", { token: () => "nonsense" }],
];
