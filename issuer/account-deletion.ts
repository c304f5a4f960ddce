import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { deleteAccount } from "./accounts.ts";
import type { Issuer } from "./pages/issuer-scope.ts";

export const accountDeletionPath = "/accounts";

/**
 * The client has an account of one of its people deleted: `DELETE {issuer}/accounts/{subject}` with its own credentials
 * in the header, as at the token endpoint. 204 whether or not there was such an account, so that it may be repeated.
 * Announced in the discovery document as `account_deletion_endpoint`.
 */
export function accountDeletionRoute(
  scope: FastifyInstance,
  { db }: Issuer,
  client: { readonly id: string; readonly secret: string },
): void {
  const expected = `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`;

  scope.delete(`${accountDeletionPath}/:subject`, async (request, reply) => {
    reply.header("cache-control", "no-store");
    if (!isEqual(credentialsOf(request), expected)) {
      return reply.code(401).header("www-authenticate", 'Basic realm="issuer"').send();
    }
    await deleteAccount(db, (request.params as { subject: string }).subject);
    return reply.code(204).send();
  });
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
