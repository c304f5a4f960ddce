import { asc, eq, sql } from "drizzle-orm";
import { lessons } from "#server/catalogue/tables.ts";
import { type Db, readStatement, statement } from "#server/db/db.ts";
import { newId } from "#server/db/id.ts";
import type { Claim } from "./rules.ts";
import { courseProgress } from "./tables.ts";

/** What the student is shown of a record. */
const shown = {
  lessonId: courseProgress.lessonId,
  moduleId: courseProgress.moduleId,
  isCompleted: courseProgress.isCompleted,
  watchTime: courseProgress.watchTime,
  position: courseProgress.position,
  completedAt: courseProgress.completedAt,
  updatedAt: courseProgress.updatedAt,
};

export type ProgressRow = Pick<typeof courseProgress.$inferSelect, keyof typeof shown>;

export function listProgressRows(db: Db, userId: string): Promise<(ProgressRow & { durationSeconds: number })[]> {
  return readStatement(db, "progress_list", (db, name) =>
    db
      .select({ ...shown, durationSeconds: lessons.durationSeconds })
      .from(courseProgress)
      .innerJoin(lessons, eq(lessons.id, courseProgress.lessonId))
      .where(eq(courseProgress.userId, sql.placeholder("userId")))
      .orderBy(asc(courseProgress.lessonId))
      .prepare(name),
  ).execute({ userId });
}

export interface ProgressNote {
  readonly userId: string;
  readonly lessonId: string;
  readonly moduleId: string;
  /** Null leaves what is there. */
  readonly isCompleted: boolean | null;
  readonly claim: Claim | null;
  /** Seconds. */
  readonly position: number | null;
  /** How much of the lesson completes it, in hundredths of a second. */
  readonly enough: number;
  /** When it was so; not after `now`. */
  readonly at: Date;
  readonly now: Date;
  /** Since when a lesson without a record can have been watched. */
  readonly openedAt: Date;
}

/**
 * Merges a note into the record of its lesson. All of it happens in one statement, which waits for others on the same
 * row and then reads it anew: notes from two tabs never undo each other. Only the first note of a lesson needs more: it
 * opens the record, and is merged into that when it says that something was watched.
 */
export async function mergeProgress(db: Db, note: ProgressNote): Promise<ProgressRow> {
  const { claim, ...rest } = note;
  const values = {
    ...rest,
    claim: claim?.stretches ?? null,
    total: claim?.total ?? 0,
    at: note.at.toISOString(),
    now: note.now.toISOString(),
  };
  const [row] = await mergeStatement(db).execute(values);
  if (row) return row;
  const opened = await openRecord(db, note);
  if (opened && (claim?.stretches ?? "{}") === "{}") return opened;
  const [first] = await mergeStatement(db).execute(values);
  if (!first) throw new Error("an open record is not there");
  return first;
}

/** Opens the record with all that the note says but what was watched; null when there is one already. */
async function openRecord(db: Db, note: ProgressNote): Promise<ProgressRow | null> {
  const { userId, lessonId, moduleId, openedAt, now, at } = note;
  const [row] = await db
    .insert(courseProgress)
    .values({
      id: newId(),
      userId,
      lessonId,
      moduleId,
      isCompleted: note.isCompleted ?? false,
      completedAt: note.isCompleted ? now : null,
      position: note.position ?? 0,
      positionAt: note.position === null ? null : at,
      creditSince: sql`${openedAt.toISOString()}::timestamptz - ${slack}`,
      createdAt: now,
      updatedAt: at,
    })
    .onConflictDoNothing()
    .returning(shown);
  return row ?? null;
}

/**
 * Whoever watches at twice the speed, the highest there is, covers 200 hundredths of a second in each second. Time that
 * a note leaves unused is not kept for later ones, this much apart: it makes up for notes that are late on their way.
 */
const slack = sql.raw("interval '1.5 seconds'");

/** What the note says, by its parts' names. */
const said = sql`
  select
    ${sql.placeholder("claim")}::int4multirange as claim,
    ${sql.placeholder("total")}::int as total,
    ${sql.placeholder("enough")}::int as enough,
    ${sql.placeholder("isCompleted")}::boolean as is_completed,
    ${sql.placeholder("position")}::numeric as position,
    ${sql.placeholder("at")}::timestamptz as at,
    ${sql.placeholder("now")}::timestamptz as now`;

/** What is new in the claim, its last stretches first, as far as the time allows; both in hundredths of a second. */
const credit = sql`
  select
    coalesce(range_agg(int4range(upper(stretch) - taken, upper(stretch))), '{}') as stretches,
    coalesce(sum(taken), 0)::int as length
  from (
    select stretch, greatest(0, least(upper(stretch) - lower(stretch), allowed - later))::int as taken
    from (
      select
        stretch,
        coalesce(sum(upper(stretch) - lower(stretch)) over (
          order by stretch desc rows between unbounded preceding and 1 preceding
        ), 0) as later,
        least(
          floor(200 * extract(epoch from said.now - kept.credit_since)),
          said.total - 100 * kept.watch_time
        ) as allowed
      from unnest(said.claim - kept.watched) as stretch
    ) as fresh
  ) as believed`;

/**
 * A lesson completes by itself when its coverage comes to be enough, not while it is: whoever marks it as not completed
 * after that is not overruled by the next note. Of positions, the one said last counts.
 */
const decision = sql`
  select
    coalesce(said.is_completed, kept.is_completed or (
      100 * kept.watch_time < said.enough and 100 * kept.watch_time + credit.length >= said.enough
    )) as is_completed,
    said.position is not null and said.at >= coalesce(kept.position_at, '-infinity') as moves`;

function mergeStatement(db: Db) {
  return statement(db, "progress_merge", (db, name) => {
    const noted = db.$with("noted", shown).as(sql`
      update course_progress as kept
      set (
        watched, watch_time, credit_since, is_completed, completed_at, position, position_at, updated_at
      ) = (
        select
          kept.watched + credit.stretches,
          kept.watch_time + credit.length / 100.0,
          case when said.claim is null then kept.credit_since else greatest(
            kept.credit_since + credit.length * interval '5 milliseconds',
            said.now - ${slack}
          ) end,
          decision.is_completed,
          case when decision.is_completed then coalesce(kept.completed_at, said.now) end,
          case when decision.moves then said.position else kept.position end,
          case when decision.moves then said.at else kept.position_at end,
          greatest(kept.updated_at, said.at)
        from (${said}) as said, lateral (${credit}) as credit, lateral (${decision}) as decision
      )
      where user_id = ${sql.placeholder("userId")} and lesson_id = ${sql.placeholder("lessonId")}
      returning lesson_id, module_id, is_completed, watch_time, position, completed_at, updated_at`);
    return db.with(noted).select().from(noted).prepare(name);
  });
}
