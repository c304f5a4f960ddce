import { and, eq, gt, ne, sql } from "drizzle-orm";
import { bigint, boolean, check, date, index, integer, json, primaryKey, snakeCase, text } from "drizzle-orm/pg-core";
import { type CoachingPromise, noCoaching } from "#contract/coaching/promise.ts";
import type { Tier } from "#contract/tiers.ts";
import { cents, id, instant, searchable } from "#server/db/columns.ts";

export const plans = snakeCase.table("plans", {
  id: text().primaryKey(),
  name: text().notNull(),
  price: cents().notNull(),
  /** Null: the price times the offer's factor. */
  originalPrice: cents(),
  tier: text().$type<Tier>().notNull(),
  billing: text().$type<"monthly" | "annual" | "lifetime">().notNull(),
  description: text().notNull(),
  features: text().array().notNull(),
  coaching: json().$type<CoachingPromise>().notNull().default(noCoaching),
  buttonLabel: text().notNull(),
  popular: boolean().notNull().default(false),
  position: integer().notNull(),
  isActive: boolean().notNull().default(true),
  updatedAt: instant().notNull(),
});

export const ofPlan = () =>
  text()
    .notNull()
    .references(() => plans.id);

/** What each plan was really sold at, and from when until when; rows do not overlap, and the last one may lie ahead. */
export const planPrices = snakeCase.table(
  "plan_prices",
  {
    planId: ofPlan(),
    price: cents().notNull(),
    startsAt: instant().notNull(),
    /** Null: until another price is published. */
    endsAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.planId, table.startsAt] }),
    check("plan_prices_order", sql`${table.startsAt} < ${table.endsAt}`),
  ],
);

/** Claims that administrators took off the pages, by their ids. */
export const withdrawnClaims = snakeCase.table("withdrawn_claims", {
  claimId: text().primaryKey(),
  withdrawnAt: instant().notNull(),
});

/** What the owner has in hand for a claim. It backs the words of that day and no others. */
export const claimRecords = snakeCase.table(
  "claim_records",
  {
    id: id(),
    claimId: text().notNull(),
    /** The claim as it was worded when it was backed. */
    claimText: text().notNull(),
    note: text().notNull(),
    link: text(),
    /** The day of the evidence. */
    date: date({ mode: "string" }).notNull(),
    /** The administrator's user id. */
    recordedBy: text().notNull(),
    recordedAt: instant().notNull(),
  },
  (table) => [index("claim_records_claim_id").on(table.claimId, table.recordedAt)],
);

export const modules = snakeCase.table("modules", {
  id: text().primaryKey(),
  position: integer().notNull(),
  title: text().notNull(),
  description: text().notNull(),
  requiredTier: text().$type<Tier>().notNull(),
  comingSoon: boolean().notNull().default(false),
  /** `provider:id`; null: the module begins with its first lesson. */
  introVideo: text(),
  /** False: neither the module nor its lessons are in the catalogue. */
  released: boolean().notNull().default(true),
  updatedAt: instant().notNull(),
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
    /** Shown, but not played. */
    comingSoon: boolean().notNull().default(false),
    released: boolean().notNull().default(true),
    updatedAt: instant().notNull(),
  },
  (table) => [index("lessons_module_id").on(table.moduleId, table.position)],
);

/** What services said about videos that were saved in the content, drafts among them. */
export const videoFacts = snakeCase.table("video_facts", {
  /** `provider:id`. */
  videoId: text().primaryKey(),
  requestedAt: instant().notNull(),
  /** Null: nobody has answered yet. */
  checkedAt: instant(),
  isPlayable: boolean(),
  reason: text(),
  title: text(),
  durationSeconds: integer(),
  /** Of its picture in the file store. Null: there is none. */
  posterKey: text(),
  /** Why there is none, as a sentence. */
  posterReason: text(),
});

/** Released and not `isComingSoon`, in a query that joins modules. */
export const isWatchable = and(
  eq(modules.released, true),
  eq(lessons.released, true),
  eq(lessons.comingSoon, false),
  ne(lessons.videoId, "placeholder-video"),
  gt(lessons.durationSeconds, 0),
);

export const lessonCues = snakeCase.table(
  "lesson_cues",
  {
    lessonId: text()
      .notNull()
      .references(() => lessons.id, { onDelete: "cascade" }),
    position: integer().notNull(),
    /** Milliseconds from the lesson's start. */
    startsAt: integer().notNull(),
    endsAt: integer().notNull(),
    text: text().notNull(),
    /** Words as they are find their beginnings; stems find their other forms. */
    search: searchable().generatedAlwaysAs(sql`to_tsvector('simple', text) || to_tsvector('english', text)`),
  },
  (table) => [
    primaryKey({ columns: [table.lessonId, table.position] }),
    index("lesson_cues_search").using("gin", table.search),
  ],
);

/** One draft for each module, lesson and plan, one for the offer, the settings and each part of the words. */
export const contentDrafts = snakeCase.table(
  "content_drafts",
  {
    kind: text().$type<DraftKind>().notNull(),
    id: text().notNull(),
    content: json().$type<unknown>().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

export type DraftKind = "module" | "lesson" | "plan" | "offer" | "settings" | "copy";

/** Triggers raise it when anything that pages say changes, by whatever way it comes into the database. */
export const contentVersion = snakeCase.table("content_version", {
  id: boolean().primaryKey().default(true),
  version: bigint({ mode: "number" }).notNull().default(1),
});
