import { bigint, boolean, index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import type { Tier } from "#contract/tiers.ts";
import { lessons, modules } from "#server/catalogue/tables.ts";
import { id, moment } from "#server/db/columns.ts";

export const courseResources = snakeCase.table(
  "course_resources",
  {
    id: id(),
    moduleId: text()
      .notNull()
      .references(() => modules.id),
    /** Null: the resource belongs to the module as a whole. */
    lessonId: text().references(() => lessons.id),
    title: text().notNull(),
    description: text(),
    fileUrl: text().notNull(),
    fileName: text().notNull(),
    fileType: text().$type<"pdf" | "excel" | "doc" | "other">().notNull(),
    /** Bytes. */
    fileSize: bigint({ mode: "number" }),
    requiredTier: text().$type<Tier>().notNull(),
    downloadCount: integer().notNull().default(0),
    isActive: boolean().notNull().default(true),
    createdAt: moment().notNull(),
    updatedAt: moment().notNull(),
  },
  (table) => [index("course_resources_module_id").on(table.moduleId, table.lessonId)],
);
