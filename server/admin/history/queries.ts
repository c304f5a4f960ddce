import { and, eq, getColumns, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { AuditFilter, AuditListQuery } from "#contract/admin/audit.ts";
import { holdsWords, pageOf } from "#server/admin/paging.ts";
import { auditLog } from "#server/admin/tables.ts";
import { after, DAY } from "#server/base/clock.ts";
import { lessons, modules, plans } from "#server/catalogue/tables.ts";
import { contacts } from "#server/contact/tables.ts";
import type { Db } from "#server/db/db.ts";
import { users } from "#server/identity/tables.ts";
import { purchases } from "#server/purchases/tables.ts";
import { courseResources } from "#server/resources/tables.ts";

export type AuditRow = typeof auditLog.$inferSelect;

/** The log is append-only, and the release before wrote the repair of a discrepancy down as `mend`. */
const action = sql<string>`regexp_replace(${auditLog.action}, '^mend ', 'repair ')`;

export function listAuditRows(db: Db, query: Omit<AuditListQuery, "limit"> & { limit?: number }): Promise<AuditRow[]> {
  const page = pageOf(auditLog, auditLog.createdAt, "desc", query.after);
  const rows = db
    .select({ ...getColumns(auditLog), action })
    .from(auditLog)
    .where(and(found(query), page.where))
    .orderBy(...page.orderBy);
  return query.limit === undefined ? rows : rows.limit(query.limit);
}

export function countAuditRows(db: Db, filter: z.infer<typeof AuditFilter>): Promise<number> {
  return db.$count(auditLog, found(filter));
}

function found({ actor, subject, action: words, from, to }: z.infer<typeof AuditFilter>): SQL | undefined {
  return and(
    actor ? eq(auditLog.actor, actor) : undefined,
    subject ? eq(auditLog.subject, subject) : undefined,
    ...holdsWords(action, words),
    from ? gte(auditLog.createdAt, new Date(from)) : undefined,
    to ? lt(auditLog.createdAt, after(new Date(to), DAY)) : undefined,
  );
}

export function listPeople(db: Db, ids: readonly string[]) {
  return db
    .select({
      id: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      accountStatus: users.accountStatus,
    })
    .from(users)
    .where(inArray(users.id, [...ids]));
}

export async function listThings(db: Db, ids: readonly string[]) {
  const among = [...ids];
  const named = (kind: string, name: SQL) => ({ kind: sql<string>`${kind}`, name: sql<string>`${name}` });
  const lists = await Promise.all([
    db
      .select({ id: purchases.id, ...named("purchase", sql`${plans.name}`) })
      .from(purchases)
      .innerJoin(plans, eq(plans.id, purchases.planId))
      .where(inArray(purchases.id, among)),
    db
      .select({ id: contacts.id, ...named("contact", sql`${contacts.name}`) })
      .from(contacts)
      .where(inArray(contacts.id, among)),
    db
      .select({ id: modules.id, ...named("module", sql`${modules.title}`) })
      .from(modules)
      .where(inArray(modules.id, among)),
    db
      .select({ id: lessons.id, ...named("lesson", sql`${lessons.title}`) })
      .from(lessons)
      .where(inArray(lessons.id, among)),
    db
      .select({ id: plans.id, ...named("plan", sql`${plans.name}`) })
      .from(plans)
      .where(inArray(plans.id, among)),
    db
      .select({ id: courseResources.id, ...named("resource", sql`${courseResources.title}`) })
      .from(courseResources)
      .where(inArray(courseResources.id, among)),
  ]);
  return lists.flat();
}
