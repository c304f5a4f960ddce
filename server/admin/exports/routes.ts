import { Readable } from "node:stream";
import { create as attachment } from "content-disposition";
import type { FastifyInstance } from "fastify";
import {
  type ExportedList,
  type ExportFormat,
  exportedLists,
  exportFormats,
  exportUrl,
} from "#contract/admin/admin.ts";
import { exportScopes } from "#contract/token-scopes.ts";
import { actorOf, recordAudit } from "#server/audit/audit.ts";
import { DAY, HOUR } from "#server/base/clock.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { countUse, tryUse } from "#server/db/rate-limits.ts";
import { emailAdministrators } from "#server/identity/administrator-emails.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import type { User } from "#server/identity/users.ts";
import { writeCsv } from "./csv.ts";
import { exportOfList } from "./exports.ts";
import { offsetIn, type Table } from "./table.ts";
import { writeXlsx } from "./xlsx.ts";

/** Each reads a whole list. */
const perToken = {
  max: 20,
  window: HOUR,
  message: "This token has downloaded 20 lists within an hour. Try again later.",
};

/** The lists as files, which are not JSON and so not in the contract. Each download is recorded in the audit log. */
export function exportRoutes(scope: FastifyInstance, ctx: Context): void {
  for (const list of exportedLists) {
    for (const format of exportFormats) {
      const { body, open } = exportOfList[list];
      const config = { permission: "people:export" as const, tokenScope: exportScopes[list] ?? null };
      const route = { schema: { hide: true, body }, config };
      scope.post(exportUrl(list, format), route, async (request, reply) => {
        const actor = studentOf(request);
        if (actor.token) await countUse(ctx.db, `token ${actor.token.id} downloads`, perToken, ctx.clock.now());
        const table = await open(ctx, request.body, actor);
        // Read before the answer begins, so that a refusal can still be sent.
        const first = await table.pages.next();
        const now = ctx.clock.now();
        const after = { format, ...describeChoice(request.body as object), rows: table.total };
        const day = dayIn(table.timeZone, now);
        await ctx.db.transaction(async (tx) => {
          await recordAudit(tx, { ...actorOf(actor), action: `export ${list}`, subject: list, after }, now);
          if (actor.token) await tellOwners(tx, actor.token, { list, rows: table.total, day }, now);
        });
        const { type, write } = formats[format];
        return reply
          .type(type)
          .header("content-disposition", attachment(`${list}-${day}.${format}`))
          .send(Readable.from(await write(list, { ...table, pages: wholeOf(first, table.pages) })));
      });
    }
  }
}

/** At a token's first download of a day: a thief may have begun. */
async function tellOwners(
  tx: Db,
  { id, name }: NonNullable<User["token"]>,
  { day, ...facts }: { readonly list: ExportedList; readonly rows: number; readonly day: string },
  now: Date,
): Promise<void> {
  const occasion = `${id} ${day}`;
  if (!(await tryUse(tx, `token-export ${occasion}`, { max: 1, window: DAY }, now))) return;
  await emailAdministrators(tx, { kind: "token-export", facts: { token: name, ...facts }, occasion }, now);
}

/** "2026-01-31" */
function dayIn(timeZone: string, now: Date): string {
  return new Date(now.getTime() + offsetIn(timeZone)(now)).toISOString().slice(0, 10);
}

interface Format {
  readonly type: string;
  /** Reads the next page only when the client has taken the last one. */
  readonly write: (
    name: string,
    table: Table,
  ) => AsyncIterable<string | Uint8Array> | Promise<AsyncIterable<Uint8Array>>;
}

const formats: Readonly<Record<ExportFormat, Format>> = {
  csv: { type: "text/csv; charset=utf-8", write: (_name, table) => writeCsv(table) },
  xlsx: { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", write: writeXlsx },
};

/** The audit log is kept for ever and names nobody: words that somebody searched for are left out. */
function describeChoice(body: object): Record<string, unknown> {
  const { ids, except, filter = body } = body as { ids?: string[]; except?: string[]; filter?: object };
  if (ids) return { selected: ids.length };
  const words = ["search", "actor", "subject"];
  const fields = Object.entries(filter).filter(([name]) => name !== "except" && name !== "filter");
  return {
    ...Object.fromEntries(fields.map(([name, value]) => [name, words.includes(name) ? "(words)" : value])),
    ...(except && except.length > 0 && { deselected: except.length }),
  };
}

async function* wholeOf(first: Awaited<ReturnType<Pages["next"]>>, rest: Pages): Pages {
  if (!first.done) yield first.value;
  yield* rest;
}
type Pages = Table["pages"];
