import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from "jose";
import * as client from "openid-client";
import { z } from "zod";
import { type Clock, MINUTE, SECOND } from "#server/clock.ts";
import { type ProviderKeys, providerKeys } from "./provider-keys.ts";

/** What the caller keeps for the browser between leaving for the provider and coming back. */
export interface PendingSignIn {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly returnTo: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** The person was asked to prove who they are, even if the provider remembered them. */
  readonly again: boolean;
}

/** Somebody the provider vouches for. They are known by issuer and subject; everything else may change. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  /** As the provider wrote it; empty when it names none. */
  readonly email: string;
  readonly emailVerified: boolean;
  /** Null when the provider does not say. */
  readonly emailVerifiedAt: Date | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** The sign-in of one OpenID Connect provider. */
export interface OpenId {
  /**
   * @param again the person shall prove who they are, even if the provider remembers them.
   * @throws ProviderUnavailable
   */
  start(returnTo: string, options?: { again: boolean }): Promise<{ url: string; pending: PendingSignIn }>;
  /**
   * Only the query of `callbackUrl` counts.
   * @throws SignInFailed for anything wrong with the callback or the tokens; ProviderUnavailable for an outage
   */
  finish(callbackUrl: URL, pending: PendingSignIn): Promise<FinishedSignIn>;
  /** Where the browser ends its session at the provider; null when there is no such place or it cannot be asked. */
  signOutUrl(idToken: string | null): Promise<string | null>;
  /**
   * Has the provider delete the account of a person there. Nothing happens when it offers no such thing, when it is not
   * the person's provider, or when there is no such account; it may be repeated.
   * @throws ProviderUnavailable
   */
  deleteAccount(identity: Identity): Promise<void>;
  /**
   * Has the provider mail a person the link that confirms their address. "not-offered" when it offers no such thing or
   * is not the person's provider.
   * @throws ProviderUnavailable
   */
  sendConfirmation(identity: Identity): Promise<"sent" | "too-often" | "not-offered">;
  /**
   * Reads a logout token of OpenID Connect Back-Channel Logout.
   * @throws SignInFailed for anything that the provider did not sign for us; ProviderUnavailable
   */
  readLogout(token: string): Promise<Logout>;
  /** Where people change their email and password; null when the provider has no such page that we know. */
  readonly accountUrl: string | null;
}

export type Identity = Pick<Person, "issuer" | "subject">;

/** What a provider says has ended: one of its sessions, or every sign-in of a person until an instant. */
export type Logout =
  | { readonly sid: string }
  | {
      readonly identity: Identity;
      readonly endedAt: Date;
      /** The one session of the person that goes on. */
      readonly keptSid: string | null;
    };

export interface FinishedSignIn {
  readonly person: Person;
  readonly idToken: string;
  /** The provider's session, as its logout tokens name it; null when it does not say. */
  readonly sid: string | null;
  /** When the person proved who they are. A provider that does not say is taken to have asked just now. */
  readonly authenticatedAt: Date;
  /** The provider said when that was. */
  readonly isAuthenticationTold: boolean;
}

/** The callback or what the provider said is not to be trusted. The reason is a code for the log, without secrets. */
export class SignInFailed extends Error {
  override name = "SignInFailed";
  readonly reason: string;

  constructor(reason: string) {
    super(`sign-in failed: ${reason}`);
    this.reason = reason;
  }
}

/** The provider does not answer, or not like one. */
export class ProviderUnavailable extends Error {
  override name = "ProviderUnavailable";
}

const PENDING_LIFETIME = 10 * MINUTE;
const REQUEST_SECONDS = 5;
const LONGEST_WAIT = 9.5 * SECOND;

interface OpenIdOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly publicUrl: string;
  /** What its people are kept under; the issuer's own name when absent. */
  readonly knownAs?: string;
  readonly accountUrl?: string;
  /** Reaches an issuer in the same process. */
  readonly fetch?: typeof fetch;
  /** Its times are those of `clock`, which the sandbox may have moved; else only how far they lie apart counts. */
  readonly sharesClock?: boolean;
  readonly clock: Clock;
}

