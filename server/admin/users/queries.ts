import { and, asc, desc, eq, isNull, lte, max, ne, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { UserSelection } from "#contract/admin/bulk-actions.ts";
import type { UserFilter, UserListQuery } from "#contract/admin/users.ts";
import { lessons, modules } from "#server/catalogue/tables.ts";
import { contacts } from "#server/contact/tables.ts";
import { type Db, rowsOf } from "#server/db/db.ts";
import { containsWords, isInSelection, type RowSelection, selectRows } from "#server/db/paging.ts";
import { identities, users } from "#server/identity/tables.ts";
import { deleted, type User } from "#server/identity/users.ts";
import { sentEmails } from "#server/mail/tables.ts";
import { countedCharges, paymentAttempts } from "#server/payments/tables.ts";
import { courseProgress } from "#server/progress/tables.ts";
import { purchases } from "#server/purchases/tables.ts";
import { returns } from "#server/refunds/refunds.ts";
import { refunds } from "#server/refunds/tables.ts";
import { courseResources, resourceDownloads } from "#server/resources/tables.ts";

/** Without deleted accounts. */
export async function listUserRows(db: Db, query: UserListQuery & RowSelection): Promise<User[]> {
  return selectRows(db, db.select().from(users).$dynamic(), {
    ...query,
    table: users,
    id: users.id,
    key: sortKeys[query.sort],
    direction: query.order ?? (query.sort === "createdAt" ? "desc" : "asc"),
    where: and(found(query), isInSelection(users.id, query)),
  });
}

/** The columns that eligibility for a bulk action depends on. */
export type Candidate = Pick<User, "id" | "email" | "emailVerified" | "purchasedTier" | "accountStatus" | "role">;

/** The selected users, oldest accounts first, without those who joined after `until`. */
export function listSelectedRows(db: Db, selection: UserSelection, until: Date, limit: number): Promise<Candidate[]> {
  const { id, email, emailVerified, purchasedTier, accountStatus, role } = users;
  return db
    .select({ id, email, emailVerified, purchasedTier, accountStatus, role })
    .from(users)
    .where(and(isSelected(selection), lte(users.createdAt, until)))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(limit);
}

export function countSelectedRows(db: Db, selection: UserSelection): Promise<number> {
  return db.$count(users, isSelected(selection));
}

function isSelected(selection: UserSelection): SQL | undefined {
  return and(found("filter" in selection ? selection.filter : {}), isInSelection(users.id, selection));
}

export function countUserRows(db: Db, query: z.infer<typeof UserFilter> & RowSelection): Promise<number> {
  return db.$count(users, and(found(query), isInSelection(users.id, query)));
}

const sortKeys = {
  createdAt: users.createdAt,
  email: sql`lower(${users.email})`,
  name: sql`lower(coalesce(${users.lastName}, '') || ' ' || coalesce(${users.firstName}, ''))`,
  tier: sql`case ${users.purchasedTier} when 'basic' then 1 when 'premium' then 2 when 'vip' then 3 else 0 end`,
  status: users.accountStatus,
};

function found({ search, tier, status }: z.infer<typeof UserFilter>): SQL | undefined {
  const ofTier = tier && (tier === "none" ? isNull(users.purchasedTier) : eq(users.purchasedTier, tier));
  return and(
    ne(users.accountStatus, deleted),
    ofTier,
    status && eq(users.accountStatus, status),
    ...containsWords(users.searchText, search),
  );
}

interface Payments {
  readonly paidCents: number;
  /** Of these. Includes voids and disputes. */
  readonly refundedCents: number;
}

/** By user. Those who never paid are missing. */
export async function sumPayments(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, Payments>> {
  const isTheirs = sql`user_id = any(${sql.param([...userIds])})`;
  const rows = await rowsOf<Payments & { userId: string }>(
    db,
    sql`select user_id as "userId", sum(paid)::float8 as "paidCents", sum(refunded)::float8 as "refundedCents" from (
      select user_id, cents as paid, 0 as refunded from ${countedCharges} where ${isTheirs}
      union all
      select user_id, 0, amount * 100 from ${returns} as refund where ${isTheirs}
    ) as moved group by 1`,
  );
  return new Map(rows.map(({ userId, ...payments }) => [userId, payments]));
}

export function listAttemptsOfUser(db: Db, userId: string) {
  return db
    .select({ attempt: paymentAttempts })
    .from(paymentAttempts)
    .innerJoin(purchases, eq(purchases.id, paymentAttempts.purchaseId))
    .where(eq(purchases.userId, userId))
    .orderBy(desc(paymentAttempts.sentAt))
    .limit(100);
}

export function listRefundsOfUser(db: Db, userId: string) {
  return db
    .select({ refund: refunds })
    .from(refunds)
    .innerJoin(purchases, eq(purchases.id, refunds.purchaseId))
    .where(eq(purchases.userId, userId))
    .orderBy(desc(refunds.sentAt));
}

export function listDownloadsOfUser(db: Db, userId: string) {
  return db
    .select({
      resourceId: resourceDownloads.resourceId,
      title: courseResources.title,
      downloadedAt: resourceDownloads.downloadedAt,
    })
    .from(resourceDownloads)
    .innerJoin(courseResources, eq(courseResources.id, resourceDownloads.resourceId))
    .where(eq(resourceDownloads.userId, userId))
    .orderBy(desc(resourceDownloads.downloadedAt), desc(resourceDownloads.id))
    .limit(50);
}

export function listEmailsOfUser(db: Db, userId: string) {
  return db
    .select({ id: sentEmails.id, kind: sentEmails.kind, subject: sentEmails.subject, sentAt: sentEmails.sentAt })
    .from(sentEmails)
    .where(eq(sentEmails.userId, userId))
    .orderBy(desc(sentEmails.sentAt), desc(sentEmails.id))
    .limit(50);
}

/** Lessons with progress, in the order of the course. */
export function listBegunLessons(db: Db, userId: string): Promise<{ lessonId: string; title: string }[]> {
  return db
    .select({ lessonId: lessons.id, title: lessons.title })
    .from(courseProgress)
    .innerJoin(lessons, eq(lessons.id, courseProgress.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(eq(courseProgress.userId, userId))
    .orderBy(modules.position, lessons.position);
}

export function listMessagesFrom(db: Db, email: string) {
  return db
    .select({ id: contacts.id, message: contacts.message, state: contacts.state, createdAt: contacts.createdAt })
    .from(contacts)
    .where(eq(sql`lower(${contacts.email})`, email.toLowerCase()))
    .orderBy(desc(contacts.createdAt))
    .limit(50);
}

export function listSignIns(db: Db, userId: string) {
  return db
    .select({ issuer: identities.issuer, lastSignInAt: max(identities.lastSignInAt) })
    .from(identities)
    .where(eq(identities.userId, userId))
    .groupBy(identities.issuer);
}
