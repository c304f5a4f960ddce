import {
  type AccountClaims,
  type ClientMetadata,
  type Configuration,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
  Provider,
} from "oidc-provider";
import { findAccount } from "../accounts.ts";
import { accountsPath, confirmationMailPath, unconfirmedPath } from "../client-routes.ts";
import { configureCookies } from "../cookies.ts";
import type { Site } from "../pages/frame.ts";
import { createPrompt, sessionSeconds } from "../sign-ins.ts";
import type { Account } from "../tables.ts";
import { errorPage, finishAnswers, show } from "./answers.ts";
import { payloadStore } from "./payload-store.ts";
import { signOut } from "./sign-out.ts";
import { type KeyScope, signingKeys } from "./signing-keys.ts";

const MINUTE = 60;

export interface ProviderOptions extends KeyScope {
  readonly site: Site;
  /** The one relying party. */
  readonly client: {
    readonly id: string;
    readonly secret: string;
    readonly redirectUris: readonly string[];
    readonly postLogoutRedirectUris: readonly string[];
    /** Where it hears that sign-ins have ended. */
    readonly backchannelLogoutUri: string;
  };
  /** Reaches the client for the sign-outs that happen here. */
  readonly send: typeof fetch;
  /** Whether a browser with these cookies began the sign-in of this state at the client. */
  readonly hasBegun: (cookies: string, state: string) => boolean;
}

/** The protocol with the keys that sign and are published now. */
export interface CurrentProvider {
  readonly provider: Provider;
  readonly answer: ReturnType<Provider["callback"]>;
  readonly signingKey: JWK;
  /** Reads the keys again, and creates, replaces and deletes those that are due. */
  readKeys(): Promise<void>;
}

/** The library reads its keys once, so other keys need another provider. All it knows is in the database and cookies. */
export async function openProvider(
  options: ProviderOptions,
  onServerError: (error: Error) => void,
): Promise<CurrentProvider> {
  const open = (jwks: { keys: JWK[] }) => {
    const provider = createProvider(options, jwks);
    provider.on("server_error", (_ctx, error) => onServerError(error));
    return { provider, answer: provider.callback(), jwks, kids: kidsOf(jwks) };
  };
  let current = open(await signingKeys(options));
  return {
    get provider() {
      return current.provider;
    },
    get answer() {
      return current.answer;
    },
    get signingKey() {
      const [key] = current.jwks.keys;
      if (!key) throw new Error("the issuer has no signing key");
      return key;
    },
    async readKeys() {
      const jwks = await signingKeys(options, current.jwks);
      if (kidsOf(jwks) !== current.kids) current = open(jwks);
    },
  };
}

function kidsOf({ keys }: { keys: JWK[] }): string {
  return keys.map(({ kid }) => kid).join();
}

/** The protocol with one first-party client: authorization code with PKCE, sessions of 14 days, no consent page. */
function createProvider(options: ProviderOptions, jwks: { keys: JWK[] }): Provider {
  const provider = new Provider(options.site.url, configure(options, jwks));
  // The library may trust forwarded headers, because the mount sets them from our own URL.
  provider.proxy = true;
  provider.use(finishAnswers(options.site));
  provider.use(refuseOthersSignIns(provider, options));
  return provider;
}

