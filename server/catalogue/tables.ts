import { boolean, index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import type { Tier } from "#contract/tiers.ts";
import { cents, moment } from "#server/db/columns.ts";

export const plans = snakeCase.table("plans", {
  id: text().primaryKey(),
  name: text().notNull(),
  price: cents().notNull(),
  tier: text().$type<Tier>().notNull(),
  billing: text().$type<"monthly" | "annual" | "lifetime">().notNull(),
  description: text().notNull(),
  features: text().array().notNull(),
  buttonLabel: text().notNull(),
  popular: boolean().notNull().default(false),
  position: integer().notNull(),
  isActive: boolean().notNull().default(true),
  updatedAt: moment().notNull(),
});

export const modules = snakeCase.table("modules", {
  id: text().primaryKey(),
  position: integer().notNull().unique(),
  title: text().notNull(),
  description: text().notNull(),
  requiredTier: text().$type<Tier>().notNull(),
  comingSoon: boolean().notNull().default(false),
  updatedAt: moment().notNull(),
});

export const lessons = snakeCase.table(
  "lessons",
  {
    id: text().primaryKey(),
    moduleId: text()
      .notNull()
      .references(() => modules.id),
    position: integer().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    durationSeconds: integer().notNull(),
    /** `provider:id`, or `placeholder-video` while the lesson is not produced. */
    videoId: text().notNull(),
    freePreview: boolean().notNull().default(false),
    updatedAt: moment().notNull(),
  },
  (table) => [index("lessons_module_id").on(table.moduleId, table.position)],
);
