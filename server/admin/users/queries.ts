import { and, asc, desc, eq, inArray, isNull, lte, max, ne, not, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { blockedStatuses } from "#contract/access.ts";
import type { UserSelection } from "#contract/admin/bulk-actions.ts";
import type { UserFilter, UserListQuery } from "#contract/admin/users.ts";
import { selectEnding } from "#server/access/access.ts";
import { after, DAY } from "#server/base/clock.ts";
import { dateIn, startOfDate } from "#server/base/dates.ts";
import { lessons, modules } from "#server/catalogue/tables.ts";
import { contacts } from "#server/contact/tables.ts";
import { isOneOf } from "#server/db/columns.ts";
import { type Db, rowsOf } from "#server/db/db.ts";
import { containsWords, isInSelection, type RowSelection, selectRows } from "#server/db/paging.ts";
import { identities, users } from "#server/identity/tables.ts";
import { deleted, type User } from "#server/identity/users.ts";
import { sentEmails } from "#server/mail/tables.ts";
import { type AttemptRow, countedCharges, paymentAttempts } from "#server/payments/tables.ts";
import { courseProgress } from "#server/progress/tables.ts";
import { purchases } from "#server/purchases/tables.ts";
import { returns } from "#server/refunds/refunds.ts";
import { refunds } from "#server/refunds/tables.ts";
import { courseResources, resourceDownloads } from "#server/resources/tables.ts";
import { academyZone } from "#server/settings/settings.ts";
import { renewingStatuses } from "#server/subscriptions/subscriptions.ts";
import { subscriptions } from "#server/subscriptions/tables.ts";

/** Without deleted accounts. */
export async function listUserRows(db: Db, query: UserListQuery & RowSelection, now: Date): Promise<User[]> {
  return selectRows(db, db.select().from(users).$dynamic(), {
    ...query,
    table: users,
    id: users.id,
    key: sortKeys[query.sort],
    direction: query.order ?? (query.sort === "createdAt" ? "desc" : "asc"),
    where: and(await found(db, query, now), isInSelection(users.id, query)),
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
  const chosen = await found(db, "filter" in selection ? selection.filter : {}, now);
  return and(chosen, isInSelection(users.id, selection));
}

export async function countUserRows(
  db: Db,
  query: z.infer<typeof UserFilter> & RowSelection,
  now: Date,
): Promise<number> {
  return db.$count(users, and(await found(db, query, now), isInSelection(users.id, query)));
}

/** Without deleted accounts. */
export function countDeclinedUsers(db: Db, span: DeclinedIn): Promise<number> {
  return db.$count(users, and(ne(users.accountStatus, deleted), isDeclinedIn(span)));
}

const sortKeys = {
  createdAt: users.createdAt,
  email: sql`lower(${users.email})`,
  name: sql`lower(coalesce(${users.lastName}, '') || ' ' || coalesce(${users.firstName}, ''))`,
  tier: sql`case ${users.purchasedTier} when 'basic' then 1 when 'premium' then 2 when 'vip' then 3 else 0 end`,
  status: users.accountStatus,
};

async function found(db: Db, { search, tier, status, show }: z.infer<typeof UserFilter>, now: Date) {
  const ofTier = tier && (tier === "none" ? isNull(users.purchasedTier) : eq(users.purchasedTier, tier));
  return and(
    ne(users.accountStatus, deleted),
    ofTier,
    status &&
      (status === "blocked" ? inArray(users.accountStatus, [...blockedStatuses]) : eq(users.accountStatus, status)),
    show && isShown[show](now, await academyZone(db)),
    ...containsWords(users.searchText, search),
  );
}

type Shown = NonNullable<z.infer<typeof UserFilter>["show"]>;

const isShown: Readonly<Record<Shown, (now: Date, timeZone: string) => SQL | undefined>> = {
  "declined-today": (now, zone) => isDeclinedIn({ from: startOfDate(zone, dateIn(zone, now)), end: after(now, DAY) }),
  "declined-this-month": (now, zone) =>
    isDeclinedIn({ from: startOfDate(zone, dateIn(zone, now).with({ day: 1 })), end: after(now, DAY) }),
  "declined-last-month-to-date": (now, zone) => {
    const last = dateIn(zone, now).subtract({ months: 1 });
    return isDeclinedIn({
      from: startOfDate(zone, last.with({ day: 1 })),
      end: startOfDate(zone, last.add({ days: 1 })),
    });
  },
  "ends-soon": (now) => and(sql`${users.id} in ${selectEnding(now, after(now, endsSoon))}`, not(renews)),
};

const endsSoon = 30 * DAY;

const renews = sql`exists (
  select from ${subscriptions} as renewing
  where renewing.user_id = ${users.id} and renewing.is_paid and ${isOneOf(sql`renewing.status`, renewingStatuses)}
)`;

interface DeclinedIn {
  readonly from: Date;
  /** Exclusive. */
  readonly end: Date;
}

function isDeclinedIn({ from, end }: DeclinedIn): SQL {
  return sql`${users.id} in (
    select user_id from ${paymentAttempts} where state = 'declined' and sent_at >= ${from} and sent_at < ${end}
  )`;
}

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
