import { and, eq } from "drizzle-orm";
import type { OpeningRequest } from "#contract/lesson-pages.ts";
import { requireTier, tierInUse } from "#server/access/access.ts";
import { Refusal } from "#server/base/refusal.ts";
import { lessonById, opensAtOf } from "#server/catalogue/catalogue.ts";
import type { Context } from "#server/context/context.ts";
import type { Db } from "#server/db/db.ts";
import { lockLiveUser, type User } from "#server/identity/users.ts";
import { listOpeningRequestRows } from "./queries.ts";
import { openingRequests } from "./tables.ts";

export async function listOpeningRequestsOf(db: Db, userId: string): Promise<OpeningRequest[]> {
  const rows = await listOpeningRequestRows(db, userId);
  return rows.map(({ lessonId, createdAt }) => ({ lessonId, createdAt: createdAt.toISOString() }));
}

/** @throws Refusal not-found, tier-required, account-blocked; conflict when it is open, or nobody knows when it opens. */
export async function askForOpening(ctx: Context, student: User, lessonId: string): Promise<OpeningRequest[]> {
  const { lesson, module } = await lessonById(ctx, lessonId);
  if (!lesson.freePreview) await requireTier(ctx.db, student, await tierInUse(ctx, student), module.requiredTier);
  const now = ctx.clock.now();
  if (!opensAtOf(lesson, module, now)) {
    throw new Refusal("conflict", "This lesson has no opening date. It may be open already.");
  }
  return ctx.db.transaction(async (tx) => {
    await lockLiveUser(tx, student.id);
    await tx.insert(openingRequests).values({ userId: student.id, lessonId, createdAt: now }).onConflictDoNothing();
    return listOpeningRequestsOf(tx, student.id);
  });
}

export async function withdrawOpeningRequest(db: Db, userId: string, lessonId: string): Promise<OpeningRequest[]> {
  await db
    .delete(openingRequests)
    .where(and(eq(openingRequests.userId, userId), eq(openingRequests.lessonId, lessonId)));
  return listOpeningRequestsOf(db, userId);
}

export async function forgetOpeningRequests(tx: Db, userId: string): Promise<void> {
  await tx.delete(openingRequests).where(eq(openingRequests.userId, userId));
}
