import { sql } from "drizzle-orm";
import { bigint, index, jsonb, pgSchema, primaryKey, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";

/** The issuer's own schema: no code outside `issuer/` reads or writes it. */
export const issuerSchema = pgSchema("issuer");

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** The people who can sign in. `subject` is their id at relying parties, and never changes. */
export const accounts = issuerSchema.table(
  "accounts",
  {
    subject: text("subject").primaryKey(),
    /** As `storedEmail` returns it. */
    email: text("email").notNull(),
    emailVerifiedAt: instant("email_verified_at"),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    /** argon2id, as `$argon2id$v=19$…`. */
    passwordHash: text("password_hash").notNull(),
    passwordChangedAt: instant("password_changed_at").notNull(),
    /** Whole seconds, like `auth_time`. */
    lastSignInAt: instant("last_sign_in_at"),
    /** Whole seconds. Sign-ins of this second or earlier have ended; the next one gets a later second. */
    signInsEndedAt: instant("sign_ins_ended_at"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("accounts_email_key").on(sql`lower(${table.email})`)],
);

export type Account = typeof accounts.$inferSelect;

/** The protocol's records: sessions, interactions, codes, tokens, grants. */
export const payloads = issuerSchema.table(
  "payloads",
  {
    kind: text("kind").notNull(),
    id: text("id").notNull(),
    payload: jsonb("payload").$type<Record<string, unknown>>().notNull(),
    grantId: text("grant_id"),
    userCode: text("user_code"),
    uid: text("uid"),
    /** A new password ends all of the account's. Null for an interaction that has just begun. */
    accountId: text("account_id"),
    expiresAt: instant("expires_at"),
    consumedAt: instant("consumed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.id] }),
    index("payloads_grant_id_index").on(table.grantId),
    index("payloads_uid_index").on(table.uid),
    index("payloads_account_id_index").on(table.accountId),
    index("payloads_expires_at_index").on(table.expiresAt),
  ],
);

/** The signing keys of all nodes. `id` is the key's id. */
export const keys = issuerSchema.table("keys", {
  id: text("id").primaryKey(),
  /** The private key, encrypted. */
  sealed: text("sealed").notNull(),
  /** It is published before. */
  signsFrom: instant("signs_from").notNull(),
  createdAt: instant("created_at").notNull(),
});

/** Logouts that the client has not acknowledged yet, at most one for each account. */
export const logouts = issuerSchema.table("logouts", {
  subject: text("subject").primaryKey(),
  endedAt: instant("ended_at").notNull(),
  /** The session that stays. */
  keptSid: text("kept_sid"),
});

/** Single-use links in mails. Stores only hashes of tokens. Using a link deletes its row. */
export const links = issuerSchema.table(
  "links",
  {
    tokenHash: text("token_hash").primaryKey(),
    purpose: text("purpose").$type<"confirm-address" | "reset-password" | "change-address">().notNull(),
    subject: text("subject")
      .notNull()
      .references(() => accounts.subject, { onDelete: "cascade" }),
    /** The address that the link confirms, when it is a new one. */
    newEmail: text("new_email"),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("links_subject_index").on(table.subject), index("links_expires_at_index").on(table.expiresAt)],
);

/** TOTP keys, at most one for each account. Encrypted, so that a copy of the table is not enough to make codes. */
export const secondFactors = issuerSchema.table("second_factors", {
  subject: text("subject")
    .primaryKey()
    .references(() => accounts.subject, { onDelete: "cascade" }),
  secret: text("secret").notNull(),
  /** Null until a first code has proved the app. */
  confirmedAt: instant("confirmed_at"),
  /** The time step of the last accepted code. That code and older ones are not accepted again. */
  lastStep: bigint("last_step", { mode: "number" }),
  createdAt: instant("created_at").notNull(),
});

/** Single-use codes instead of the app. Stores only hashes. */
export const recoveryCodes = issuerSchema.table(
  "recovery_codes",
  {
    codeHash: text("code_hash").primaryKey(),
    subject: text("subject")
      .notNull()
      .references(() => accounts.subject, { onDelete: "cascade" }),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("recovery_codes_subject_index").on(table.subject)],
);
