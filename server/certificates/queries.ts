import { and, eq, inArray, isNotNull, isNull, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { checkQuestions, isOpenAt, isWatchable, lessons, modules } from "#server/catalogue/tables.ts";
import { checkAnswers, checkPasses } from "#server/checks/tables.ts";
import { type Db, rowsOf } from "#server/db/db.ts";
import { courseProgress } from "#server/progress/tables.ts";
import { purchases } from "#server/purchases/tables.ts";
import { refunds } from "#server/refunds/tables.ts";
import type { RequiredLesson } from "./rules.ts";
import { certificates, erasedCertificates } from "./tables.ts";

/** The lessons that students can complete now, up to a module, in the order of the course. */
export function listRequiredLessons(
  db: Db,
  { userId, upToModule, now }: { userId: string; upToModule: number; now: Date },
): Promise<RequiredLesson[]> {
  return rowsOf(
    db,
    sql`select ${lessons.id} as "lessonId", ${lessons.title} as title,
      ${modules.position} as "modulePosition", ${modules.title} as "moduleTitle",
      coalesce(${courseProgress.isCompleted}
        and (${lessons.kind} = 'text' or ${courseProgress.completedBy} in ('coverage', 'reading')), false) as "isWatched",
      coalesce(${courseProgress.watchTime} + ${courseProgress.earlierWatchTime}, 0)::float8 as "secondsWatched",
      case when asked.are_right is not null then ${checkPasses.isUnaided} is true or asked.are_right end as "hasPassed"
    from ${lessons}
      join ${modules} on ${modules.id} = ${lessons.moduleId}
      left join ${courseProgress} on ${courseProgress.lessonId} = ${lessons.id} and ${courseProgress.userId} = ${userId}
      left join ${checkPasses} on ${checkPasses.lessonId} = ${lessons.id} and ${checkPasses.userId} = ${userId}
      cross join lateral (
        select bool_and(coalesce(${checkAnswers.isRight} and not ${checkAnswers.wasShown}, false)) as are_right
        from ${checkQuestions} left join ${checkAnswers} on ${checkAnswers.userId} = ${userId}
          and (${checkAnswers.lessonId}, ${checkAnswers.questionId}, ${checkAnswers.version})
            = (${checkQuestions.lessonId}, ${checkQuestions.questionId}, ${checkQuestions.version})
        where ${checkQuestions.lessonId} = ${lessons.id} and ${checkQuestions.position} is not null
      ) as asked
    where ${and(isWatchable, isOpenAt(now), lte(modules.position, upToModule))}
    order by ${modules.position}, ${lessons.position}, ${lessons.id}`,
  );
}

/**
 * When the student's money went back after `since`: a dispute that was lost, or all that was paid. Null while there is
 * none, something is kept, or the student has paid again.
 */
function returnedAt(userId: SQLWrapper, since: SQLWrapper) {
  const at = sql`coalesce(${refunds.resolvedAt}, ${refunds.sentAt})`;
  return sql`(
    select max(${at}) from ${refunds}
    where ${refunds.userId} = ${userId} and ${refunds.state} = 'returned' and ${at} > coalesce(${since}, '-infinity')
      and not exists (
        select 1 from ${purchases} where ${purchases.userId} = ${userId} and ${purchases.status} = 'completed'
          and (not ${refunds.isDispute} or ${purchases.completedAt} > ${at})
      )
  )`;
}

export async function hasReturnedMoney(db: Db, userId: string): Promise<boolean> {
  const isReturned = sql`${returnedAt(sql`${userId}::text`, sql`null::timestamptz`)} is not null`;
  const [row] = await rowsOf<{ isReturned: boolean }>(db, sql`select ${isReturned} as "isReturned"`);
  return row?.isReturned ?? false;
}

const withdrawnAt = sql`least(${certificates.withdrawnAt}, ${returnedAt(certificates.userId, certificates.restoredAt)})`;

const shown = {
  userId: certificates.userId,
  code: certificates.code,
  name: certificates.name,
  pastNames: certificates.pastNames,
  facts: certificates.facts,
  issuedAt: certificates.issuedAt,
  withdrawnAt: withdrawnAt.mapWith(certificates.withdrawnAt) as SQL<Date | null>,
};

export type CertificateRow = Omit<typeof certificates.$inferSelect, "restoredAt" | "withdrawalToldAt">;

export async function findCertificate(
  db: Db,
  by: { readonly userId: string } | { readonly code: string },
): Promise<CertificateRow | null> {
  const is = "userId" in by ? eq(certificates.userId, by.userId) : eq(certificates.code, by.code);
  const [row] = await db.select(shown).from(certificates).where(is);
  return row ?? null;
}

/** Certificates that have lost their validity with the money, whose students do not know yet. */
export function lockUntoldWithdrawals(tx: Db, limit: number): Promise<CertificateRow[]> {
  const returned = tx.select({ userId: refunds.userId }).from(refunds).where(eq(refunds.state, "returned"));
  return tx
    .select(shown)
    .from(certificates)
    .where(
      and(
        ...[isNull(certificates.withdrawalToldAt), isNull(certificates.withdrawnAt)],
        ...[inArray(certificates.userId, returned), isNotNull(withdrawnAt)],
      ),
    )
    .limit(limit)
    .for("update", { of: certificates, skipLocked: true });
}

/** A certificate that is valid again, as after a dispute was won, can be withdrawn once more. */
export async function forgetEndedWithdrawals(db: Db): Promise<void> {
  await db
    .update(certificates)
    .set({ withdrawalToldAt: null })
    .where(and(isNotNull(certificates.withdrawalToldAt), isNull(withdrawnAt)));
}

export async function insertCertificate(
  tx: Db,
  row: Pick<CertificateRow, "userId" | "code" | "name" | "facts" | "issuedAt">,
): Promise<void> {
  await tx.insert(certificates).values(row);
}

export async function updateCertificate(
  tx: Db,
  userId: string,
  set: Partial<typeof certificates.$inferInsert>,
): Promise<void> {
  await tx.update(certificates).set(set).where(eq(certificates.userId, userId));
}

export async function eraseCertificate(tx: Db, userId: string, hashOf: (code: string) => string, now: Date) {
  const [erased] = await tx
    .delete(certificates)
    .where(eq(certificates.userId, userId))
    .returning({ code: certificates.code });
  if (erased) await tx.insert(erasedCertificates).values({ codeHash: hashOf(erased.code), erasedAt: now });
}

export async function wasErased(db: Db, codeHash: string): Promise<boolean> {
  return (await db.$count(erasedCertificates, eq(erasedCertificates.codeHash, codeHash))) > 0;
}
