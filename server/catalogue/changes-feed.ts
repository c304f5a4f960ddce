import type { FastifyInstance } from "fastify";
import { href } from "#contract/addresses.ts";
import { changeTitle, type PublicChange } from "#contract/lesson-changes.ts";
import type { Context } from "#server/context/context.ts";
import { type Html, html } from "#server/http/html.ts";
import { memoryFile, sendFile } from "#server/http/pages/memory-file.ts";
import { currentSettings } from "#server/settings/settings.ts";
import { listPublicChanges } from "./public-changes.ts";

/** Readers ask for the feed again and again, so it has the newest entries only. */
const maxEntries = 50;

/** What changed in lessons, for feed readers (RFC 4287). */
export function changesFeedRoute(scope: FastifyInstance, ctx: Context): void {
  scope.get(href.changesFeed(), { schema: { hide: true } }, async (request, reply) => {
    const [{ name }, changes] = await Promise.all([
      currentSettings(ctx.db),
      listPublicChanges(ctx.db, ctx.clock.now(), maxEntries),
    ]);
    const bytes = Buffer.from(feedOf(changes, { name, publicUrl: ctx.site.publicUrl }));
    return sendFile(request, reply, memoryFile("changes.atom", bytes, { identity: () => bytes }));
  });
}

/** Characters that XML does not allow even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

function feedOf(changes: readonly PublicChange[], { name, publicUrl }: { name: string; publicUrl: string }): string {
  const page = publicUrl + href.changes();
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${page}</id>
<title>Changes in ${name}</title>
<updated>${changes[0]?.at ?? new Date(0).toISOString()}</updated>
<link rel="self" type="application/atom+xml" href="${publicUrl + href.changesFeed()}"/>
<link rel="alternate" type="text/html" href="${page}"/>
<author><name>${name}</name></author>
${changes.map((change) => entryOf(change, page))}</feed>
`;
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed.text.replaceAll(notXml, "")}`;
}

function entryOf(change: PublicChange, page: string): Html {
  const { id, at, note } = change;
  const address = `${page}#${id}`;
  return html`<entry>
<id>${address}</id>
<title>${changeTitle(change)}</title>
<published>${at}</published>
<updated>${at}</updated>
<link rel="alternate" type="text/html" href="${address}"/>
<summary>${note}</summary>
</entry>
`;
}
