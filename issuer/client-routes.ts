import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "#server/base/refusal.ts";
import { deleteAccount, deleteUnconfirmed, findAccount } from "./accounts.ts";
import { orderConfirmation } from "./pages/confirm-address.ts";
import type { Issuer } from "./pages/issuer-scope.ts";

export const accountsPath = "/accounts";
export const confirmationMailPath = "/confirmation-mail";
export const unconfirmedPath = "/unconfirmed";

/**
 * What the client asks for about one of its people, with its own credentials in the header as at the token endpoint, and
 * announced in the discovery document:
 * - `account_deletion_endpoint`, `DELETE {issuer}/accounts/{subject}`: 204 whether or not there was such an account, so
 *   that it may be repeated.
 * - `unconfirmed_account_deletion_endpoint`, `DELETE {issuer}/accounts/{subject}/unconfirmed`: 204 as above, 409 when the
 *   address is confirmed, of which the client hears at the next sign-in only.
 * - `confirmation_mail_endpoint`, `POST {issuer}/accounts/{subject}/confirmation-mail`: 204 whether or not the address
 *   waits for its confirmation, 429 when it was asked for too often.
 */
export function clientRoutes(
  scope: FastifyInstance,
  issuer: Issuer,
  client: { readonly id: string; readonly secret: string },
): void {
  const { db } = issuer;
  const expected = `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`;

  scope.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    if (isEqual(credentialsOf(request), expected)) return;
    return reply.code(401).header("www-authenticate", 'Basic realm="issuer"').send();
  });

  scope.delete(`${accountsPath}/:subject`, async (request, reply) => {
    await deleteAccount(db, subjectOf(request));
    return reply.code(204).send();
  });

  scope.delete(`${accountsPath}/:subject${unconfirmedPath}`, async (request, reply) => {
    return reply.code((await deleteUnconfirmed(db, subjectOf(request))) ? 204 : 409).send();
  });

  scope.post(`${accountsPath}/:subject${confirmationMailPath}`, async (request, reply) => {
    const account = await findAccount(db, subjectOf(request));
    try {
      if (account) await orderConfirmation(issuer, account.email);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "too-many-requests")) throw error;
      return reply.code(429).header("retry-after", error.retryAfterSeconds).send();
    }
    return reply.code(204).send();
  });
}

function subjectOf({ params }: FastifyRequest): string {
  return (params as { subject: string }).subject;
}

function credentialsOf(request: FastifyRequest): string {
  const [, encoded = ""] = /^Basic (\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  return Buffer.from(encoded, "base64").toString("utf8");
}

/** Takes the same time wherever the two differ. */
function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
