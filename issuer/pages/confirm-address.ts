import type { FastifyInstance } from "fastify";
import { clientOf } from "#server/http/client.ts";
import { confirmAddress } from "../accounts.ts";
import { findLink } from "../links.ts";
import { countAttempt } from "../throttle.ts";
import { field, sendPage } from "./frame.ts";
import { html } from "./html.ts";
import { type Issuer, textOf } from "./issuer-scope.ts";

/** Confirmation of an address. Only the button confirms: mail scanners open every link, but press nothing. */
export function confirmAddressRoutes(scope: FastifyInstance, issuer: Issuer): void {
  const { db, clock, site, enqueueMail } = issuer;
  const action = `${site.path}/confirm-address`;

  const usedPage = {
    title: "Link no longer works",
    lead: "It was used already, or it is older than 7 days.",
    body: html`<p>If your address is not confirmed yet, have a new link sent to it.</p>
<form class="form" method="post" action="${action}/again">
${field({ name: "email", label: "Email", type: "email", autocomplete: "username" })}
<button class="button" type="submit">Send a new link</button>
</form>
<nav class="links"><a href="${site.homeUrl}">Back to the academy</a></nav>`,
  };

  scope.get("/confirm-address", async (request, reply) => {
    const token = String((request.query as { token?: unknown }).token ?? "");
    if (!(await findLink(db, clock, "confirm-address", token))) return sendPage(reply, site, usedPage, 410);
    return sendPage(reply, site, {
      title: "Confirm your address",
      lead: "One press, and your mail will find you.",
      body: html`<form class="form" method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<button class="button" type="submit">Confirm my address</button>
</form>`,
    });
  });

  scope.post("/confirm-address", async (request, reply) => {
    if (!(await confirmAddress(db, clock, textOf(request, "token")))) return sendPage(reply, site, usedPage, 410);
    return reply.redirect(`${action}/done`, 303);
  });

  scope.get("/confirm-address/done", async (_request, reply) =>
    sendPage(reply, site, {
      title: "Address confirmed",
      lead: "Thank you. Receipts and mail about your account go there.",
      body: html`<p><a class="button" href="${site.homeUrl}">Continue to the academy</a></p>`,
    }),
  );

  scope.post("/confirm-address/again", async (request, reply) => {
    const email = textOf(request, "email").trim();
    await countAttempt(db, clock, "mail-client", clientOf(request).key);
    await countAttempt(db, clock, "mail-account", email);
    await enqueueMail(db, { kind: "confirm-address", to: email });
    return sendPage(reply, site, {
      title: "Look into your mail",
      lead: "If this address waits for its confirmation, a new link is on its way.",
      body: html`<nav class="links"><a href="${site.homeUrl}">Back to the academy</a></nav>`,
    });
  });
}
