import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from "jose";
import * as client from "openid-client";
import { z } from "zod";
import { after, type Clock, MINUTE, SECOND } from "#server/base/clock.ts";
import {
  type FinishedSignIn,
  type Identity,
  type Logout,
  type OpenId,
  type PendingSignIn,
  type Person,
  ProviderUnavailable,
  SignInFailed,
  type StartOptions,
} from "./openid.ts";
import { type ProviderKeys, providerKeys } from "./provider-keys.ts";

const PENDING_LIFETIME = 10 * MINUTE;
const REQUEST_SECONDS = 5;
const MAX_WAIT = 9.5 * SECOND;
const CLOCK_TOLERANCE_SECONDS = 30;

interface OpenIdOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly publicUrl: string;
  readonly knownAs?: string;
  readonly accountUrl?: string;
  readonly fetch?: typeof fetch;
  /** Whether the provider's clock is ours. Otherwise only differences between its own times count. */
  readonly sharesClock?: boolean;
  readonly clock: Clock;
}

/** Discovers the provider at the first sign-in, and again after a failure. */
export function openIdClient(options: OpenIdOptions): OpenId {
  return new RelyingParty(options);
}

class RelyingParty implements OpenId {
  readonly accountUrl: string | null;
  private readonly options: OpenIdOptions;
  private readonly redirectUri: string;
  private discovered: Promise<() => client.Configuration> | undefined;
  private logoutKeys: { readonly from: string; readonly keys: JWTVerifyGetKey } | undefined;

  constructor(options: OpenIdOptions) {
    this.options = options;
    this.accountUrl = options.accountUrl ?? null;
    this.redirectUri = `${options.publicUrl}/api/auth/callback`;
  }

