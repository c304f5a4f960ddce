import { and, asc, count, desc, eq, exists, getColumns, gt, inArray, min, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { builtInPlanNames } from "#content/plans.ts";
import type { Cue } from "#contract/captions.ts";
import type { PlanNames } from "#contract/tiers.ts";
import { batched } from "#server/db/batching.ts";
import { anyOfWords } from "#server/db/columns.ts";
import { type Db, readStatement } from "#server/db/db.ts";
import {
  contentVersion,
  isOpenAt,
  isProduced,
  isWatchable,
  lessonCues,
  lessons,
  modules,
  pastPlanNames,
  plans,
} from "./tables.ts";

export type PlanRow = typeof plans.$inferSelect;
export type ModuleRow = typeof modules.$inferSelect;
const { body, ...withoutBody } = getColumns(lessons);
/** Without the body, which only the lesson's page shows. */
const lessonColumns = { ...withoutBody, hasBody: sql<boolean>`${body} is not null` };
export type LessonRow = Omit<typeof lessons.$inferSelect, "body"> & { readonly hasBody: boolean };
const cueColumns = { startsAt: lessonCues.startsAt, endsAt: lessonCues.endsAt, text: lessonCues.text };
export interface LessonInModule {
  readonly lesson: LessonRow;
  readonly module: ModuleRow;
}

export function listActivePlans(db: Db): Promise<PlanRow[]> {
  return readStatement(db, "catalogue_plans", (db, name) =>
    db.select().from(plans).where(eq(plans.isActive, true)).orderBy(asc(plans.position)).prepare(name),
  ).execute();
}

/** The published name of each tier's plan, also while it is not for sale. */
export async function currentPlanNames(db: Db): Promise<PlanNames> {
  const rows = await readStatement(db, "catalogue_plan_names", (db, name) =>
    // The plan on sale comes last, so that its name counts.
    db.select({ tier: plans.tier, name: plans.name }).from(plans).orderBy(asc(plans.isActive)).prepare(name),
  ).execute();
  return { ...builtInPlanNames, ...Object.fromEntries(rows.map(({ tier, name }) => [tier, name])) };
}

/** The name that the query's plan had at that instant, which what was sold then keeps. */
export function planNameAt(db: Db, at: SQL): SQL<string> {
  const past = db
    .select({ name: pastPlanNames.name })
    .from(pastPlanNames)
    .where(and(eq(pastPlanNames.planId, plans.id), gt(pastPlanNames.until, at)))
    .orderBy(asc(pastPlanNames.until))
    .limit(1);
  return sql<string>`coalesce((${past}), ${plans.name})`;
}

export function listModules(db: Db): Promise<ModuleRow[]> {
  return db.select().from(modules).where(eq(modules.released, true)).orderBy(asc(modules.position));
}

/** Null also when it is not released. */
export async function findModule(db: Db, moduleId: string): Promise<ModuleRow | null> {
  const [row] = await db
    .select()
    .from(modules)
    .where(and(eq(modules.id, moduleId), eq(modules.released, true)));
  return row ?? null;
}

export async function listWatchableVideos(db: Db): Promise<string[]> {
  const ofLessons = await db
    .selectDistinct({ videoId: lessons.videoId })
    .from(lessons)
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(and(isWatchable, eq(lessons.kind, "video")));
  const intros = (await listModules(db)).flatMap(({ introVideo }) => introVideo ?? []);
  return [...new Set([...ofLessons.map(({ videoId }) => videoId), ...intros])];
}

/** The times after `now` at which lessons or modules open, the earliest first. */
export async function listOpenings(db: Db, now: Date): Promise<Date[]> {
  const of = (table: typeof modules | typeof lessons) =>
    db.selectDistinct({ opensAt: table.opensAt }).from(table).where(gt(table.opensAt, now));
  const times = [...(await of(modules)), ...(await of(lessons))].flatMap(({ opensAt }) => opensAt ?? []);
  return times.toSorted((one, other) => one.getTime() - other.getTime());
}

/** How many lessons a student with the highest tier can complete. */
export async function countWatchableLessons(db: Db, now: Date): Promise<number> {
  const [row] = await db
    .select({ lessons: count() })
    .from(lessons)
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(and(isWatchable, isOpenAt(now)));
  return row?.lessons ?? 0;
}

export interface ProducedLesson {
  readonly title: string;
  /** False until its time comes. */
  readonly isOpen: boolean;
}

/** The lessons that students can watch, now or once they open and the length of their video is known, by id. */
export async function listProduced(db: Db, now: Date): Promise<Map<string, ProducedLesson>> {
  const rows = await db
    .select({ id: lessons.id, title: lessons.title, isOpen: sql<boolean>`${isOpenAt(now)}` })
    .from(lessons)
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(isProduced);
  return new Map(rows.map(({ id, ...lesson }) => [id, lesson]));
}

/** Increases with every change of what pages show. */
export async function findContentVersion(db: Db): Promise<number> {
  const [row] = await readStatement(db, "content_version", (db, name) =>
    db.select({ version: contentVersion.version }).from(contentVersion).prepare(name),
  ).execute();
  if (!row) throw new Error("the content of the database has no version");
  return row.version;
}

/** Includes lessons of modules that are not released. */
export function listLessons(db: Db): Promise<LessonRow[]> {
  return db
    .select(lessonColumns)
    .from(lessons)
    .where(eq(lessons.released, true))
    .orderBy(asc(lessons.moduleId), asc(lessons.position));
}

const isReleased = and(eq(lessons.released, true), eq(modules.released, true));

export function findLesson(db: Db, lessonId: string): Promise<LessonInModule | null> {
  return batched(db, "catalogue_lesson", findEachLesson)(lessonId);
}

async function findEachLesson(db: Db, lessonIds: readonly string[]): Promise<(LessonInModule | null)[]> {
  const rows = await readStatement(db, "catalogue_lesson", (db, name) =>
    db
      .select({ lesson: lessonColumns, module: modules })
      .from(lessons)
      .innerJoin(modules, eq(modules.id, lessons.moduleId))
      .where(and(sql`${lessons.id} = any(${sql.placeholder("lessonIds")})`, isReleased))
      .prepare(name),
  ).execute({ lessonIds: [...new Set(lessonIds)] });
  const byId = new Map(rows.map((row) => [row.lesson.id, row]));
  return lessonIds.map((lessonId) => byId.get(lessonId) ?? null);
}

export async function findBody(db: Db, lessonId: string): Promise<string | null> {
  const [row] = await db.select({ body: lessons.body }).from(lessons).where(eq(lessons.id, lessonId));
  return row?.body ?? null;
}

export interface Captions {
  readonly language: string;
  readonly cues: readonly Cue[];
}

/** By lesson, the default language first. */
export async function listCaptions(db: Db, lessonIds: readonly string[]): Promise<Map<string, Captions[]>> {
  const rows = await db
    .select({ ...cueColumns, language: lessonCues.language, lessonId: lessonCues.lessonId })
    .from(lessonCues)
    .where(inArray(lessonCues.lessonId, [...lessonIds]))
    .orderBy(asc(lessonCues.lessonId), asc(lessonCues.position));
  const inLanguages = (cues: typeof rows) =>
    [...Map.groupBy(cues, ({ language }) => language)].map(([language, cues]) => ({
      language,
      cues: cues.map(({ startsAt, endsAt, text }) => ({ startsAt, endsAt, text })),
    }));
  return new Map([...Map.groupBy(rows, ({ lessonId }) => lessonId)].map(([id, cues]) => [id, inLanguages(cues)]));
}

/** The languages of the captions, the default first. */
export async function listCaptionLanguages(db: Db, lessonId: string): Promise<string[]> {
  const rows = await db
    .select({ language: lessonCues.language })
    .from(lessonCues)
    .where(eq(lessonCues.lessonId, lessonId))
    .groupBy(lessonCues.language)
    .orderBy(min(lessonCues.position));
  return rows.map(({ language }) => language);
}

export function listCues(db: Db, lessonId: string, language: string): Promise<Cue[]> {
  return db
    .select(cueColumns)
    .from(lessonCues)
    .where(and(eq(lessonCues.lessonId, lessonId), eq(lessonCues.language, language)))
    .orderBy(asc(lessonCues.position));
}

/** The first caption of each free lesson, in the order of the course. */
export function listFirstCues(db: Db, now: Date): Promise<{ lessonId: string; startsAt: number; text: string }[]> {
  return db
    .select({ lessonId: lessons.id, startsAt: lessonCues.startsAt, text: lessonCues.text })
    .from(lessonCues)
    .innerJoin(lessons, eq(lessons.id, lessonCues.lessonId))
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .where(and(isWatchable, isOpenAt(now), eq(lessons.freePreview, true), eq(lessonCues.position, 0)))
    .orderBy(asc(modules.position), asc(lessons.position));
}

/** @param captions the default language first */
export async function replaceCaptions(db: Db, lessonId: string, captions: readonly Captions[]): Promise<void> {
  await db.delete(lessonCues).where(eq(lessonCues.lessonId, lessonId));
  const cues = captions
    .flatMap(({ language, cues }) => cues.map((cue) => ({ ...cue, language })))
    .map((cue, position) => ({ ...cue, lessonId, position }));
  // A statement has at most 65,535 parameters.
  for (let at = 0; at < cues.length; at += 10_000) await db.insert(lessonCues).values(cues.slice(at, at + 10_000));
}

export const matchMarks = { before: "\u0002", after: "\u0003" } as const;

export interface FoundLesson {
  readonly lesson: LessonRow;
  readonly module: ModuleRow;
  readonly title: string;
  readonly description: string;
  /** The best matching sentence of the captions, with marks; null when none matches. */
  readonly said: { readonly startsAt: number; readonly text: string } | null;
}

/** Lessons by relevance. A word matches words that begin with it. @param words of letters and digits only */
export async function findLessonsByWords(db: Db, words: readonly string[], limit: number): Promise<FoundLesson[]> {
  const beginning = (word: string) =>
    sql`(to_tsquery('simple', ${`${word}:*`}) || to_tsquery('english', ${`${word}:*`}))`;
  const anyWord = sql`(${sql.join(words.map(beginning), sql` || `)})`;
  const named = sql`(${weighed(lessons.title, "A")} || ${weighed(lessons.description, "B")} || ${weighed(modules.title, "C")})`;
  const isSaid = (query: SQL) =>
    exists(
      db
        .select({ one: sql`1` })
        .from(lessonCues)
        .where(and(eq(lessonCues.lessonId, lessons.id), sql`${lessonCues.search} @@ ${query}`)),
    );
  const said = db
    .select({
      startsAt: lessonCues.startsAt,
      text: marked(lessonCues.text, anyWord).as("said_text"),
      rank: sql<number>`ts_rank(${lessonCues.search}, ${anyWord})`.as("said_rank"),
    })
    .from(lessonCues)
    .where(and(eq(lessonCues.lessonId, lessons.id), sql`${lessonCues.search} @@ ${anyWord}`))
    .orderBy(desc(sql`said_rank`), asc(lessonCues.position))
    .limit(1)
    .as("said");
  const rows = await db
    .select({
      lesson: lessonColumns,
      module: getColumns(modules),
      title: marked(lessons.title, anyWord),
      description: marked(lessons.description, anyWord),
      startsAt: said.startsAt,
      text: said.text,
    })
    .from(lessons)
    .innerJoin(modules, eq(modules.id, lessons.moduleId))
    .leftJoinLateral(said, sql`true`)
    .where(and(isReleased, ...words.map(beginning).map((query) => or(sql`${named} @@ ${query}`, isSaid(query)))))
    .orderBy(
      desc(sql`ts_rank(${named}, ${anyWord}) + coalesce(${said.rank}, 0)`),
      asc(modules.position),
      asc(lessons.position),
    )
    .limit(limit);
  return rows.map(({ startsAt, text, ...row }) => ({
    ...row,
    said: startsAt === null || text === null ? null : { startsAt, text },
  }));
}

export function findCuesByWords(db: Db, lessonId: string, words: readonly string[], limit: number): Promise<Cue[]> {
  const any = anyOfWords(words);
  return db
    .select(cueColumns)
    .from(lessonCues)
    .where(and(eq(lessonCues.lessonId, lessonId), sql`${lessonCues.search} @@ ${any}`))
    .orderBy(desc(sql`ts_rank(${lessonCues.search}, ${any})`), asc(lessonCues.position))
    .limit(limit);
}

function weighed(column: PgColumn, weight: "A" | "B" | "C"): SQL {
  return sql`setweight(to_tsvector('simple', ${column}) || to_tsvector('english', ${column}), ${sql.raw(`'${weight}'`)})`;
}

/** Marks by both dictionaries: one matches beginnings of words, the other stems. */
function marked(column: PgColumn, query: SQL): SQL<string> {
  const options = `HighlightAll=true, StartSel="${matchMarks.before}", StopSel="${matchMarks.after}"`;
  return sql<string>`ts_headline('english', ts_headline('simple', ${column}, ${query}, ${options}), ${query}, ${options})`;
}
