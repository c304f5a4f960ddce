import type { FastifyInstance } from "fastify";
import { after, DAY } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";

/** RFC 9116 advises less than a year; it is counted from each answer, so that the file is good as long as it is there. */
const lifetime = 180 * DAY;

/** `/.well-known/security.txt`: where anybody who finds a weakness reports it. */
export function securityTxtRoute(scope: FastifyInstance, ctx: Context): void {
  scope.get("/.well-known/security.txt", { schema: { hide: true } }, async (_request, reply) => {
    const expires = after(ctx.clock.now(), lifetime).toISOString().replace(/T.*/, "T00:00:00Z");
    return reply
      .type("text/plain; charset=utf-8")
      .header("cache-control", "public, max-age=86400")
      .send(`Contact: mailto:${ctx.site.supportEmail}\nExpires: ${expires}\nPreferred-Languages: en\n`);
  });
}
