import { createHash } from "node:crypto";
import { type Configuration, interactionPolicy, type JWK, type KoaContextWithOIDC, Provider } from "oidc-provider";
import type { Clock } from "#server/clock.ts";
import type { Db } from "#server/db/db.ts";
import { findAccount } from "../accounts.ts";
import { accountsPath, confirmationMailPath } from "../client-routes.ts";
import { page, pageHeaders, type Site } from "../pages/frame.ts";
import { html } from "../pages/html.ts";
import { expired, problemPage } from "../pages/problem.ts";
import { sessionSeconds } from "../sign-ins.ts";
import { deleteGrant, payloadStore } from "./payload-store.ts";

const MINUTE = 60;

interface ProviderOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly site: Site;
  readonly secrets: readonly string[];
  readonly jwks: { keys: JWK[] };
  readonly client: {
    readonly id: string;
    readonly secret: string;
    readonly redirectUris: readonly string[];
    readonly postLogoutRedirectUris: readonly string[];
    readonly backchannelLogoutUri: string;
  };
  /** Reaches the client for the sign-outs that happen here. */
  readonly send: typeof fetch;
}

/** The protocol: one first-party client, authorization code with PKCE, sessions of 14 days, no consent page. */
export function createProvider({ db, clock, site, secrets, jwks, client, send }: ProviderOptions): Provider {
  const cookie = { httpOnly: true, sameSite: "lax", signed: true } as const;
  const port = new URL(site.url).port.replace(/^(?=.)/, "-");
  const policy = interactionPolicy.base();
  policy.remove("consent");

  const configuration: Configuration = {
    adapter: (kind: string) => payloadStore(db, clock, kind),
    jwks,
    clients: [
      {
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
      },
    ],
    cookies: {
      keys: [...secrets],
      // Browsers do not tell cookies apart by port, and several issuers may run on one machine.
      names: { session: `issuer-session${port}`, interaction: `issuer-step${port}`, resume: `issuer-resume${port}` },
      long: { ...cookie, path: site.path },
      // Without a path here each sign-in keeps its cookies under its own address: several tabs do not disturb each other.
      short: cookie,
    },
    scopes: ["openid", "email", "profile"],
    responseTypes: ["code"],
    clientAuthMethods: ["client_secret_basic", "client_secret_post"],
    claims: {
      // How somebody signed in stands in the ID token of each sign-in.
      openid: ["sub", "amr"],
      email: ["email", "email_verified", "email_verified_at"],
      profile: ["name", "given_name", "family_name"],
    },
    // Personal data stays out of the ID token, because it returns in the address of a sign-out; userinfo has it.
    conformIdTokenClaims: true,
    pkce: { required: () => true },
    fetch: send,
    discovery: {
      account_deletion_endpoint: `${site.url}${accountsPath}`,
      confirmation_mail_endpoint: `${site.url}${accountsPath}/{subject}${confirmationMailPath}`,
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true, logoutSource, postLogoutSuccessSource },
    },
    interactions: { policy, url: (_ctx, { uid }) => `${site.path}/interaction/${uid}` },
    ttl: {
      Session: sessionSeconds,
      Grant: sessionSeconds,
      // Each anonymous request leaves one: it lives about as long as the client remembers that it asked.
      Interaction: 15 * MINUTE,
      AuthorizationCode: MINUTE,
      AccessToken: 60 * MINUTE,
      IdToken: 60 * MINUTE,
    },
    async findAccount(_ctx, subject) {
      const account = await findAccount(db, subject);
      if (!account) return undefined;
      const { email, emailVerifiedAt, firstName, lastName } = account;
      const claims = {
        sub: subject,
        email,
        email_verified: emailVerifiedAt !== null,
        ...(emailVerifiedAt && { email_verified_at: Math.floor(emailVerifiedAt.getTime() / 1000) }),
        given_name: firstName,
        family_name: lastName,
        name: `${firstName} ${lastName}`,
      };
      return { accountId: subject, claims: async () => claims };
    },
    async loadExistingGrant({ oidc }) {
      const { client: asking, session, provider: own } = oidc;
      if (!asking || !session?.accountId) return undefined;
      const known = session.grantIdFor(asking.clientId);
      const kept = known && (await own.Grant.find(known));
      if (kept) return kept;
      const grant = new own.Grant({ clientId: asking.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
    async renderError(ctx, { error, error_description: description }) {
      show(ctx, errorPage(ctx.status, error, description));
    },
  };

  function errorPage(status: number, error: string, description = "") {
    if (status === 404) return problemPage(site, "Page not found", "There is nothing at this address.");
    if (/session|expired/.test(description)) return problemPage(site, expired.title, expired.sentence);
    const detail = [error, description].filter(Boolean).join(": ");
    return problemPage(site, "Sign-in failed", "The request cannot be answered. Go back and start again.", detail);
  }

  async function logoutSource(ctx: KoaContextWithOIDC, form: string): Promise<void> {
    const { session, params, entities, provider: own } = ctx.oidc;
    const hint = (entities as { IdTokenHint?: { payload: { sub?: string } } }).IdTokenHint;
    if (session && hint && hint.payload.sub === session.accountId) {
      // The client has shown that it signs out its own person: asking again would only be in the way.
      for (const { grantId } of Object.values(session.authorizations ?? {}))
        if (grantId) await deleteGrant(db, grantId);
      await session.destroy();
      ctx.oidc.cookies.set(own.cookieName("session"), null, { ...cookie, path: site.path });
      const target = params?.post_logout_redirect_uri ?? ctx.oidc.urlFor("end_session_success");
      const url = new URL(String(target));
      if (params?.post_logout_redirect_uri && params.state) url.searchParams.set("state", String(params.state));
      ctx.status = 303;
      ctx.redirect(url.href);
      return;
    }
    // The form carries the secret that proves the press of our button.
    const [, action = ""] = /action="([^"]*)"/.exec(form) ?? [];
    const [, xsrf = ""] = /name="xsrf" value="([^"]*)"/.exec(form) ?? [];
    show(ctx, {
      title: "Sign out",
      lead: "Sign out of the academy in this browser?",
      body: html`<form class="form" method="post" action="${action}">
<input type="hidden" name="xsrf" value="${xsrf}">
<button class="button" type="submit" name="logout" value="yes">Sign out</button>
</form>
<nav class="links"><a href="${site.homeUrl}">No, stay signed in</a></nav>`,
    });
  }

  async function postLogoutSuccessSource(ctx: KoaContextWithOIDC): Promise<void> {
    show(ctx, {
      title: "Signed out",
      lead: "See you at the next bargain.",
      body: html`<p><a class="button" href="${site.homeUrl}">Back to the academy</a></p>`,
    });
  }

  function show(ctx: Pick<KoaContextWithOIDC, "set" | "type" | "body">, content: Parameters<typeof page>[1]): void {
    ctx.set(pageHeaders(site));
    ctx.type = "html";
    ctx.body = page(site, content);
  }

  const provider = new Provider(site.url, configuration);
  // It may believe the forwarded headers because the mount writes them from our own address.
  provider.proxy = true;
  provider.use(async (ctx, next) => {
    await next();
    // It would answer the scripts of every site. Ours is the one server that asks, and no script of ours does.
    for (const name of Object.keys(ctx.response.headers)) if (name.startsWith("access-control-")) ctx.remove(name);
    if (ctx.status === 404 && !ctx.body && ctx.accepts("html")) {
      show(ctx, errorPage(404, "not_found"));
      // Koa takes a body for success.
      ctx.status = 404;
    }
    // The library's own page that passes a sign-out on by itself: its one script may run, and nothing else.
    if (ctx.type === "text/html" && typeof ctx.body === "string" && !ctx.response.get("content-security-policy")) {
      const [, script = ""] = /<script>([\s\S]*?)<\/script>/.exec(ctx.body) ?? [];
      ctx.set(pageHeaders(site, `'sha256-${createHash("sha256").update(script).digest("base64")}'`));
    }
  });
  return provider;
}
