import { builtInEmails } from "#content/emails.ts";
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
  const [names, buyers] = await Promise.all([find.listNames(ctx.db, subjects), find.listBuyers(ctx.db, subjects)]);
  const buyerOf = new Map(buyers.map(({ purchaseId, userId }) => [purchaseId, userId]));
  const people = await listPeople(ctx.db, [
    ...new Set([...rows.map(({ actor }) => actor), ...subjects, ...buyerOf.values()]),
  ]);
  const personOf = new Map(people.map((person) => [person.id, person]));
  const namedOf = new Map(names.map((named) => [named.id, named]));
  return rows.map((row) => {
    const named = namedOf.get(row.subject);
    const subject = personOf.get(row.subject);
    const buyer = buyerOf.get(row.subject);
    return {
      ...row,
      actorName: row.actor === "system" ? "system" : nameOf(personOf.get(row.actor) ?? null),
      subjectKind: subject ? "user" : (named?.kind ?? kindByAction(row.action)),
      subjectName: subject
        ? nameOf(subject)
        : named && buyer
          ? `${nameOf(personOf.get(buyer) ?? null)}’s ${named.name}`
          : (named?.name ?? emailOf(row) ?? claimOf(row)),
      before: row.before ?? null,
      after: row.after ?? null,
      createdAt: row.createdAt.toISOString(),
    };
  });
}

function emailOf({ action, subject }: find.AuditRow): string | null {
  const emails: Readonly<Record<string, { readonly name: string }>> = builtInEmails;
  return action.endsWith(" email") ? (emails[subject]?.name ?? null) : null;
}

/** The words of a claim, whose id names nothing. */
function claimOf({ before, after }: find.AuditRow): string | null {
  const { claimText } = { ...(before as object | null), ...(after as object | null) } as { claimText?: string };
  return claimText ? `“${claimText}”` : null;
}

/** The kind of a subject without a row, derived from the action. */
function kindByAction(action: string): AuditEntry["subjectKind"] {
  if (action.startsWith("repair ")) return "discrepancy";
  if (action.endsWith(" message")) return "contact";
  return (
    (["module", "lesson", "offer", "settings", "copy", "email", "coupon", "claim"] as const).find((kind) =>
      action.endsWith(` ${kind}`),
    ) ?? "other"
  );
}
