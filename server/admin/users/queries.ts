import { and, asc, desc, eq, lte, max, type SQL, sql } from "drizzle-orm";
import type { UserSelection } from "#contract/admin/bulk-actions.ts";
import type { UserFilter, UserListQuery } from "#contract/admin/users.ts";
import { lessons, modules } from "#server/catalogue/tables.ts";
import { contacts } from "#server/contact/tables.ts";
import { type Db, rowsOf } from "#server/db/db.ts";
import { isInSelection, type RowSelection, selectRows } from "#server/db/paging.ts";
import { identities, users } from "#server/identity/tables.ts";
import type { User } from "#server/identity/users.ts";
import { sentEmails } from "#server/mail/tables.ts";
import { type AttemptRow, countedCharges, paymentAttempts } from "#server/payments/tables.ts";
import { usersIn } from "#server/people/filter/queries.ts";
import { courseProgress } from "#server/progress/tables.ts";
import { purchases } from "#server/purchases/tables.ts";
import { returns } from "#server/refunds/refunds.ts";
import { refunds } from "#server/refunds/tables.ts";
import { courseResources, resourceDownloads } from "#server/resources/tables.ts";

/** Without deleted accounts. */
export async function listUserRows(db: Db, query: UserListQuery & RowSelection, now: Date): Promise<User[]> {
  return selectRows(db, db.select().from(users).$dynamic(), {
    ...query,
    table: users,
    id: users.id,
    key: sortKeys[query.sort],
    direction: query.order ?? (query.sort === "createdAt" ? "desc" : "asc"),
    where: and(await usersIn(db, query, now), isInSelection(users.id, query)),
  });
}

/** The columns that eligibility for a bulk action depends on. */
export type Candidate = Pick<User, "id" | "email" | "emailVerified" | "purchasedTier" | "accountStatus" | "role">;

/** The selected users at `until`, oldest accounts first. */
export async function listSelectedRows(
  db: Db,
  selection: UserSelection,
  until: Date,
  limit: number,
): Promise<Candidate[]> {
  const { id, email, emailVerified, purchasedTier, accountStatus, role } = users;
  return db
    .select({ id, email, emailVerified, purchasedTier, accountStatus, role })
    .from(users)
    .where(and(await isSelected(db, selection, until), lte(users.createdAt, until)))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(limit);
}

export async function countSelectedRows(db: Db, selection: UserSelection, now: Date): Promise<number> {
  return db.$count(users, await isSelected(db, selection, now));
}

async function isSelected(db: Db, selection: UserSelection, now: Date): Promise<SQL | undefined> {
  const chosen = await usersIn(db, "filter" in selection ? selection.filter : {}, now);
  return and(chosen, isInSelection(users.id, selection));
}

export async function countUserRows(db: Db, query: UserFilter & RowSelection, now: Date): Promise<number> {
  return db.$count(users, and(await usersIn(db, query, now), isInSelection(users.id, query)));
}

const sortKeys = {
  createdAt: users.createdAt,
  email: sql`lower(${users.email})`,
  name: sql`lower(coalesce(${users.lastName}, '') || ' ' || coalesce(${users.firstName}, ''))`,
  tier: sql`case ${users.purchasedTier} when 'basic' then 1 when 'premium' then 2 when 'vip' then 3 else 0 end`,
  status: users.accountStatus,
};

export interface LastAttempt {
  readonly userId: string;
  readonly state: AttemptRow["state"];
  readonly sentAt: Date;
}

/** The last payment attempt of each of these users, without those who never paid. */
export async function listLastAttempts(db: Db, userIds: readonly string[]): Promise<LastAttempt[]> {
  const { state, sentAt } = paymentAttempts;
  return db
    .selectDistinctOn([purchases.userId], { userId: purchases.userId, state, sentAt })
    .from(purchases)
    .innerJoin(paymentAttempts, eq(paymentAttempts.purchaseId, purchases.id))
    .where(sql`${purchases.userId} = any(${sql.param([...userIds])})`)
    .orderBy(purchases.userId, desc(sentAt));
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

/** The card of the last charge. */
export async function findLastCard(db: Db, userId: string) {
  const { brand, last4, state, sentAt } = paymentAttempts;
  const [row] = await db
    .select({ brand, last4 })
    .from(paymentAttempts)
    .innerJoin(purchases, eq(purchases.id, paymentAttempts.purchaseId))
    .where(and(eq(purchases.userId, userId), eq(state, "approved")))
    .orderBy(desc(sentAt))
    .limit(1);
  return row ?? null;
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
