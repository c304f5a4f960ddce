import type { Page } from "#contract/admin/admin.ts";
import type { AuditEntry, AuditListQuery } from "#contract/admin/audit.ts";
import type { Context } from "#server/context/context.ts";
import { listPeople, nameOf } from "#server/identity/names.ts";
import * as find from "./queries.ts";

export async function listAudit(ctx: Context, query: AuditListQuery): Promise<Page<AuditEntry>> {
  const { rows, total } = await find.listAuditRows(ctx.db, query);
  return { rows: await presentEntries(ctx, rows), total };
}

/** The log has ids only. Names are looked up, so that a deletion also removes them here. */
async function presentEntries(ctx: Context, rows: readonly find.AuditRow[]): Promise<AuditEntry[]> {
  if (rows.length === 0) return [];
  const subjects = [...new Set(rows.map(({ subject }) => subject))];
  const [people, names] = await Promise.all([
    listPeople(ctx.db, [...new Set([...rows.map(({ actor }) => actor), ...subjects])]),
    find.listNames(ctx.db, subjects),
  ]);
  const personOf = new Map(people.map((person) => [person.id, person]));
  const namedOf = new Map(names.map((named) => [named.id, named]));
  return rows.map((row) => {
    const named = namedOf.get(row.subject);
    const subject = personOf.get(row.subject);
    return {
      ...row,
      actorName: row.actor === "system" ? "system" : nameOf(personOf.get(row.actor) ?? null),
      subjectKind: subject ? "user" : (named?.kind ?? kindByAction(row.action)),
      subjectName: subject ? nameOf(subject) : (named?.name ?? null),
      before: row.before ?? null,
      after: row.after ?? null,
      createdAt: row.createdAt.toISOString(),
    };
  });
}

/** The kind of a subject without a row, derived from the action. */
function kindByAction(action: string): AuditEntry["subjectKind"] {
  if (action.startsWith("repair ")) return "discrepancy";
  if (action.endsWith(" message")) return "contact";
  return (
    (["module", "lesson", "offer", "settings", "copy", "coupon"] as const).find((kind) =>
      action.endsWith(` ${kind}`),
    ) ?? "other"
  );
}
