import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { roleMay } from "#contract/permissions.ts";
import { hasAuditEntry, recordAudit } from "#server/audit/audit.ts";
import { after, MINUTE } from "#server/base/clock.ts";
import { Refusal } from "#server/base/refusal.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import { defineJob, scheduleJob } from "#server/jobs/jobs.ts";
import { type SessionData, sessions } from "../tables.ts";
import { deleted, liveUserById, roleOf, suspended, type User } from "../users.ts";

const lasts = 15 * MINUTE;

/** An administrator who sees the academy as a student. */
export interface Seeing {
  readonly by: User;
  readonly endsAt: Date;
}

interface Seer {
  readonly user: User;
  readonly sid: string;
}

export const endSeeingJob = defineJob(
  "end-seeing",
  z.object({ id: z.string(), sid: z.string(), actorId: z.string(), studentId: z.string() }),
);

/**
 * From now on the session reads as the student.
 * @throws Refusal not-found; not-allowed, for the team and suspended accounts; conflict while it reads as one already
 */
export async function startSeeing(
  ctx: Context,
  { user: actor, sid }: Seer,
  { userId, reason }: { readonly userId: string; readonly reason?: string | undefined },
): Promise<void> {
  const student = await liveUserById(ctx.db, userId);
  if (student.accountStatus === suspended) {
    throw new Refusal("not-allowed", "This account is suspended, so there’s nothing to see. Reactivate it first.");
  }
  if (!(await isStudentOnly(ctx, student))) {
    throw new Refusal("not-allowed", "This is an account of your team. You can only see the academy as a student.");
  }
  const now = ctx.clock.now();
  const seeing = { id: newId(), userId, endsAt: after(now, lasts).toISOString() };
  await ctx.db.transaction(async (tx) => {
    await requireNotSeeing(tx, sid, now);
    await mergeIntoSession(tx, sid, { seeing });
    await recordAudit(tx, { actor: actor.id, action: "see as student", subject: userId, reason }, now);
    const data = { id: seeing.id, sid, actorId: actor.id, studentId: userId };
    await scheduleJob(tx, endSeeingJob, { data, key: seeing.id, runAt: after(now, lasts), now });
  });
}

/** Against calls that were admitted before seeing began: the last of them would prolong it. */
async function requireNotSeeing(tx: Db, sid: string, now: Date): Promise<void> {
  const [row] = await tx.select({ sess: sessions.sess }).from(sessions).where(eq(sessions.sid, sid)).for("update");
  if (!row) throw new Refusal("not-signed-in", "Please sign in.");
  const { seeing } = row.sess;
  if (!seeing || new Date(seeing.endsAt) <= now) return;
  throw new Refusal("conflict", "You’re already seeing the academy as a student. Stop first.");
}

/** Safe to repeat. */
export async function stopSeeing(
  ctx: Context,
  { sid }: { readonly sid: string },
  session: SessionData,
  how: "stopped" | "signed out",
): Promise<void> {
  const { seeing, userId: actorId } = session;
  if (!seeing) return;
  await ctx.db.transaction(async (tx) => {
    const sess = sql`(${sessions.sess}::jsonb - 'seeing')::json`;
    const isSame = sql`${sessions.sess} -> 'seeing' ->> 'id' = ${seeing.id}`;
    await tx
      .update(sessions)
      .set({ sess })
      .where(and(eq(sessions.sid, sid), isSame));
    await recordEnd(tx, { id: seeing.id, actorId, studentId: seeing.userId }, how, ctx.clock.now());
  });
}

/** Records the end of what nobody stopped. */
export async function endSeeing(ctx: Context, data: z.output<typeof endSeeingJob.schema>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const isOpen = (await tx.$count(sessions, eq(sessions.sid, data.sid))) > 0;
    await recordEnd(tx, data, isOpen ? "15 minutes were over" : "the sign-in had ended", ctx.clock.now());
  });
}

/** The entry has the id of the seeing, so that an end is recorded once. */
async function recordEnd(
  tx: Db,
  { id, actorId, studentId }: { readonly id: string; readonly actorId: string; readonly studentId: string },
  how: string,
  now: Date,
): Promise<void> {
  if (await hasAuditEntry(tx, id)) return;
  const entry = { id, actor: actorId, action: "stop seeing as student", subject: studentId };
  await recordAudit(tx, { ...entry, after: { because: how } }, now);
}

/** Whom the session shows the academy as; null when it has ended, or when either side may no longer. */
export async function findSeen(
  ctx: Context,
  { user, session, student }: { readonly user: User; readonly session: SessionData; readonly student: User | null },
  now: Date,
): Promise<{ readonly student: User; readonly seeing: Seeing } | null> {
  const endsAt = new Date(session.seeing?.endsAt ?? 0);
  if (!student || endsAt <= now || !roleMay(roleOf(ctx, user), "people:see-as")) return null;
  if (student.accountStatus === deleted || student.accountStatus === suspended) return null;
  return (await isStudentOnly(ctx, student)) ? { student, seeing: { by: user, endsAt } } : null;
}

/** Coaches have a desk with what students wrote, also former ones with sessions left. */
async function isStudentOnly(ctx: Context, user: User): Promise<boolean> {
  return user.role === null && roleOf(ctx, user) === null && (await ctx.coachOf(user)) === null;
}

/** Leaves alone what another request has written into the session since it was read. */
export async function mergeIntoSession(
  db: Db,
  sid: string,
  part: Partial<SessionData>,
  columns: { readonly expire?: Date } = {},
): Promise<void> {
  const sess = sql`(${sessions.sess}::jsonb || ${JSON.stringify(part)}::jsonb)::json`;
  await db
    .update(sessions)
    .set({ sess, ...columns })
    .where(eq(sessions.sid, sid));
}
