import { Readable } from "node:stream";
import { create as attachment } from "content-disposition";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { type ExportedList, exportUrl, selectionOf } from "#contract/admin/admin.ts";
import { AuditFilter, AuditListQuery } from "#contract/admin/audit.ts";
import { ContactFilter, ContactListQuery } from "#contract/admin/contacts.ts";
import { FiguresQuery } from "#contract/admin/figures.ts";
import { PurchaseFilter, PurchaseListQuery } from "#contract/admin/purchases.ts";
import { MoneyQuery } from "#contract/admin/statistics.ts";
import { UserFilter, UserListQuery } from "#contract/admin/users.ts";
import { recordAudit } from "#server/admin/audit.ts";
import type { Context } from "#server/context/context.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import type { User } from "#server/identity/users.ts";
import * as exports from "./exports.ts";

/** The lists as CSV files, which are not JSON and so not in the contract. Each is recorded in the audit log. */
export function exportRoutes(scope: FastifyInstance, ctx: Context): void {
  const serveFile = <Body extends z.ZodType>(
    list: ExportedList,
    body: Body,
    write: (body: z.output<Body>, actor: User) => Promise<exports.Export>,
  ) =>
    scope.post(
      exportUrl(list),
      { schema: { hide: true, body }, config: { permission: "people:export" } },
      async (request, reply) => {
        const actor = studentOf(request);
        const { rows, chunks } = await write(request.body as z.output<Body>, actor);
        // Read before the answer begins, so that a refusal can still be sent.
        const first = await chunks.next();
        const now = ctx.clock.now();
        const after = { ...describeChoice(request.body as object), rows };
        await recordAudit(ctx.db, { actor: actor.id, action: `export ${list}`, subject: list, after }, now);
        return reply
          .type("text/csv; charset=utf-8")
          .header("content-disposition", attachment(`${list}-${now.toISOString().slice(0, 10)}.csv`))
          .send(Readable.from(wholeOf(first, chunks)));
      },
    );

  serveFile("users", selectionOf(UserFilter), (selection, actor) =>
    exports.exportUsers(ctx, actor, { ...UserListQuery.parse({}), ...rowsOf(selection) }),
  );
  serveFile("purchases", selectionOf(PurchaseFilter), (selection, actor) =>
    exports.exportPurchases(ctx, actor, { ...PurchaseListQuery.parse({}), ...rowsOf(selection) }),
  );
  serveFile("contacts", selectionOf(ContactFilter), (selection) =>
    exports.exportContacts(ctx, { ...ContactListQuery.parse({}), ...rowsOf(selection) }),
  );
  serveFile("money", MoneyQuery, (query) => exports.exportMoney(ctx, query));
  serveFile("sign-ups", FiguresQuery, (query) => exports.exportSignUps(ctx, query));
  serveFile("funnel", FiguresQuery, (query) => exports.exportFunnel(ctx, query));
  serveFile("retention", z.strictObject({}), () => exports.exportRetention(ctx));
  serveFile("value", z.strictObject({}), () => exports.exportLifetimeValue(ctx));
  serveFile("learning", z.strictObject({}), () => exports.exportLearning(ctx));
  serveFile("coaching", z.strictObject({}), () => exports.exportCoaching(ctx));
  serveFile("audit", AuditFilter, (query) => exports.exportAudit(ctx, AuditListQuery.parse(query)));
}

function rowsOf<Filter>(selection: { ids: string[] } | { filter: Filter; except: string[] }) {
  return "ids" in selection ? selection : { ...selection.filter, except: selection.except };
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

/** Reads the next chunk only when the client has taken the last one. */
async function* wholeOf(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (!first.done) yield first.value;
  yield* rest;
}
