import { Readable } from "node:stream";
import { create as attachment } from "content-disposition";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type ExportedList, exportUrl, selectionOf } from "#contract/admin/admin.ts";
import { AuditListQuery } from "#contract/admin/audit.ts";
import { ContactFilter, ContactListQuery } from "#contract/admin/contacts.ts";
import { FiguresQuery } from "#contract/admin/figures.ts";
import { PurchaseFilter, PurchaseListQuery } from "#contract/admin/purchases.ts";
import { MoneyQuery } from "#contract/admin/statistics.ts";
import { UserFilter, UserListQuery } from "#contract/admin/users.ts";
import type { RowSelection } from "#server/admin/paging.ts";
import type { Context } from "#server/context/context.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import * as exports from "./exports.ts";

/** The lists as CSV files, which are not JSON and so not in the contract; `exportUrl` makes their addresses. */
export function exportRoutes(scope: FastifyInstance, ctx: Context): void {
  // A stolen session must not be enough to export personal data.
  const config = { needsFreshSignIn: true, permission: "people:export" as const };
  const nameOf = (list: ExportedList) => `${list}-${ctx.clock.now().toISOString().slice(0, 10)}.csv`;
  const serveFile = <Query extends z.ZodType>(
    list: ExportedList,
    query: Query,
    rows: (query: z.output<Query>, request: FastifyRequest) => exports.Export,
  ) =>
    scope.get(exportUrl(list), { schema: { hide: true, querystring: query }, config }, async (request, reply) =>
      sendFile(reply, nameOf(list), rows(request.query as never, request)),
    );

  const serveTicked = <Query>(
    list: ExportedList,
    filter: z.ZodType,
    all: Query,
    rows: (query: Query & RowSelection, request: FastifyRequest) => exports.Export,
  ) =>
    scope.post(
      exportUrl(list),
      { schema: { hide: true, body: selectionOf(filter) }, config },
      async (request, reply) => {
        const { filter, ...ticked } = request.body as RowSelection & { filter?: Partial<Query> };
        return sendFile(reply, nameOf(list), rows({ ...all, ...filter, ...ticked }, request));
      },
    );
  serveTicked("users", UserFilter, UserListQuery.parse({}), (query, request) =>
    exports.exportUsers(ctx, studentOf(request), query),
  );
  serveTicked("purchases", PurchaseFilter, PurchaseListQuery.parse({}), (query, request) =>
    exports.exportPurchases(ctx, studentOf(request), query),
  );
  serveTicked("contacts", ContactFilter, ContactListQuery.parse({}), (query) => exports.exportContacts(ctx, query));

  serveFile("users", UserListQuery, (query, request) => exports.exportUsers(ctx, studentOf(request), query));
  serveFile("purchases", PurchaseListQuery, (query, request) =>
    exports.exportPurchases(ctx, studentOf(request), query),
  );
  serveFile("contacts", ContactListQuery, (query) => exports.exportContacts(ctx, query));
  serveFile("money", MoneyQuery, (query) => exports.exportMoney(ctx, query));
  serveFile("sign-ups", FiguresQuery, (query) => exports.exportSignUps(ctx, query));
  serveFile("funnel", FiguresQuery, (query) => exports.exportFunnel(ctx, query));
  serveFile("retention", z.strictObject({}), () => exports.exportRetention(ctx));
  serveFile("value", z.strictObject({}), () => exports.exportLifetimeValue(ctx));
  serveFile("learning", z.strictObject({}), () => exports.exportLearning(ctx));
  serveFile("coaching", z.strictObject({}), () => exports.exportCoaching(ctx));
  serveFile("audit", AuditListQuery, (query) => exports.exportAudit(ctx, query));
}

/** Reads the next chunk only when the client has taken the last one. */
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
