import type { FastifyInstance } from "fastify";
import { after, type Clock, DAY } from "#server/base/clock.ts";
import { type Asking, describeAcademy } from "#server/settings/settings.ts";

/** RFC 9116 recommends less than a year. Counts from each answer. */
const lifetime = 180 * DAY;

export function securityTxtRoute(scope: FastifyInstance, ctx: Asking & { readonly clock: Clock }): void {
  scope.get("/.well-known/security.txt", { schema: { hide: true } }, async (_request, reply) => {
    const { supportEmail } = await describeAcademy(ctx);
    const expires = after(ctx.clock.now(), lifetime).toISOString().replace(/T.*/, "T00:00:00Z");
    return reply
      .type("text/plain; charset=utf-8")
      .header("cache-control", "public, max-age=86400")
      .send(`Contact: mailto:${supportEmail}\nExpires: ${expires}\nPreferred-Languages: en\n`);
  });
}
