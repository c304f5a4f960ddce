import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { create as attachment } from "content-disposition";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as calls from "#contract/admin/imports.ts";
import { writeCsv } from "#server/admin/exports/csv.ts";
import { tableOf } from "#server/admin/exports/table.ts";
import { recordAudit } from "#server/audit/audit.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { acceptMultipart, partsOf } from "#server/http/multipart.ts";
import { serve } from "#server/http/serve.ts";
import { studentOf } from "#server/identity/sessions/sessions.ts";
import { checkImport, deleteImport, startImport, stopImport } from "#server/imports/imports.ts";
import { inviteImported, previewImportInvitation } from "#server/imports/invitations.ts";
import { describeImport, listImportErrors, listImportRows, listImports } from "#server/imports/listing.ts";
import { receive } from "#server/storage/receive.ts";

/** Register it in a scope of its own, as it accepts multipart bodies. */
export async function importUploadRoutes(scope: FastifyInstance, ctx: Context): Promise<void> {
  const turns = { max: 4, personOf: (request: FastifyRequest) => studentOf(request).id };
  await acceptMultipart(scope, { fileSize: calls.importLimit, files: 1, fields: 1 }, turns);

  serve(scope, calls.checkImport, async ({ request, reply }) => {
    let mapping: string | undefined;
    let file: { path: string; name: string } | null = null;
    try {
      for await (const part of partsOf(request)) {
        if (!("file" in part)) mapping = part.name === "mapping" ? part.value : mapping;
        else if (part.name === "file" && !file) {
          const received = await receive(ctx.storage, part.file.content, calls.importLimit);
          if (!received) throw new Refusal("too-large", "This file is larger than 20 MB. Split it into several files.");
          file = { path: received.path, name: part.file.name };
        }
      }
      if (!file) throw new Refusal("invalid-input", "Choose a file.", { errors: { file: ["Required"] } });
      await ctx.scanner?.requireClean(file.path);
      const checked = await checkImport(ctx, studentOf(request), { ...file, mapping });
      reply.code(201);
      return checked;
    } finally {
      if (file) await rm(file.path, { force: true });
    }
  });
}

export function importRoutes(scope: FastifyInstance, ctx: Context): void {
  const target = (request: FastifyRequest, { id }: { id: string }) => ({ actor: studentOf(request), id });
  serve(scope, calls.listImports, ({ query }) => listImports(ctx, query));
  serve(scope, calls.getImport, ({ params }) => describeImport(ctx, params.id));
  serve(scope, calls.listImportRows, ({ params, query }) => listImportRows(ctx, params.id, query));
  serve(scope, calls.startImport, ({ request, params }) => startImport(ctx, target(request, params)));
  serve(scope, calls.stopImport, ({ request, params }) => stopImport(ctx, target(request, params)));
  serve(scope, calls.inviteImported, ({ request, params, body }) => inviteImported(ctx, target(request, params), body));
  serve(scope, calls.previewImportInvitation, ({ params }) => previewImportInvitation(ctx, params.id));
  serve(scope, calls.deleteImport, async ({ request, params }) => {
    await deleteImport(ctx, target(request, params));
    return { success: true as const, message: "Import deleted" };
  });

  // A file, which is not JSON and so not in the contract.
  const errors = { schema: { hide: true }, config: { permission: "people:export" as const } };
  scope.get(calls.importErrorsUrl(":id"), errors, async (request, reply) => {
    const { id: subject } = request.params as { id: string };
    const { fileName, columns, rows } = await listImportErrors(ctx, subject);
    const line = {
      actor: studentOf(request).id,
      action: "export import errors",
      subject,
      after: { rows: rows.length },
    };
    await recordAudit(ctx.db, line, ctx.clock.now());
    const table = tableOf<string[]>(
      columns.map((name, at) => [name, "text" as const, (row: string[]) => row[at] ?? ""]),
      { total: rows.length, pages: [rows] },
      "UTC",
    );
    return reply
      .type("text/csv; charset=utf-8")
      .header("content-disposition", attachment(`${fileName.replace(/\.\w+$/, "")}-errors.csv`))
      .send(Readable.from(writeCsv(table)));
  });
}
