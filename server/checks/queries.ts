import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { type CheckQuestion, maxOptions } from "#contract/admin/check-content.ts";
import { checkQuestions, lessons, modules } from "#server/catalogue/tables.ts";
import { type Db, rowsOf } from "#server/db/db.ts";
import { checkAnswers, checkPasses } from "./tables.ts";

export type AnswerRow = Pick<typeof checkAnswers.$inferSelect, "given" | "isRight" | "wasShown">;

/** A student's answers to a lesson's questions, to all versions of them. */
export function listAnswers(db: Db, userId: string, lessonId: string) {
  const { questionId, version, given, isRight, wasShown } = checkAnswers;
  return db
    .select({ questionId, version, given, isRight, wasShown })
    .from(checkAnswers)
    .where(and(eq(checkAnswers.userId, userId), eq(checkAnswers.lessonId, lessonId)));
}

const isAnswered = and(
  eq(checkQuestions.lessonId, checkAnswers.lessonId),
  eq(checkQuestions.questionId, checkAnswers.questionId),
  eq(checkQuestions.version, checkAnswers.version),
  isNotNull(checkQuestions.position),
);

/** The released lessons with a check, each with whether the student has passed it, now or before it changed. */
export function listChecksFor(db: Db, userId: string): Promise<{ lessonId: string; isPassed: boolean }[]> {
  return rowsOf(
    db,
    sql`select ${checkQuestions.lessonId} as "lessonId", bool_and(${checkPasses.userId} is not null
      or coalesce(${checkAnswers.isRight} or ${checkAnswers.wasShown}, false)) as "isPassed"
    from ${checkQuestions}
      join ${lessons} on ${lessons.id} = ${checkQuestions.lessonId} and ${lessons.released}
      join ${modules} on ${modules.id} = ${lessons.moduleId} and ${modules.released}
      left join ${checkPasses} on ${checkPasses.lessonId} = ${checkQuestions.lessonId} and ${checkPasses.userId} = ${userId}
      left join ${checkAnswers} on ${isAnswered} and ${checkAnswers.userId} = ${userId}
    where ${checkQuestions.position} is not null
    group by 1 order by 1`,
  );
}

export async function hasPassed(db: Db, userId: string, lessonId: string): Promise<boolean> {
  return (await db.$count(checkPasses, and(eq(checkPasses.userId, userId), eq(checkPasses.lessonId, lessonId)))) > 0;
}

interface SavedAnswer extends AnswerRow {
  readonly userId: string;
  readonly lessonId: string;
  readonly questionId: string;
  readonly version: string;
}

/** One row per version of a question, however often and in parallel it is answered. What was right or shown stays so. */
export async function saveAnswer(tx: Db, answer: SavedAnswer, now: Date): Promise<AnswerRow> {
  const { given, isRight, wasShown } = checkAnswers;
  const [row] = await tx
    .insert(checkAnswers)
    .values({ ...answer, firstGiven: answer.given, isFirstRight: answer.isRight, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({
      target: [checkAnswers.userId, checkAnswers.lessonId, checkAnswers.questionId, checkAnswers.version],
      set: {
        given: sql`case when ${isRight} then ${given} else coalesce(excluded.given, ${given}) end`,
        isRight: sql`${isRight} or excluded.is_right`,
        wasShown: sql`${wasShown} or (excluded.was_shown and not ${isRight})`,
        updatedAt: now,
      },
    })
    .returning({ given, isRight, wasShown });
  if (!row) throw new Error("an upsert returned no row");
  return row;
}

/** Figures keep the first answers. */
export async function forgetShown(tx: Db, userId: string, lessonId: string): Promise<void> {
  const isShown = eq(checkAnswers.wasShown, true);
  await tx
    .update(checkAnswers)
    .set({ given: null, isRight: false, wasShown: false })
    .where(and(eq(checkAnswers.userId, userId), eq(checkAnswers.lessonId, lessonId), isShown));
}

interface Pass {
  readonly userId: string;
  readonly lessonId: string;
  readonly version: string;
  readonly isUnaided: boolean;
}

/** The first pass stays, unless a later one without shown answers replaces one with them. */
export async function savePass(tx: Db, pass: Pass, now: Date): Promise<void> {
  const values = { ...pass, passedAt: now };
  await tx
    .insert(checkPasses)
    .values(values)
    .onConflictDoUpdate({
      target: [checkPasses.userId, checkPasses.lessonId],
      set: values,
      setWhere: sql`excluded.is_unaided and not ${checkPasses.isUnaided}`,
    });
}

/** Everything that a student ever answered, with the questions as they were. */
export function listAllAnswers(db: Db, userId: string) {
  return db
    .select({ answer: checkAnswers, content: checkQuestions.content })
    .from(checkAnswers)
    .innerJoin(
      checkQuestions,
      and(
        eq(checkQuestions.lessonId, checkAnswers.lessonId),
        eq(checkQuestions.questionId, checkAnswers.questionId),
        eq(checkQuestions.version, checkAnswers.version),
      ),
    )
    .where(eq(checkAnswers.userId, userId))
    .orderBy(asc(checkAnswers.lessonId), asc(checkAnswers.createdAt), asc(checkAnswers.questionId));
}

export interface QuestionCount {
  readonly lessonId: string;
  readonly lessonTitle: string;
  readonly content: CheckQuestion;
  readonly answered: number;
  readonly rightAtFirst: number;
  /** What wrong first answers had, the most frequent first; of choices also right options. */
  readonly wrong: readonly { readonly given: string; readonly students: number }[];
}

/** The questions that are asked, in the order of the course, with counts of all students' first answers. */
export function countAnswers(db: Db): Promise<QuestionCount[]> {
  return rowsOf(
    db,
    sql`select asked.lesson_id as "lessonId", ${lessons.title} as "lessonTitle", asked.content, answered, "rightAtFirst", wrong
    from ${checkQuestions} as asked
      join ${lessons} on ${lessons.id} = asked.lesson_id and ${lessons.released}
      join ${modules} on ${modules.id} = ${lessons.moduleId} and ${modules.released}
      cross join lateral (
        select count(*)::int as answered, (count(*) filter (where is_first_right))::int as "rightAtFirst"
        from ${checkAnswers}
        where (lesson_id, question_id, version) = (asked.lesson_id, asked.question_id, asked.version)
      ) as answers
      cross join lateral (
        select coalesce(json_agg(json_build_object('given', chosen, 'students', students)), '[]') as wrong
        from (
          select chosen, count(*)::int as students from ${checkAnswers}, unnest(first_given) as chosen
          where (lesson_id, question_id, version) = (asked.lesson_id, asked.question_id, asked.version)
            and not is_first_right
          group by chosen order by students desc, chosen limit ${maxOptions}
        ) as mistakes
      ) as mistakes
    where asked.position is not null
    order by ${modules.position}, ${lessons.position}, asked.position`,
  );
}
