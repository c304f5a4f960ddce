import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { countUse } from "#server/db/rate-limits.ts";
import { clientOf } from "#server/http/client.ts";
import type { User } from "../users.ts";
import { findCreatorBy, recordUse } from "./tokens.ts";

const perToken = {
  max: 60,
  window: MINUTE,
  message: "This token has sent 60 requests within a minute. Wait a moment.",
};
const wrongTokens = {
  max: 30,
  window: 10 * MINUTE,
  message: "Too many requests with tokens that don’t work. Try again in a few minutes.",
};

/** `Authorization: Bearer acad_…` in place of a session's cookie. Register it first: what follows asks for `byToken`. */
export function acceptTokens(scope: FastifyInstance, ctx: Context): void {
  scope.addHook("onRequest", async (request, reply) => {
    const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
    if (token === undefined) return;
    // Another site could otherwise send a token of its own along with somebody's cookie, past the check of the origin.
    if (request.headers.cookie !== undefined) {
      throw new Refusal("malformed-request", "Send either a token or cookies, not both.");
    }
    request.byToken = await findCreator(ctx, token, request, reply);
  });
}

async function findCreator(ctx: Context, token: string, request: FastifyRequest, reply: FastifyReply): Promise<User> {
  const now = ctx.clock.now();
  const creator = await findCreatorBy(ctx, token);
  if (!creator?.token) {
    reply.header("www-authenticate", 'Bearer error="invalid_token"');
    await countUse(ctx.db, `wrong-token ${clientOf(request).key}`, wrongTokens, now);
    throw new Refusal("not-signed-in", "This token doesn’t work. It may have expired, or somebody has revoked it.");
  }
  await countUse(ctx.db, `token ${creator.token.id}`, perToken, now);
  await recordUse(ctx.db, creator.token.id, now);
  return creator;
}
