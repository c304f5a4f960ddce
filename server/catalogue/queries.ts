import { asc, eq, sql } from "drizzle-orm";
import { type Db, statement } from "#server/db/db.ts";
import { lessons, modules, plans } from "./tables.ts";

export type PlanRow = typeof plans.$inferSelect;
export type ModuleRow = typeof modules.$inferSelect;
export type LessonRow = typeof lessons.$inferSelect;

export function listActivePlans(db: Db): Promise<PlanRow[]> {
  return statement(db, "catalogue_plans", (db, name) =>
    db.select().from(plans).where(eq(plans.isActive, true)).orderBy(asc(plans.position)).prepare(name),
  ).execute();
}

export function listModules(db: Db): Promise<ModuleRow[]> {
  return db.select().from(modules).orderBy(asc(modules.position));
}

export function listLessons(db: Db): Promise<LessonRow[]> {
  return db.select().from(lessons).orderBy(asc(lessons.moduleId), asc(lessons.position));
}

export async function findLesson(db: Db, lessonId: string): Promise<{ lesson: LessonRow; module: ModuleRow } | null> {
  const [row] = await statement(db, "catalogue_lesson", (db, name) =>
    db
      .select({ lesson: lessons, module: modules })
      .from(lessons)
      .innerJoin(modules, eq(modules.id, lessons.moduleId))
      .where(eq(lessons.id, sql.placeholder("lessonId")))
      .prepare(name),
  ).execute({ lessonId });
  return row ?? null;
}