function configure({ db, clock, site, secrets, client, send }: ProviderOptions, jwks: { keys: JWK[] }): Configuration {
  const cookies = configureCookies(site, secrets);
  const policy = interactionPolicy.base();
  policy.remove("consent");
  // Before the sign-in, which everybody without a session would be shown otherwise.
  policy.add(new interactionPolicy.Prompt({ name: createPrompt, requestable: true }), 0);
  return {
    adapter: (kind: string) => payloadStore(db, clock, kind),
    jwks,
    clients: [metadataOf(client)],
    cookies,
    scopes: ["openid", "email", "profile"],
    responseTypes: ["code"],
    clientAuthMethods: ["client_secret_basic", "client_secret_post"],
    claims: {
      // `amr` is in every ID token.
      openid: ["sub", "amr"],
      email: ["email", "email_verified", "email_verified_at"],
      profile: ["name", "given_name", "family_name"],
    },
    // Keeps personal data out of the ID token, which a sign-out puts into a URL. Userinfo has it.
    conformIdTokenClaims: true,
    pkce: { required: () => true },
    fetch: send,
    discovery: {
      prompt_values_supported: ["none", "login", createPrompt],
      account_deletion_endpoint: `${site.url}${accountsPath}`,
      unconfirmed_account_deletion_endpoint: `${site.url}${accountsPath}/{subject}${unconfirmedPath}`,
      confirmation_mail_endpoint: `${site.url}${accountsPath}/{subject}${confirmationMailPath}`,
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: signOut(db, site, cookies.long),
    },
    interactions: {
      policy,
      // One path for all pages of an interaction, because its cookie is bound to it.
      url: (_ctx, { uid, prompt }) => `${site.path}/interaction/${uid}${prompt.name === createPrompt ? "?create" : ""}`,
    },
    ttl: lifetimes,
    async findAccount(_ctx, subject) {
      const account = await findAccount(db, subject);
      return account ? { accountId: subject, claims: async () => claimsOf(account) } : undefined;
    },
    loadExistingGrant: findOrMakeGrant,
    async renderError(ctx, { error, error_description: description }) {
      show(ctx, site, errorPage(site, ctx.status, error, description));
    },
  };
}

/** In seconds. */
const lifetimes = {
  // A sign-out without a session leaves one without an account.
  Session: (_ctx: unknown, { accountId }: { accountId?: string | undefined }) =>
    accountId ? sessionSeconds : 15 * MINUTE,
  Grant: sessionSeconds,
  // Each anonymous request leaves one, for about as long as the client keeps its own state.
  Interaction: 15 * MINUTE,
  AuthorizationCode: MINUTE,
  AccessToken: 60 * MINUTE,
  IdToken: 60 * MINUTE,
};

function metadataOf(client: ProviderOptions["client"]): ClientMetadata {
  return {
    client_id: client.id,
    client_secret: client.secret,
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...client.postLogoutRedirectUris],
    grant_types: ["authorization_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "client_secret_basic",
    require_auth_time: true,
    backchannel_logout_uri: client.backchannelLogoutUri,
    backchannel_logout_session_required: true,
  };
}

/**
 * A sibling subdomain can plant the cookies of a sign-in of its own, which would sign the browser in as the attacker.
 * It cannot plant the client's `__Host-` cookie, which proves that the sign-in began in this browser.
 */
function refuseOthersSignIns(
  provider: Provider,
  { site, hasBegun }: Pick<ProviderOptions, "site" | "hasBegun">,
): Parameters<Provider["use"]>[0] {
  return async (ctx, next) => {
    const uid = /^\/auth\/[^/]/i.test(ctx.path) && ctx.cookies.get(provider.cookieName("resume"), { signed: true });
    const interaction = uid ? await provider.Interaction.find(uid) : undefined;
    if (!interaction || hasBegun(ctx.get("cookie"), String(interaction.params.state))) return next();
    show(ctx, site, errorPage(site, 400, "expired", "expired"));
    // Koa takes a body for success.
    ctx.status = 400;
  };
}

function claimsOf({ subject, email, emailVerifiedAt, firstName, lastName }: Account): AccountClaims {
  return {
    sub: subject,
    email,
    email_verified: emailVerifiedAt !== null,
    ...(emailVerifiedAt && { email_verified_at: Math.floor(emailVerifiedAt.getTime() / 1000) }),
    given_name: firstName,
    ...(lastName && { family_name: lastName }),
    name: `${firstName} ${lastName}`.trim(),
  };
}

/** Asks nobody for consent, because the only client is ours. */
async function findOrMakeGrant({ oidc }: KoaContextWithOIDC) {
  const { client, session, provider } = oidc;
  if (!client || !session?.accountId) return undefined;
  const known = session.grantIdFor(client.clientId);
  const kept = known && (await provider.Grant.find(known));
  if (kept) return kept;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope("openid email profile");
  await grant.save();
  return grant;
}
