import { and, eq, gt, isNull, lte, ne, or, sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  json,
  primaryKey,
  snakeCase,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { CheckQuestion } from "#contract/admin/check-content.ts";
import { type CoachingPromise, noCoaching } from "#contract/coaching/promise.ts";
import { defaultLanguage } from "#contract/languages.ts";
import { type ChangeKind, changeKinds } from "#contract/lesson-changes.ts";
import type { Tier } from "#contract/tiers.ts";
import { cents, id, instant, isOneOf, searchable } from "#server/db/columns.ts";

export const plans = snakeCase.table("plans", {
  id: text().primaryKey(),
  name: text().notNull(),
  price: cents().notNull(),
  /** Null: the struck-out price is the price times the offer's factor. */
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

/** Names that plans had before: a receipt keeps the one of its day. */
export const pastPlanNames = snakeCase.table(
  "past_plan_names",
  {
    planId: ofPlan(),
    name: text().notNull(),
    /** Published up to, not including, this instant. */
    until: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.planId, table.until] })],
);

/** The prices at which each plan was sold, with their periods, which do not overlap; the last one may lie ahead. */
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

/** Claims that administrators withdrew from the pages. */
export const withdrawnClaims = snakeCase.table("withdrawn_claims", {
  claimId: text().primaryKey(),
  withdrawnAt: instant().notNull(),
});

/** The owner's evidence for a claim. It proves the claim in this wording only. */
export const claimRecords = snakeCase.table(
  "claim_records",
  {
    id: id(),
    claimId: text().notNull(),
    /** The wording of the claim that the evidence proves. */
    claimText: text().notNull(),
    note: text().notNull(),
    link: text(),
    /** The day of the evidence. */
    date: date({ mode: "string" }).notNull(),
    /** The administrator's word that the claim is not about people, prices or results. */
    isExemption: boolean().notNull().default(false),
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
  /** Its lessons are coming soon until then. */
  opensAt: instant(),
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
    kind: text().$type<"video" | "text">().notNull().default("video"),
    /** Markdown below the video; null: none. */
    body: text(),
    /** Of a text lesson, the time to read it. */
    durationSeconds: integer().notNull(),
    /** `provider:id`, or `placeholder-video` while the lesson is not produced; empty in a text lesson. */
    videoId: text().notNull(),
    freePreview: boolean().notNull().default(false),
    /** Shown, but not played. */
    comingSoon: boolean().notNull().default(false),
    /** Coming soon until then. */
    opensAt: instant(),
    released: boolean().notNull().default(true),
    updatedAt: instant().notNull(),
    /** When an administrator last checked that it is still right; null: never. */
    verifiedAt: instant(),
    /** The user's id; null also for a day that was restored. */
    verifiedBy: text(),
  },
  (table) => [index("lessons_module_id").on(table.moduleId, table.position)],
);

/** What services told about the videos of content and drafts. */
export const videoFacts = snakeCase.table("video_facts", {
  /** `provider:id`. */
  videoId: text().primaryKey(),
  requestedAt: instant().notNull(),
  /** Null until the service has answered. */
  checkedAt: instant(),
  isPlayable: boolean(),
  reason: text(),
  title: text(),
  durationSeconds: integer(),
  /** The key of its picture in the file store; null: none. */
  posterKey: text(),
  /** Why there is none, as a sentence. */
  posterReason: text(),
});

/** Whether the times of a lesson and its module have come. For queries that join modules. */
export const isOpenAt = (now: Date) =>
  and(or(isNull(modules.opensAt), lte(modules.opensAt, now)), or(isNull(lessons.opensAt), lte(lessons.opensAt, now)));

/** Whether a lesson is in the course and no longer only announced. For queries that join modules. */
export const isProduced = and(
  eq(modules.released, true),
  eq(lessons.released, true),
  eq(lessons.comingSoon, false),
  ne(lessons.videoId, "placeholder-video"),
);

