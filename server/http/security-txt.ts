import type { FastifyInstance } from "fastify";
import { after, type Clock, DAY } from "#server/base/clock.ts";

/** RFC 9116 advises less than a year; counted from each answer. */
const lifetime = 180 * DAY;

export function securityTxtRoute(
  scope: FastifyInstance,
  { clock, site }: { readonly clock: Clock; readonly site: { readonly supportEmail: string } },
): void {
  scope.get("/.well-known/security.txt", { schema: { hide: true } }, async (_request, reply) => {
    const expires = after(clock.now(), lifetime).toISOString().replace(/T.*/, "T00:00:00Z");
    return reply
      .type("text/plain; charset=utf-8")
      .header("cache-control", "public, max-age=86400")
      .send(`Contact: mailto:${site.supportEmail}\nExpires: ${expires}\nPreferred-Languages: en\n`);
  });
}
