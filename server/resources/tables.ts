import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import type { Resource, ResourceFormat } from "#contract/resources.ts";
import type { Tier } from "#contract/tiers.ts";
import { lessons, modules } from "#server/catalogue/tables.ts";
import { id, instant } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";

export const courseResources = snakeCase.table(
  "course_resources",
  {
    id: id(),
    moduleId: text()
      .notNull()
      .references(() => modules.id),
    /** Null: the resource belongs to the module as a whole. */
    lessonId: text().references(() => lessons.id),
    /** Among those of the same lesson, or of the same module as a whole. Equal ones are in the order of their upload. */
    position: integer().notNull().default(0),
    title: text().notNull(),
    description: text(),
    fileUrl: text().notNull().generatedAlwaysAs(sql`'/api/download/' || id`),
    /** Random, and told to nobody. */
    storageKey: text().notNull().unique(),
    fileName: text().notNull(),
    /** By its content; type and MIME type follow from it. */
    format: text().$type<ResourceFormat>().notNull(),
    fileType: text()
      .$type<Resource["fileType"]>()
      .notNull()
      .generatedAlwaysAs(
        sql`case when format in ('xlsx', 'xls') then 'excel' when format in ('docx', 'doc') then 'doc' when format = 'pdf' then 'pdf' else 'other' end`,
      ),
    fileSize: bigint({ mode: "number" }).notNull(),
    sha256: text().notNull(),
    requiredTier: text().$type<Tier>().notNull(),
    downloadCount: integer().notNull().default(0),
    isActive: boolean().notNull().default(true),
    /** Null while the file is in the store; it becomes null again when the file is back. */
    fileMissingSince: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [index("course_resources_module_id").on(table.moduleId, table.lessonId)],
);

/** At most one download a day of a file by a user. */
export const resourceDownloads = snakeCase.table(
  "resource_downloads",
  {
    id: id(),
    userId: ofUser(),
    resourceId: text()
      .notNull()
      .references(() => courseResources.id, { onDelete: "cascade" }),
    downloadedAt: instant().notNull(),
  },
  (table) => [
    index("resource_downloads_user_id").on(table.userId, table.downloadedAt),
    index("resource_downloads_resource_id").on(table.resourceId),
  ],
);
