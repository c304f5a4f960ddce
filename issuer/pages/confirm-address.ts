import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { clientOf } from "#server/http/client.ts";
import { changeAddress, confirmAddress, findAccount } from "../accounts.ts";
import { createLink, findLink } from "../links.ts";
import type { Account } from "../tables.ts";
import { countAttempt } from "../throttle.ts";
import { type BrowserSession, findDevice, findSession, rememberDevice, secondAfterEnd } from "./browser.ts";
import { field, sendPage } from "./frame.ts";
import { html } from "./html.ts";
import { type Issuer, textOf } from "./issuer-scope.ts";
import { isRightPassword } from "./password-attempt.ts";

/** What a link in a mail confirms: the account's own address, or the one that it shall have instead. */
interface Confirmation {
  readonly path: string;
  readonly purpose: "confirm-address" | "change-address";
  readonly title: string;
  readonly lead: string;
  readonly button: string;
  /** Afterwards the link is used up; whatever else happens, `session` goes on. */
  confirm(token: string, session: BrowserSession | null): Promise<Account | "taken" | null>;
}

/**
 * Confirmation of an address. Only the button confirms, because mail scanners open every link but press nothing, and
 * only for a browser that has signed in to the account, or with its password: the mailbox alone would lend a stranger's
 * account the owner's address.
 */
export function confirmAddressRoutes(scope: FastifyInstance, issuer: Issuer): void {
  const { db, clock, site, enqueueMail } = issuer;
  const again = `${site.path}/confirm-address/again`;
  const home = html`<nav class="links"><a href="${site.homeUrl}">Back to the academy</a></nav>`;

  confirmation({
    path: "/confirm-address",
    purpose: "confirm-address",
    title: "Confirm your address",
    lead: "Receipts and mail about your account will go to it.",
    button: "Confirm my address",
    confirm: (token, session) => confirmAddress(db, clock, token, session),
  });
  confirmation({
    path: "/change-address",
    purpose: "change-address",
    title: "Confirm your new address",
    lead: "From then on you sign in with it.",
    button: "Confirm my new address",
    confirm: (token, session) => changeAddress(db, clock, token, session, enqueueMail),
  });

  function confirmation({ path, purpose, confirm, ...words }: Confirmation): void {
    const action = `${site.path}${path}`;
    const isOwn = purpose === "confirm-address";

    const usedPage = {
      title: "Link no longer works",
      lead: `It was used already, or it is older than ${isOwn ? "7 days" : "a day"}.`,
      body: isOwn
        ? html`<p>If your address is not confirmed yet, have a new link sent to it.</p>
<form class="form" method="post" action="${again}">
${field({ name: "email", label: "Email", type: "email", autocomplete: "username" })}
<button class="button" type="submit">Send a new link</button>
</form>
${home}`
        : home,
    };

    const confirmPage = (token: string, isKnown: boolean, error?: string) => ({
      title: words.title,
      lead: words.lead,
      body: html`<form class="form" method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
${!isKnown && field({ name: "password", label: "Password", type: "password", autocomplete: "current-password", hint: "Your account's password, to show that the account is yours.", error })}
<button class="button" type="submit">${words.button}</button>
</form>
${
  !isKnown &&
  isOwn &&
  html`<form class="links" method="post" action="${action}/new-password">
<input type="hidden" name="token" value="${token}">
<button class="link-button" type="submit">I did not create this account, or forgot its password: choose a new one</button>
</form>`
}`,
    });

    async function accountOf(token: string): Promise<Account | null> {
      const link = await findLink(db, clock, purpose, token);
      return link && findAccount(db, link.subject);
    }

    scope.get(path, async (request, reply) => {
      const token = String((request.query as { token?: unknown }).token ?? "");
      const account = await accountOf(token);
      if (!account) return sendPage(reply, site, usedPage, 410);
      return sendPage(reply, site, confirmPage(token, findDevice(issuer, request, reply, account) !== null));
    });

    scope.post(path, async (request, reply) => {
      const token = textOf(request, "token");
      const account = await accountOf(token);
      if (!account) return sendPage(reply, site, usedPage, 410);
      if (!findDevice(issuer, request, reply, account)) {
        const password = textOf(request, "password", 512);
        const typed = { email: account.email, account, password };
        if (!password || !(await isRightPassword(issuer, request, reply, typed))) {
          const error = password ? "The password is not right." : "Enter the password of your account.";
          return sendPage(reply, site, confirmPage(token, false, error), 422);
        }
      }
      const session = await findOwnSession(request, reply, account);
      const confirmed = await confirm(token, session);
      if (!confirmed) return sendPage(reply, site, usedPage, 410);
      if (confirmed === "taken") return sendPage(reply, site, takenPage, 409);
      await keepBrowser(request, reply, confirmed, session);
      return reply.redirect(`${action}/done`, 303);
    });

    scope.get(`${path}/done`, async (_request, reply) =>
      sendPage(reply, site, {
        title: "Address confirmed",
        lead: "Thank you. Receipts and mail about your account go there.",
        body: html`<p><a class="button" href="${site.homeUrl}">Continue to the academy</a></p>`,
      }),
    );

    if (!isOwn) return;
    scope.post(`${path}/new-password`, async (request, reply) => {
      const account = await accountOf(textOf(request, "token"));
      if (!account) return sendPage(reply, site, usedPage, 410);
      // Anybody who holds this link reads the account's mail, as anybody who asks for a reset must.
      const token = await createLink(db, clock, "reset-password", account.subject);
      return reply.redirect(`${site.path}/reset-password?token=${token}`, 303);
    });
  }

  const takenPage = {
    title: "Address in use",
    lead: "Another account has this address by now. Your account keeps the old one.",
    body: home,
  };

  async function findOwnSession(request: FastifyRequest, reply: FastifyReply, { subject }: Account) {
    const session = await findSession(issuer, request, reply);
    return session?.account.subject === subject ? session : null;
  }

  async function keepBrowser(
    request: FastifyRequest,
    reply: FastifyReply,
    account: Account,
    session: BrowserSession | null,
  ): Promise<void> {
    rememberDevice(issuer, request, reply, account, secondAfterEnd(account));
    await session?.renew(account);
    await issuer.logouts.deliver(account.subject);
  }

  scope.post("/confirm-address/again", async (request, reply) => {
    const email = textOf(request, "email").trim();
    await countAttempt(db, clock, "mail-client", clientOf(request).key);
    await orderConfirmation(issuer, email);
    return sendPage(reply, site, {
      title: "Check your mail",
      lead: "If this address waits for its confirmation, a new link is on its way.",
      body: home,
    });
  });
}

/**
 * Orders a new confirmation link for an address; it is mailed when an account has the address and waits for it.
 * @throws Refusal too-many-requests
 */
export async function orderConfirmation({ db, clock, enqueueMail }: Issuer, email: string): Promise<void> {
  await countAttempt(db, clock, "mail-account", email);
  await enqueueMail(db, { kind: "confirm-address", to: email });
}