/** The relying party. Asks the provider for its addresses at the first sign-in, and again after it could not be asked. */
export function openIdClient(options: OpenIdOptions): OpenId {
  const { clock } = options;
  const redirectUri = `${options.publicUrl}/api/auth/callback`;
  const homeUri = `${options.publicUrl}/`;

  let discovered: Promise<() => client.Configuration> | undefined;
  const provider = async () => {
    discovered ??= discover(options).catch((error) => {
      discovered = undefined;
      throw error;
    });
    return (await discovered)();
  };

  let logoutKeys: { readonly from: string; readonly keys: JWTVerifyGetKey } | undefined;
  const keysOf = (address: string): JWTVerifyGetKey => {
    if (logoutKeys?.from !== address) {
      const keys = createRemoteJWKSet(new URL(address), {
        timeoutDuration: REQUEST_SECONDS * SECOND,
        ...(options.fetch && { [customFetch]: options.fetch }),
      });
      logoutKeys = { from: address, keys };
    }
    return logoutKeys.keys;
  };
  /** Asks one of the built-in issuer's own endpoints with our credentials; null when the provider has none. */
  const ask = async (method: string, endpoint: string, { issuer, subject }: Identity) => {
    const metadata = (await provider()).serverMetadata();
    const address = metadata[endpoint];
    if (typeof address !== "string" || issuer !== (options.knownAs ?? metadata.issuer)) return null;
    const named = encodeURIComponent(subject);
    const url = address.includes("{subject}") ? address.replace("{subject}", named) : `${address}/${named}`;
    return (options.fetch ?? fetch)(url, {
      method,
      headers: { authorization: basicAuthorization(options.clientId, options.clientSecret) },
      signal: AbortSignal.timeout(REQUEST_SECONDS * SECOND),
    });
  };

  return {
    accountUrl: options.accountUrl ?? null,

    start: (returnTo, { again } = { again: false }) =>
      answering(async () => {
        const config = await provider();
        const pending: PendingSignIn = {
          state: client.randomState(),
          verifier: client.randomPKCECodeVerifier(),
          nonce: client.randomNonce(),
          returnTo,
          startedAt: clock.now().toISOString(),
          again,
        };
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: "openid email profile",
          code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
          code_challenge_method: "S256",
          state: pending.state,
          nonce: pending.nonce,
          // The age obliges the provider to say in the token when it asked.
          ...(again && { prompt: "login", max_age: "0" }),
        });
        return { url: url.href, pending };
      }),

    finish: (callbackUrl, pending) =>
      answering(async () => {
        const age = clock.now().getTime() - Date.parse(pending.startedAt);
        if (!(age >= 0 && age <= PENDING_LIFETIME)) throw new SignInFailed("pending-expired");
        const config = await provider();
        const tokens = await client.authorizationCodeGrant(config, new URL(callbackUrl.search, redirectUri), {
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
          person: { ...person, issuer: options.knownAs ?? person.issuer },
          idToken: tokens.id_token,
          sid: textOf(claims.sid),
          authenticatedAt: authenticationTime(claims, clock.now(), options.sharesClock ?? false),
          isAuthenticationTold: claims.auth_time !== undefined,
        };
      }),

    async signOutUrl(idToken) {
      const config = await within(LONGEST_WAIT, provider()).catch(() => null);
      if (!config?.serverMetadata().end_session_endpoint) return null;
      return client.buildEndSessionUrl(config, {
        post_logout_redirect_uri: homeUri,
        ...(idToken ? { id_token_hint: idToken } : {}),
      }).href;
    },

    deleteAccount: (identity) =>
      answering(async () => {
        const answer = await ask("DELETE", "account_deletion_endpoint", identity);
        if (answer && !answer.ok) {
          throw new ProviderUnavailable(`the provider answered ${answer.status} to a deletion`);
        }
      }),

    sendConfirmation: (identity) =>
      answering(async () => {
        const answer = await ask("POST", "confirmation_mail_endpoint", identity);
        if (!answer) return "not-offered";
        if (answer.status === 429) return "too-often";
        if (!answer.ok) throw new ProviderUnavailable(`the provider answered ${answer.status} for a confirmation`);
        return "sent";
      }),

    readLogout: (token) =>
      answering(async () => {
        const { issuer, jwks_uri: keys } = (await provider()).serverMetadata();
        if (!keys) throw new SignInFailed("keys-missing");
        const { payload } = await jwtVerify(token, keysOf(keys), {
          issuer,
          audience: options.clientId,
          algorithms: ["RS256", "PS256", "ES256", "EdDSA"],
          requiredClaims: ["iat", "jti", "exp"],
          clockTolerance: 30,
        });
        const claims = LogoutClaims.safeParse(payload);
        if (!claims.success) throw new SignInFailed("no-logout-token");
        const { sid, sub, iat, kept_sid: keptSid = null } = claims.data;
        if (sid !== undefined) return { sid };
        if (sub === undefined) throw new SignInFailed("no-logout-token");
        return {
          identity: { issuer: options.knownAs ?? issuer, subject: sub },
          // Another clock's instant says nothing here; what has ended has ended by now.
          endedAt: options.sharesClock ? new Date(iat * SECOND) : clock.now(),
          keptSid,
        };
      }),
  };
}

