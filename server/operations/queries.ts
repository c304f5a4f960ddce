import { and, eq, isNotNull, isNull, lte, max, not, notExists, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { catalogue } from "#content/catalogue.ts";
import { plans as builtInPlans } from "#content/plans.ts";
import { builtInSettings } from "#content/site.ts";
import { after, MINUTE } from "#server/base/clock.ts";
import { isWatchable, lessonCues, lessons, modules, plans } from "#server/catalogue/tables.ts";
import { type Db, rowsOf } from "#server/db/db.ts";
import { isInLane } from "#server/jobs/jobs.ts";
import { jobs } from "#server/jobs/tables.ts";
import { sentEmails } from "#server/mail/tables.ts";
import { countUnknown } from "#server/payments/attempts.ts";
import { purchases } from "#server/purchases/tables.ts";
import { webhooks } from "#server/reconciliation/tables.ts";
import { currentSettings } from "#server/settings/settings.ts";

export function dbOf(client: pg.ClientBase): Db {
  return drizzle({ client: client as pg.Client, paramsInErrors: false });
}

/** Of those and of everybody with a role. The issuer's tables are named by hand, since nothing here may import it. */
export async function listWithoutSecondFactor(db: Db, emails: readonly string[]): Promise<string[]> {
  const { rows } = (await db.execute(sql`
    select lower(a.email) as email from issuer.accounts a
    left join issuer.second_factors f on f.subject = a.subject and f.confirmed_at is not null
    where f.subject is null and (lower(a.email) = any(${sql.param(emails.map((email) => email.toLowerCase()))})
      or lower(a.email) in (select lower(email) from users where role is not null))
    order by 1`)) as { rows: { email: string }[] };
  return rows.map(({ email }) => email);
}

export interface Backlog {
  readonly failedJobs: readonly string[];
  readonly overdueJobs: number;
  /** The overdue ones, once an academy has had as much time to do them. */
  readonly lateJobs: number;
  /** For a quarter of an hour. */
  readonly unknownPayments: number;
}

/** @param jobLimit how long jobs may wait, in milliseconds */
export async function readBacklog(db: Db, now: Date, jobLimit = 5 * MINUTE): Promise<Backlog> {
  const failed = await db.selectDistinct({ name: jobs.name }).from(jobs).where(isNotNull(jobs.failedAt));
  const overdueJobs = await db.$count(
    jobs,
    and(isNull(jobs.failedAt), lte(jobs.runAt, after(now, -jobLimit)), not(isInLane("video"))),
  );
  return {
    failedJobs: failed.map(({ name }) => name),
    overdueJobs,
    lateJobs: overdueJobs > 0 && (await hasRunFor(db, jobLimit)) ? overdueJobs : 0,
    unknownPayments: await countUnknown(db, after(now, -15 * MINUTE)),
  };
}

/** Nodes read jobs each second, over connections that they keep as long as they run. */
async function hasRunFor(db: Db, milliseconds: number): Promise<boolean> {
  const oldConnections = sql`
    select from pg_stat_activity where datname = current_database() and application_name = 'academy'
      and backend_start <= clock_timestamp() - ${milliseconds} * interval '1 millisecond' limit 1`;
  return (await rowsOf(db, oldConnections)).length > 0;
}

export async function findLastWebhook(db: Db): Promise<Date | null> {
  const [row] = await db.select({ last: max(webhooks.receivedAt) }).from(webhooks);
  return row?.last ?? null;
}

export async function findLastEmail(db: Db): Promise<Date | null> {
  const [row] = await db.select({ last: max(sentEmails.sentAt) }).from(sentEmails);
  return row?.last ?? null;
}

/** Titles, in the order of the course. */
export async function listLessonsWithoutCaptions(db: Db): Promise<string[]> {
  const captions = db.select({ one: sql`1` }).from(lessonCues).where(eq(lessonCues.lessonId, lessons.id));
  const rows = await db
    .select({ title: lessons.title })
    .from(lessons)
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(and(isWatchable, eq(lessons.kind, "video"), notExists(captions)))
    .orderBy(modules.position, lessons.position);
  return rows.map(({ title }) => title);
}

export async function hasOwnName(db: Db): Promise<boolean> {
  return (await currentSettings(db)).name !== builtInSettings.name;
}

export async function hasLogo(db: Db): Promise<boolean> {
  return (await currentSettings(db)).logo !== null;
}

/** Whether a plan says something else than when the academy was made. */
export async function hasOwnPlan(db: Db): Promise<boolean> {
  const rows = await db.select().from(plans).where(eq(plans.isActive, true));
  return rows.some(({ id, name, price, description }) => {
    const built = builtInPlans.find((plan) => plan.id === id);
    return built?.name !== name || built.priceCents !== price || built.description !== description;
  });
}

/** Whether students can open a lesson that didn't come with the software, or one with another video. */
export async function hasOwnLesson(db: Db): Promise<boolean> {
  const rows = await db
    .select({ id: lessons.id, videoId: lessons.videoId })
    .from(lessons)
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(isWatchable);
  const built = new Map(catalogue.flatMap((module) => module.lessons.map(({ id, videoId }) => [id, videoId] as const)));
  return rows.some(({ id, videoId }) => built.get(id) !== videoId);
}

export async function hasSold(db: Db): Promise<boolean> {
  return (await db.$count(purchases, eq(purchases.status, "completed"))) > 0;
}