/** Whether a lesson can be watched once it `isOpenAt`: released and not `isComingSoon`. For queries that join modules. */
export const isWatchable = and(isProduced, gt(lessons.durationSeconds, 0));

export const lessonCues = snakeCase.table(
  "lesson_cues",
  {
    lessonId: text()
      .notNull()
      .references(() => lessons.id, { onDelete: "cascade" }),
    /** Those of the default language come first. */
    position: integer().notNull(),
    language: text().notNull().default(defaultLanguage),
    /** Milliseconds from the lesson's start. */
    startsAt: integer().notNull(),
    endsAt: integer().notNull(),
    text: text().notNull(),
    /** The simple dictionary finds beginnings of words, the English one other forms. */
    search: searchable().generatedAlwaysAs(sql`to_tsvector('simple', text) || to_tsvector('english', text)`),
  },
  (table) => [
    primaryKey({ columns: [table.lessonId, table.position] }),
    index("lesson_cues_search").using("gin", table.search),
  ],
);

/** What changed in published lessons, for students and the public page of changes. */
export const lessonChanges = snakeCase.table(
  "lesson_changes",
  {
    id: id(),
    lessonId: text()
      .notNull()
      .references(() => lessons.id, { onDelete: "cascade" }),
    at: instant().notNull(),
    kind: text().$type<ChangeKind>().notNull(),
    /** Seconds; both null: the whole lesson. */
    fromSeconds: integer(),
    toSeconds: integer(),
    /** Empty: none. */
    note: text().notNull(),
    /** The lesson's title then, which pages show once the lesson itself is hidden. */
    title: text().notNull(),
  },
  (table) => [
    check("lesson_changes_kind", isOneOf(table.kind, changeKinds)),
    check(
      "lesson_changes_range",
      sql`(${table.fromSeconds} is null) = (${table.toSeconds} is null) and (${table.fromSeconds} is null or ${table.fromSeconds} < ${table.toSeconds})`,
    ),
    index("lesson_changes_lesson").on(table.lessonId, table.at),
    index("lesson_changes_at").on(table.at, table.id),
  ],
);

/**
 * Each published version of a question. Answers refer to the version they were given for, so that an old one stays. It
 * has the right answers, so only the checks and the editor read it.
 */
export const checkQuestions = snakeCase.table(
  "check_questions",
  {
    lessonId: text()
      .notNull()
      .references(() => lessons.id),
    questionId: text().notNull(),
    version: text().notNull(),
    /** Null: it is not asked any more. */
    position: integer(),
    content: json().$type<CheckQuestion>().notNull(),
    publishedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.lessonId, table.questionId, table.version] }),
    uniqueIndex("check_questions_asked_unique")
      .on(table.lessonId, table.questionId)
      .where(sql`${table.position} is not null`),
  ],
);

/** At most one draft for each module, lesson and plan, for the offer, the settings and each part of the copy. */
export const contentDrafts = snakeCase.table(
  "content_drafts",
  {
    kind: text().$type<DraftKind>().notNull(),
    id: text().notNull(),
    content: json().$type<unknown>().notNull(),
    updatedAt: instant().notNull(),
    /** The user's id. The name is looked up, so that a deletion also removes it here. */
    updatedBy: text(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.id] })],
);

export type DraftKind = "module" | "lesson" | "order" | "plan" | "offer" | "settings" | "copy" | "email";

/** Triggers increment it whenever a row that pages show changes, whoever writes it. */
export const contentVersion = snakeCase.table("content_version", {
  id: boolean().primaryKey().default(true),
  version: bigint({ mode: "number" }).notNull().default(1),
});

/** Increments `contentVersion` with each change of what pages show. @internal */
export const addedByMigrations = [
  "function raise_content_version",
  "trigger lesson_changes.content_version",
  "trigger lessons.content_version",
  "trigger live_sessions.content_version",
  "trigger modules.content_version",
  "trigger plans.content_version",
  "trigger settings.content_version",
  "trigger video_facts.content_version",
  "trigger withdrawn_claims.content_version",
];
