import { bytea, json, snakeCase, text } from "drizzle-orm/pg-core";
import { instant } from "#server/db/columns.ts";

/** What the academy has published about itself: its settings, offer and copy. Each write renders the pages anew. */
export const settings = snakeCase.table("settings", {
  name: text().primaryKey(),
  value: json().$type<unknown>().notNull(),
  updatedAt: instant().notNull(),
});

/** The seller of earlier settings: a receipt keeps the one of its day. */
export const pastSellers = snakeCase.table("past_sellers", {
  /** Published up to, not including, this instant. */
  until: instant().primaryKey(),
  value: json().$type<unknown>().notNull(),
});

/** Pictures as they are served; `id` is the hash of the bytes and the size. */
export const pictures = snakeCase.table("pictures", {
  id: text().primaryKey(),
  png: bytea().notNull(),
  /** The same, smaller, for the landing page. Null for other pictures. */
  webp: bytea(),
  createdAt: instant().notNull(),
  /** Null until content with this picture is published, or an announcement with it is written. */
  publishedAt: instant(),
});
