import { isNotNull, sql } from "drizzle-orm";
import { boolean, check, index, json, primaryKey, snakeCase, text, uniqueIndex } from "drizzle-orm/pg-core";
import { StaffRole } from "#contract/roles.ts";
import type { TokenScope } from "#contract/token-scopes.ts";
import { id, instant, isOneOf, searchText } from "#server/db/columns.ts";

export const users = snakeCase.table(
  "users",
  {
    id: id(),
    email: text().notNull(),
    emailVerified: boolean().notNull().default(false),
    /** Sign-ins before this prove nothing about the address. Null when it was confirmed from the start. */
    emailVerifiedAt: instant(),
    firstName: text(),
    lastName: text(),
    profileImageUrl: text(),
    phone: text(),
    location: text(),
    bio: text(),
    hasPurchasedCourse: boolean().notNull().default(false),
    purchasedTier: text(),
    accountStatus: text().notNull().default("active"),
    /** Set by an owner. Addresses of ADMIN_EMAILS are owners without it. Counts only while the address is confirmed. */
    role: text().$type<StaffRole>(),
    suspensionReason: text(),
    /** A user who authenticated at the provider before this instant must do so again. */
    sessionsEndedAt: instant(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    searchText: searchText("email", "first_name", "last_name"),
  },
  (table) => [
    uniqueIndex("users_email_unique").on(sql`lower(${table.email})`),
    uniqueIndex("users_profile_image_url_unique").on(table.profileImageUrl),
    index("users_search").using("gin", table.searchText.op("gin_trgm_ops")),
    index("users_created_at").on(table.createdAt, table.id),
    index("users_role").on(table.role).where(isNotNull(table.role)),
    check("users_role_known", isOneOf(table.role, StaffRole.options)),
  ],
);

export const ofUser = () =>
  text()
    .notNull()
    .references(() => users.id);

/** By which other tools call the API in their creator's name. */
export const tokens = snakeCase.table(
  "tokens",
  {
    id: id(),
    userId: ofUser(),
    name: text().notNull(),
    /** SHA-256 of the token, which is random and so cannot be guessed from it. */
    hash: text().notNull().unique(),
    scopes: text().$type<TokenScope>().array().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (table) => [index("tokens_user_id").on(table.userId), index("tokens_expires_at").on(table.expiresAt)],
);

/** Issuer and subject identify a person; the email address never does. */
export const identities = snakeCase.table(
  "identities",
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: ofUser(),
    createdAt: instant().notNull(),
    lastSignInAt: instant().notNull(),
    /** Whether the last sign-in took a second factor; null while the provider has never told. */
    usedSecondFactor: boolean(),
  },
  (table) => [primaryKey({ columns: [table.issuer, table.subject] }), index("identities_user_id").on(table.userId)],
);

/** Set by the provider. A user who authenticated by then must do so again. */
export const endedSignIns = snakeCase.table(
  "ended_sign_ins",
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    endedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index("ended_sign_ins_ended_at").on(table.endedAt),
  ],
);

/** `sid` is the SHA-256 of the cookie's value, so that a copy of the table signs nobody in. */
export const sessions = snakeCase.table(
  "sessions",
  {
    sid: text().primaryKey(),
    sess: json().$type<SessionData>().notNull(),
    expire: instant().notNull(),
  },
  (table) => [
    index("sessions_expire").on(table.expire),
    index("sessions_user_id").on(sql`(${table.sess} ->> 'userId')`),
  ],
);

export interface SessionData {
  userId: string;
  /** ISO 8601. The absolute lifetime counts from it. */
  signedInAt: string;
  /** ISO 8601. Earlier than `signedInAt` when the provider remembered the browser. */
  authenticatedAt: string;
  /** Whether the provider told when the user authenticated. */
  isAuthenticationTold: boolean;
  /** ISO 8601, to the minute: the last call that needed a fresh sign-in. */
  confirmedAt?: string;
  /** Null when the provider does not tell. */
  usedSecondFactor: boolean | null;
  /** ISO 8601, to the hour. */
  lastSeenAt: string;
  idToken: string;
  /** The `sid` claim of logout tokens. */
  providerSid?: string;
  userAgent: string;
  /** Set while an administrator sees the academy as a student. */
  seeing?: {
    id: string;
    userId: string;
    /** ISO 8601. */
    endsAt: string;
  };
}
