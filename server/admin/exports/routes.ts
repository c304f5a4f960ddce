import { Readable } from "node:stream";
import { create as attachment } from "content-disposition";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type ExportedList, exportUrl } from "#contract/admin/admin.ts";
import { AuditListQuery } from "#contract/admin/audit.ts";
import { ContactListQuery } from "#contract/admin/contacts.ts";
import { PurchaseListQuery } from "#contract/admin/purchases.ts";
import { MoneyQuery } from "#contract/admin/statistics.ts";
import { UserListQuery } from "#contract/admin/users.ts";
import type { Context } from "#server/context/context.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import * as exports from "./exports.ts";

/** The lists as CSV files, outside the contract's endpoints because they are not JSON; `exportUrl` has their addresses. */
export function exportRoutes(scope: FastifyInstance, ctx: Context): void {
  // Anybody who gets hold of the session could carry the file away.
  const config = { needsFreshSignIn: true, permission: "people:export" as const };
  const serveFile = <Query extends z.ZodType>(
    list: ExportedList,
    query: Query,
    rows: (query: z.output<Query>, request: FastifyRequest) => exports.Export,
  ) =>
    scope.get(exportUrl(list), { schema: { hide: true, querystring: query }, config }, async (request, reply) =>
      sendFile(
        reply,
        `${list}-${ctx.clock.now().toISOString().slice(0, 10)}.csv`,
        rows(request.query as never, request),
      ),
    );

  serveFile("users", UserListQuery, (query, request) => exports.exportUsers(ctx, studentOf(request), query));
  serveFile("purchases", PurchaseListQuery, (query, request) =>
    exports.exportPurchases(ctx, studentOf(request), query),
  );
  serveFile("contacts", ContactListQuery, (query) => exports.exportContacts(ctx, query));
  serveFile("money", MoneyQuery, (query) => exports.exportMoney(ctx, query));
  serveFile("learning", z.strictObject({}), () => exports.exportLearning(ctx));
  serveFile("coaching", z.strictObject({}), () => exports.exportCoaching(ctx));
  serveFile("audit", AuditListQuery, (query) => exports.exportAudit(ctx, query));
}

/** At the pace of the client. */
async function sendFile(reply: FastifyReply, name: string, rows: exports.Export): Promise<FastifyReply> {
  const first = await rows.next();
  const whole = async function* () {
    if (!first.done) yield first.value;
    yield* rows;
  };
  return reply
    .type("text/csv; charset=utf-8")
    .header("content-disposition", attachment(name))
    .send(Readable.from(whole()));
}
