import type { Configuration, KoaContextWithOIDC } from "oidc-provider";
import type { Db } from "#server/db/db.ts";
import { html } from "#server/http/html.ts";
import type { Site } from "../pages/frame.ts";
import { show } from "./answers.ts";
import { deleteGrant } from "./payload-store.ts";

type SignOut = NonNullable<NonNullable<Configuration["features"]>["rpInitiatedLogout"]>;
type CookieOptions = NonNullable<NonNullable<Configuration["cookies"]>["long"]>;

/** RP-initiated logout. */
export function signOut(db: Db, site: Site, cookie: CookieOptions): SignOut {
  return {
    enabled: true,
    logoutSource: (ctx, form) => (isOwnPerson(ctx) ? leave(ctx, db, cookie) : askFirst(ctx, site, form)),
    async postLogoutSuccessSource(ctx) {
      show(ctx, site, {
        title: "Signed out",
        lead: "You've signed out of the academy.",
        body: html`<p><a class="button" href="${site.homeUrl}">Back to the academy</a></p>`,
      });
    },
  };
}

/** With an ID token hint of the signed-in user the client has proved the request, so nobody is asked again. */
function isOwnPerson({ oidc: { session, entities } }: KoaContextWithOIDC): boolean {
  const hint = (entities as { IdTokenHint?: { payload: { sub?: string } } }).IdTokenHint;
  return session !== undefined && hint !== undefined && hint.payload.sub === session.accountId;
}

async function leave(ctx: KoaContextWithOIDC, db: Db, cookie: CookieOptions): Promise<void> {
  const { session, params, provider, cookies } = ctx.oidc;
  for (const { grantId } of Object.values(session?.authorizations ?? {})) if (grantId) await deleteGrant(db, grantId);
  await session?.destroy();
  cookies.set(provider.cookieName("session"), null, cookie);
  const target = params?.post_logout_redirect_uri ?? ctx.oidc.urlFor("end_session_success");
  const url = new URL(String(target));
  if (params?.post_logout_redirect_uri && params.state) url.searchParams.set("state", String(params.state));
  ctx.status = 303;
  ctx.redirect(url.href);
}

async function askFirst(ctx: KoaContextWithOIDC, site: Site, form: string): Promise<void> {
  // The library's form has the CSRF token.
  const [, action = ""] = /action="([^"]*)"/.exec(form) ?? [];
  const [, xsrf = ""] = /name="xsrf" value="([^"]*)"/.exec(form) ?? [];
  show(ctx, site, {
    title: "Sign out",
    lead: "Sign out of the academy in this browser?",
    body: html`<form class="form" method="post" action="${action}">
<input type="hidden" name="xsrf" value="${xsrf}">
<button class="button" type="submit" name="logout" value="yes">Sign out</button>
</form>
<nav class="links"><a href="${site.homeUrl}">No, stay signed in</a></nav>`,
  });
}
