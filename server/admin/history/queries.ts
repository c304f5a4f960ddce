import { type AnyColumn, and, eq, gte, inArray, isNull, lt, ne, or, sql } from "drizzle-orm";
import { QueryBuilder, unionAll } from "drizzle-orm/pg-core";
import { Temporal } from "temporal-polyfill";
import type { z } from "zod";
import type { Page } from "#contract/admin/admin.ts";
import type { AuditEntry, AuditFilter, AuditListQuery } from "#contract/admin/audit.ts";
import { announcements } from "#server/announcements/tables.ts";
import { auditLog } from "#server/audit/tables.ts";
import { startOfDate } from "#server/base/dates.ts";
import { lessons, modules, plans } from "#server/catalogue/tables.ts";
import { contacts } from "#server/contact/tables.ts";
import { coupons } from "#server/coupons/tables.ts";
import { searchForm } from "#server/db/columns.ts";
import type { Db } from "#server/db/db.ts";
import { containsWords, selectPage } from "#server/db/paging.ts";
import { users } from "#server/identity/tables.ts";
import { deleted } from "#server/identity/users.ts";
import { purchases } from "#server/purchases/tables.ts";
import { questionPosts } from "#server/questions/tables.ts";
import { courseResources } from "#server/resources/tables.ts";
import { academyZone } from "#server/settings/settings.ts";

export type AuditRow = typeof auditLog.$inferSelect;

export async function listAuditRows(db: Db, query: AuditListQuery): Promise<Page<AuditRow>> {
  const entries = db.select().from(auditLog).$dynamic();
  return selectPage(db, entries, {
    ...query,
    table: auditLog,
    id: auditLog.id,
    key: auditLog.createdAt,
    where: found(query, await academyZone(db)),
  });
}

function found({ actor, subject, action: words, from, to }: z.infer<typeof AuditFilter>, timeZone: string) {
  return and(
    actor ? or(eq(auditLog.actor, actor), inArray(auditLog.actor, peopleCalled(actor))) : undefined,
    subject
      ? or(
          eq(auditLog.subject, subject),
          inArray(auditLog.subject, peopleCalled(subject)),
          inArray(
            auditLog.subject,
            query
              .select({ id: purchases.id })
              .from(purchases)
              .where(inArray(purchases.userId, peopleCalled(subject))),
          ),
          inArray(
            auditLog.subject,
            query
              .select({ id: named.id })
              .from(named)
              .where(and(...containsWords(searchForm(sql`${named.name}`), subject))),
          ),
        )
      : undefined,
    ...containsWords(sql`lower(${auditLog.action})`, words),
    from ? gte(auditLog.createdAt, startOfDate(timeZone, from)) : undefined,
    to ? lt(auditLog.createdAt, startOfDate(timeZone, Temporal.PlainDate.from(to).add({ days: 1 }))) : undefined,
  );
}

const query = new QueryBuilder();

/** Subjects of entries other than people, with their names. */
const named = unionAll(
  query
    .select(nameColumns(purchases.id, "purchase", plans.name))
    .from(purchases)
    .innerJoin(plans, eq(plans.id, purchases.planId)),
  query.select(nameColumns(contacts.id, "contact", contacts.name)).from(contacts),
  query.select(nameColumns(modules.id, "module", modules.title)).from(modules),
  query.select(nameColumns(lessons.id, "lesson", lessons.title)).from(lessons),
  query
    .select(nameColumns(questionPosts.id, "question", questionPosts.title))
    .from(questionPosts)
    .where(isNull(questionPosts.questionId)),
  query.select(nameColumns(plans.id, "plan", plans.name)).from(plans),
  query.select(nameColumns(coupons.code, "coupon", coupons.code)).from(coupons),
  query.select(nameColumns(announcements.id, "announcement", announcements.subject)).from(announcements),
  query.select(nameColumns(courseResources.id, "resource", courseResources.title)).from(courseResources),
).as("named");

function nameColumns(id: AnyColumn, kind: AuditEntry["subjectKind"], name: AnyColumn) {
  return {
    id: sql<string>`${id}`.as("id"),
    kind: sql<AuditEntry["subjectKind"]>`${sql.raw(`'${kind}'`)}`.as("kind"),
    name: sql<string>`${name}`.as("name"),
  };
}

function peopleCalled(words: string) {
  return query
    .select({ id: users.id })
    .from(users)
    .where(and(ne(users.accountStatus, deleted), ...containsWords(users.searchText, words)));
}

/** The buyers of the subjects that are purchases. */
export function listBuyers(db: Db, ids: readonly string[]) {
  return db
    .select({ purchaseId: purchases.id, userId: purchases.userId })
    .from(purchases)
    .where(inArray(purchases.id, [...ids]));
}

export function listNames(db: Db, ids: readonly string[]) {
  return db
    .select()
    .from(named)
    .where(inArray(named.id, [...ids]));
}