  start(
    returnTo: string,
    { again = false, create = false, email }: StartOptions = {},
  ): Promise<{ url: string; pending: PendingSignIn }> {
    return answering(async () => {
      const config = await this.provider();
      const pending: PendingSignIn = {
        state: client.randomState(),
        verifier: client.randomPKCECodeVerifier(),
        nonce: client.randomNonce(),
        returnTo,
        startedAt: this.options.clock.now().toISOString(),
        again,
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: this.redirectUri,
        scope: "openid email profile",
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: "S256",
        state: pending.state,
        nonce: pending.nonce,
        // With `max_age` the provider must tell in `auth_time` when the person authenticated.
        ...(again && { prompt: "login", max_age: "0" }),
        ...(create && canCreate(config) && { prompt: "create" }),
        ...(email && { login_hint: email }),
      });
      return { url: url.href, pending };
    });
  }

  finish(callbackUrl: URL, pending: PendingSignIn): Promise<FinishedSignIn> {
    return answering(async () => {
      const { clock, knownAs, sharesClock = false } = this.options;
      const age = clock.now().getTime() - Date.parse(pending.startedAt);
      if (!(age >= 0 && age <= PENDING_LIFETIME)) throw new SignInFailed("pending-expired");
      const config = await this.provider();
      const tokens = await client.authorizationCodeGrant(config, new URL(callbackUrl.search, this.redirectUri), {
        pkceCodeVerifier: pending.verifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims || !tokens.id_token) throw new SignInFailed("id-token-missing");
      const { userinfo_endpoint: hasUserInfo } = config.serverMetadata();
      const info = hasUserInfo ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : {};
      const person = personOf(claims, info);
      return {
        person: { ...person, issuer: knownAs ?? person.issuer },
        idToken: tokens.id_token,
        sid: textOf(claims.sid),
        authenticatedAt: authenticationTime(claims, clock.now(), sharesClock),
        isAuthenticationTold: claims.auth_time !== undefined,
        usedSecondFactor: secondFactorIn(claims.amr),
      };
    });
  }

  async signOutUrl(idToken: string | null): Promise<string | null> {
    const config = await within(MAX_WAIT, this.provider()).catch(() => null);
    if (!config?.serverMetadata().end_session_endpoint) return null;
    return client.buildEndSessionUrl(config, {
      post_logout_redirect_uri: `${this.options.publicUrl}/`,
      ...(idToken ? { id_token_hint: idToken } : {}),
    }).href;
  }

  deleteAccount(identity: Identity): Promise<void> {
    return answering(async () => {
      const answer = await this.ask("DELETE", "account_deletion_endpoint", identity);
      if (answer && !answer.ok) {
        throw new ProviderUnavailable(`the provider answered ${answer.status} to a deletion`);
      }
    });
  }

  deleteUnconfirmed(identity: Identity): Promise<boolean> {
    return answering(async () => {
      const answer = await this.ask("DELETE", "unconfirmed_account_deletion_endpoint", identity);
      if (!answer || answer.status === 409) return false;
      if (!answer.ok) throw new ProviderUnavailable(`the provider answered ${answer.status} to a deletion`);
      return true;
    });
  }

  sendConfirmation(identity: Identity): Promise<"sent" | "too-often" | "not-offered"> {
    return answering(async () => {
      const answer = await this.ask("POST", "confirmation_mail_endpoint", identity);
      if (!answer) return "not-offered";
      if (answer.status === 429) return "too-often";
      if (!answer.ok) throw new ProviderUnavailable(`the provider answered ${answer.status} for a confirmation`);
      return "sent";
    });
  }

  readLogout(token: string): Promise<Logout> {
    return answering(async () => {
      const { issuer, jwks_uri: keys } = (await this.provider()).serverMetadata();
      if (!keys) throw new SignInFailed("keys-missing");
      const { payload } = await jwtVerify(token, this.keysOf(keys), {
        issuer,
        audience: this.options.clientId,
        algorithms: ["RS256", "PS256", "ES256", "EdDSA"],
        requiredClaims: ["iat", "jti", "exp"],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      const claims = LogoutClaims.safeParse(payload);
      if (!claims.success) throw new SignInFailed("no-logout-token");
      const { sid, sub, iat, kept_sid: keptSid = null } = claims.data;
      if (sid !== undefined) return { sid };
      if (sub === undefined) throw new SignInFailed("no-logout-token");
      const { knownAs, sharesClock, clock } = this.options;
      const issuedAt = new Date(iat * SECOND);
      // It would end every sign-in until then.
      const latest = after(clock.now(), CLOCK_TOLERANCE_SECONDS * SECOND);
      if (sharesClock && issuedAt > latest) throw new SignInFailed("no-logout-token");
      return {
        identity: { issuer: knownAs ?? issuer, subject: sub },
        // By our clock, as the provider's may differ.
        endedAt: sharesClock ? issuedAt : clock.now(),
        keptSid,
      };
    });
  }

  private async provider(): Promise<client.Configuration> {
    this.discovered ??= discover(this.options).catch((error) => {
      this.discovered = undefined;
      throw error;
    });
    return (await this.discovered)();
  }

  private keysOf(address: string): JWTVerifyGetKey {
    if (this.logoutKeys?.from !== address) {
      const keys = createRemoteJWKSet(new URL(address), {
        timeoutDuration: REQUEST_SECONDS * SECOND,
        ...(this.options.fetch && { [customFetch]: this.options.fetch }),
      });
      this.logoutKeys = { from: address, keys };
    }
    return this.logoutKeys.keys;
  }

  private async ask(method: string, endpoint: string, { issuer, subject }: Identity): Promise<Response | null> {
    const { knownAs, clientId, clientSecret, fetch: send = fetch } = this.options;
    const metadata = (await this.provider()).serverMetadata();
    const address = metadata[endpoint];
    if (typeof address !== "string" || issuer !== (knownAs ?? metadata.issuer)) return null;
    const named = encodeURIComponent(subject);
    const url = address.includes("{subject}") ? address.replace("{subject}", named) : `${address}/${named}`;
    return send(url, {
      method,
      headers: { authorization: basicAuthorization(clientId, clientSecret) },
      signal: AbortSignal.timeout(REQUEST_SECONDS * SECOND),
    });
  }
}

/** A logout token has no nonce. With one it is an ID token, which anybody who signed in could send here. */
const LogoutClaims = z.object({
  sub: z.string().min(1).max(255).optional(),
  sid: z.string().min(1).max(255).optional(),
  iat: z.number(),
  kept_sid: z.string().max(255).optional(),
  nonce: z.never().optional(),
  events: z.object({ "http://schemas.openid.net/event/backchannel-logout": z.object({}) }),
});

/** Initiating User Registration via OpenID Connect 1.0. */
function canCreate(config: client.Configuration): boolean {
  const { prompt_values_supported: prompts } = config.serverMetadata();
  return Array.isArray(prompts) && prompts.includes("create");
}

function basicAuthorization(id: string, secret: string): string {
  const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function authenticationTime(claims: client.IDToken, now: Date, sharesClock: boolean): Date {
  if (claims.auth_time === undefined) return now;
  // The built-in issuer dates a sign-in after the end of earlier ones, up to a second ahead of the clock: that time
  // counts.
  if (sharesClock) return new Date(claims.auth_time * SECOND);
  return new Date(Math.min(now.getTime() - (claims.iat - claims.auth_time) * SECOND, now.getTime()));
}

/** RFC 8176. Some providers name the methods without "mfa": something known together with something owned counts. */
function secondFactorIn(amr: unknown): boolean | null {
  if (!Array.isArray(amr)) return null;
  const hasOneOf = (methods: readonly string[]) => methods.some((method) => amr.includes(method));
  return hasOneOf(["mfa"]) || (hasOneOf(["pwd", "pin"]) && hasOneOf(["otp", "sms", "tel", "hwk", "swk", "sc"]));
}

async function discover(options: OpenIdOptions): Promise<() => client.Configuration> {
  const { clientId } = options;
  const issuer = new URL(options.issuer);
  // Plain http is allowed for an issuer on the loopback only.
  const isLocal = options.fetch !== undefined || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(issuer.hostname);
  const extensions = issuer.protocol === "http:" && isLocal ? [client.allowInsecureRequests] : [];
  const send = options.fetch ?? fetch;
  const authentication = secretOf(options.clientSecret);
  const discovery = await client.discovery(issuer, clientId, undefined, authentication, {
    timeout: REQUEST_SECONDS,
    execute: extensions,
    [client.customFetch]: send as client.CustomFetch,
  });
  const { supportsPKCE: _, ...server } = discovery.serverMetadata();
  const keys: ProviderKeys = providerKeys(send, server.jwks_uri, options.clock);
  return () => {
    const config = new client.Configuration(server, clientId, undefined, authentication);
    config.timeout = REQUEST_SECONDS;
    config[client.customFetch] = keys.fetch as client.CustomFetch;
    // Verifies the signature too: the library trusts a token that it received from the provider directly.
    for (const extend of [...extensions, client.enableNonRepudiationChecks]) extend(config);
    keys.remember(config);
    return config;
  };
}

function secretOf(secret: string): client.ClientAuth {
  const inHeader = client.ClientSecretBasic(secret);
  const inBody = client.ClientSecretPost(secret);
  return (server, ...rest) => {
    const accepted = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (accepted.includes("client_secret_basic") ? inHeader : inBody)(server, ...rest);
  };
}

type Claims = Readonly<Record<string, unknown>>;

/** Takes the address and `email_verified` from the same source, ID token or userinfo. */
function personOf(idToken: client.IDToken, userInfo: Claims): Person {
  const token: Claims = idToken;
  const source = textOf(token.email) ? token : userInfo;
  const email = typeof source.email === "string" ? source.email : "";
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email,
    // Some providers send the text "true", which does not count.
    emailVerified: email !== "" && source.email_verified === true,
    emailVerifiedAt: typeof source.email_verified_at === "number" ? new Date(source.email_verified_at * SECOND) : null,
    firstName: textOf(token.given_name) ?? textOf(userInfo.given_name),
    lastName: textOf(token.family_name) ?? textOf(userInfo.family_name),
  };
}

function textOf(claim: unknown): string | null {
  return typeof claim === "string" && claim.trim() ? claim.trim().slice(0, 320) : null;
}

async function answering<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await within(MAX_WAIT, work());
  } catch (error) {
    throw translated(error);
  }
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new ProviderUnavailable("no answer in time")), milliseconds);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

const outages = new Set([
  "OAUTH_TIMEOUT",
  "OAUTH_ABORT",
  "OAUTH_PARSE_ERROR",
  "OAUTH_RESPONSE_IS_NOT_JSON",
  "OAUTH_RESPONSE_IS_NOT_CONFORM",
]);

function translated(error: unknown): Error {
  if (error instanceof SignInFailed || error instanceof ProviderUnavailable) return error;
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError) {
    // Anybody can call the callback with any text: only what looks like an error code is logged.
    return new SignInFailed(/^[\w-]{1,40}$/.test(error.error) ? error.error : "provider-error");
  }
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "ERR_JWKS_TIMEOUT" || (code === "ERR_JOSE_GENERIC" && error instanceof Error)) {
    return new ProviderUnavailable(code);
  }
  if (error instanceof client.WWWAuthenticateChallengeError) return new SignInFailed(code);
  // fetch throws a TypeError when nobody answers, which has no code of the library.
  if (outages.has(code) || (error instanceof TypeError && !code.startsWith("ERR_"))) {
    return new ProviderUnavailable(code || "the provider cannot be reached", { cause: error });
  }
  return new SignInFailed(code || "unexpected");
}
