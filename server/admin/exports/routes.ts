import { Readable } from "node:stream";
import { create as attachment } from "content-disposition";
import type { FastifyInstance } from "fastify";
import { exportedLists, exportUrl } from "#contract/admin/admin.ts";
import { recordAudit } from "#server/admin/audit.ts";
import type { Context } from "#server/context/context.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { writeCsv } from "./csv.ts";
import { exportOfList } from "./exports.ts";
import type { Table } from "./table.ts";

/** The lists as CSV files, which are not JSON and so not in the contract. Each is recorded in the audit log. */
export function exportRoutes(scope: FastifyInstance, ctx: Context): void {
  for (const list of exportedLists) {
    const { body, open } = exportOfList[list];
    const route = { schema: { hide: true, body }, config: { permission: "people:export" as const } };
    scope.post(exportUrl(list), route, async (request, reply) => {
      const actor = studentOf(request);
      const table = await open(ctx, request.body, actor);
      // Read before the answer begins, so that a refusal can still be sent.
      const first = await table.pages.next();
      const now = ctx.clock.now();
      const after = { ...describeChoice(request.body as object), rows: table.total };
      await recordAudit(ctx.db, { actor: actor.id, action: `export ${list}`, subject: list, after }, now);
      return reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", attachment(`${list}-${now.toISOString().slice(0, 10)}.csv`))
        .send(Readable.from(writeCsv({ ...table, pages: wholeOf(first, table.pages) })));
    });
  }
}

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
