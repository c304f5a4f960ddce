import { check, index, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { Tier } from "#contract/tiers.ts";
import { id, instant, isOneOf } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";

/**
 * `grace`: while a renewal is retried · `credit-returned`: days that an upgrade replaced and that were given back ·
 * `import`: what somebody had in another program.
 */
const grantSources = ["purchase", "renewal", "grace", "administrator", "credit-returned", "import"] as const;
export type GrantSource = (typeof grantSources)[number];

/** Append-only: the database refuses to change or delete a row. */
export const grants = snakeCase.table(
  "grants",
  {
    id: id(),
    userId: ofUser(),
    tier: text().$type<Tier>().notNull(),
    source: text().$type<GrantSource>().notNull(),
    /**
     * The id of a charge, a grace period or an administrator's action. Unique with `source`, so that each is granted
     * once.
     */
    sourceId: text().notNull(),
    /** The grant ends when this purchase is ended. Null for a gift. */
    purchaseId: text(),
    startsAt: instant().notNull(),
    /** Null: never. */
    endsAt: instant(),
    reason: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    check("grants_source", isOneOf(table.source, grantSources)),
    index("grants_user_id").on(table.userId),
    // Finds whose access ends soon.
    index("grants_ends_at").on(table.endsAt),
    // Finds whose access began lately.
    index("grants_starts_at").on(table.startsAt),
    uniqueIndex("grants_source_unique").on(table.source, table.sourceId),
  ],
);

/** Append-only too. */
export const grantEnds = snakeCase.table(
  "grant_ends",
  {
    id: id(),
    grantId: text()
      .notNull()
      .references(() => grants.id),
    endsAt: instant().notNull(),
    reason: text().notNull(),
    /** The purchase of a higher tier that replaced the grant and was credited with its rest. */
    replacedBy: text(),
    createdAt: instant().notNull(),
  },
  (table) => [index("grant_ends_grant_id").on(table.grantId), index("grant_ends_replaced_by").on(table.replacedBy)],
);

/** Refuses to change or delete rows. @internal */
export const addedByMigrations = [
  "function refuse_change",
  "trigger grants.append_only",
  "trigger grant_ends.append_only",
];
