import { Readable } from "node:stream";
import { create as attachment } from "content-disposition";
import type { FastifyInstance } from "fastify";
import { type ExportFormat, exportedLists, exportFormats, exportUrl } from "#contract/admin/admin.ts";
import { recordAudit } from "#server/audit/audit.ts";
import type { Context } from "#server/context/context.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { writeCsv } from "./csv.ts";
import { exportOfList } from "./exports.ts";
import { offsetIn, type Table } from "./table.ts";
import { writeXlsx } from "./xlsx.ts";

/** The lists as files, which are not JSON and so not in the contract. Each download is recorded in the audit log. */
export function exportRoutes(scope: FastifyInstance, ctx: Context): void {
  for (const list of exportedLists) {
    for (const format of exportFormats) {
      const { body, open } = exportOfList[list];
      const route = { schema: { hide: true, body }, config: { permission: "people:export" as const } };
      scope.post(exportUrl(list, format), route, async (request, reply) => {
        const actor = studentOf(request);
        const table = await open(ctx, request.body, actor);
        // Read before the answer begins, so that a refusal can still be sent.
        const first = await table.pages.next();
        const now = ctx.clock.now();
        const after = { format, ...describeChoice(request.body as object), rows: table.total };
        await recordAudit(ctx.db, { actor: actor.id, action: `export ${list}`, subject: list, after }, now);
        const { type, write } = formats[format];
        return reply
          .type(type)
          .header("content-disposition", attachment(`${list}-${dayIn(table.timeZone, now)}.${format}`))
          .send(Readable.from(await write(list, { ...table, pages: wholeOf(first, table.pages) })));
      });
    }
  }
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