/** A nonce would make an ID token of it, which anybody who signed in could send here. */
const LogoutClaims = z.object({
  sub: z.string().min(1).max(255).optional(),
  sid: z.string().min(1).max(255).optional(),
  iat: z.number(),
  kept_sid: z.string().max(255).optional(),
  nonce: z.never().optional(),
  events: z.object({ "http://schemas.openid.net/event/backchannel-logout": z.object({}) }),
});

function basicAuthorization(id: string, secret: string): string {
  const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function authenticationTime(claims: client.IDToken, now: Date, sharesClock: boolean): Date {
  if (claims.auth_time === undefined) return now;
  // The built-in issuer dates a sign-in after the end of all earlier ones, be it a second ahead: it counts as told.
  if (sharesClock) return new Date(claims.auth_time * SECOND);
  return new Date(Math.min(now.getTime() - (claims.iat - claims.auth_time) * SECOND, now.getTime()));
}

/** Asks the provider for its addresses; resolves to what makes the library's configuration for one sign-in. */
async function discover(options: OpenIdOptions): Promise<() => client.Configuration> {
  const { clientId } = options;
  const issuer = new URL(options.issuer);
  // Plain http is for an issuer on this machine, where nobody listens in between.
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
  const keys: ProviderKeys = providerKeys(send, server.jwks_uri);
  return () => {
    const config = new client.Configuration(server, clientId, undefined, authentication);
    config.timeout = REQUEST_SECONDS;
    config[client.customFetch] = keys.fetch as client.CustomFetch;
    // The library trusts a token that came straight from the provider; we verify its signature too.
    for (const extend of [...extensions, client.enableNonRepudiationChecks]) extend(config);
    keys.remember(config);
    return config;
  };
}

/** Sends the secret the way the provider accepts; the header is OpenID Connect's default. */
function secretOf(secret: string): client.ClientAuth {
  const inHeader = client.ClientSecretBasic(secret);
  const inBody = client.ClientSecretPost(secret);
  return (server, ...rest) => {
    const accepted = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    return (accepted.includes("client_secret_basic") ? inHeader : inBody)(server, ...rest);
  };
}

type Claims = Readonly<Record<string, unknown>>;

/** Reads the claims; an address and its confirmation are taken from the same place, never mixed. */
function personOf(idToken: client.IDToken, userInfo: Claims): Person {
  const token: Claims = idToken;
  const source = textOf(token.email) ? token : userInfo;
  const email = typeof source.email === "string" ? source.email : "";
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email,
    // Some providers send the word "true"; only the truth itself counts.
    emailVerified: email !== "" && source.email_verified === true,
    emailVerifiedAt: typeof source.email_verified_at === "number" ? new Date(source.email_verified_at * SECOND) : null,
    firstName: textOf(token.given_name) ?? textOf(userInfo.given_name),
    lastName: textOf(token.family_name) ?? textOf(userInfo.family_name),
  };
}

function textOf(claim: unknown): string | null {
  return typeof claim === "string" && claim.trim() ? claim.trim().slice(0, 320) : null;
}

/** Ends in time, and turns what the library throws into our two errors. */
async function answering<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await within(LONGEST_WAIT, work());
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
    // Anybody can write into the callback's address: only what looks like a code reaches the log.
    return new SignInFailed(/^[\w-]{1,40}$/.test(error.error) ? error.error : "provider-error");
  }
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "ERR_JWKS_TIMEOUT" || (code === "ERR_JOSE_GENERIC" && error instanceof Error)) {
    return new ProviderUnavailable(code);
  }
  if (error instanceof client.WWWAuthenticateChallengeError) return new SignInFailed(code);
  // What fetch throws when nobody answers is a TypeError without a code of the library.
  if (outages.has(code) || (error instanceof TypeError && !code.startsWith("ERR_"))) {
    return new ProviderUnavailable(code || "the provider cannot be reached");
  }
  return new SignInFailed(code || "unexpected");
}
