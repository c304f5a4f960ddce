import { and, asc, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { Page, Paging } from "#contract/admin/admin.ts";
import type * as contract from "#contract/admin/imports.ts";
import { notFound } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import { requireRowBefore, selectPage } from "#server/db/paging.ts";
import { listPeople, nameOf } from "#server/identity/names.ts";
import { type ImportEntry, importBatches, isUnsent } from "./queries.ts";
import { importRows, imports } from "./tables.ts";

/** @throws Refusal not-found */
export async function describeImport(ctx: Context, id: string): Promise<contract.Import> {
  return presentImport(ctx, await importBatches.get(ctx.db, id));
}

export async function listImports(ctx: Context, page: Paging): Promise<Page<contract.Import>> {
  // Those of a dry run that led to nothing are deleted soon.
  const part = { ...page, table: imports, id: imports.id, key: imports.createdAt, where: isNull(imports.unusedUntil) };
  const { rows, total } = await selectPage(ctx.db, ctx.db.select().from(imports).$dynamic(), part);
  return { rows: await presentAll(ctx, rows), total };
}

export async function presentImport(ctx: Context, row: ImportEntry): Promise<contract.Import> {
  const [described] = await presentAll(ctx, [row]);
  if (!described) throw notFound("import");
  return described;
}

async function presentAll({ db, clock }: Context, rows: readonly ImportEntry[]): Promise<contract.Import[]> {
  const authors = await listPeople(
    db,
    rows.map(({ authorId }) => authorId),
  );
  const counted = await db
    .select({
      importId: importRows.importId,
      outcome: importRows.outcome,
      rows: sql<number>`count(*)::int`,
      sent: sql<number>`count(${importRows.sentAt})::int`,
      unsent: sql<number>`count(*) filter (where ${isUnsent(clock.now())})::int`,
      unsubscribed: sql<number>`count(*) filter (where not ${importRows.mayEmail} and ${importRows.reason} is null)::int`,
    })
    .from(importRows)
    .where(sql`${importRows.importId} = any(${sql.param(rows.map(({ id }) => id))})`)
    .groupBy(importRows.importId, importRows.outcome);
  return rows.map((row) => {
    const own = counted.filter(({ importId }) => importId === row.id);
    const { authorId, fileName, source, changed, same, refused } = row;
    return {
      ...importBatches.progressOf(row),
      ...{ state: row.state, fileName, source, counts: { new: row.new, changed, same, refused } },
      author: nameOf(authors.find(({ id }) => id === authorId) ?? null),
      outcomes: Object.fromEntries(own.flatMap(({ outcome, rows }) => (outcome ? [[outcome, rows]] : []))),
      invitations: {
        state: row.sending,
        perHour: row.invitationsPerHour,
        waiting: own.find(({ outcome }) => outcome === "invited")?.unsent ?? 0,
        sent: own.reduce((sum, { sent }) => sum + sent, 0),
        unsubscribed: own
          .filter(({ outcome }) => outcome === null || outcome === "invited")
          .reduce((sum, { unsubscribed }) => sum + unsubscribed, 0),
      },
    };
  });
}

/** @throws Refusal not-found */
export async function listImportRows(
  { db }: Context,
  id: string,
  { fate, outcome, limit, after }: contract.ImportRowFilter & Paging,
): Promise<Page<contract.ImportRow>> {
  await importBatches.get(db, id);
  const where = and(
    eq(importRows.importId, id),
    fate && eq(importRows.fate, fate),
    outcome && eq(importRows.outcome, outcome),
  );
  const last = sql`(select line from ${importRows} as last where last.id = ${after})`;
  const rows = await db
    .select()
    .from(importRows)
    .where(and(where, after ? sql`${importRows.line} > ${last}` : undefined))
    .orderBy(asc(importRows.line))
    .limit(limit);
  if (after && rows.length === 0) await requireRowBefore(db, importRows, eq(importRows.id, after));
  const described = rows.map(({ endsAt, completed, sentAt, ...row }) => ({
    ...row,
    until: endsAt?.toISOString() ?? null,
    completed: completed.length,
    sentAt: sentAt?.toISOString() ?? null,
  }));
  return { rows: described, total: after ? null : await db.$count(importRows, where) };
}

const errorColumn = "Import error";

/** The rows that were not imported, in the file's own columns with the reason behind. @throws Refusal not-found */
export async function listImportErrors({ db }: Context, id: string) {
  const { fileName, columns } = await importBatches.get(db, id);
  const { cells, reason, outcome } = importRows;
  const isError = or(eq(outcome, "refused"), eq(outcome, "stopped"));
  const rows = await db
    .select({ cells, reason, outcome })
    .from(importRows)
    .where(and(eq(importRows.importId, id), isNotNull(outcome), isError))
    .orderBy(asc(importRows.line));
  const own = columns.flatMap((name, at) => (name === errorColumn ? [] : [{ name, at }]));
  return {
    fileName,
    columns: [...own.map(({ name }) => name), errorColumn],
    rows: rows.map((row) => [
      ...own.map(({ at }) => row.cells[at] ?? ""),
      row.reason ?? (row.outcome === "stopped" ? "The import was stopped before this row." : ""),
    ]),
  };
}
