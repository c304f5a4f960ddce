import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgSchema, primaryKey, text, timestamp, uniqueIndex } from "drizzle-orm/pg-core";

/** The issuer's own schema: nothing outside `issuer/` reads or writes it. */
export const issuerSchema = pgSchema("issuer");

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** The people who can sign in here. `subject` is what relying parties know them by; it never changes. */
export const accounts = issuerSchema.table(
  "accounts",
  {
    subject: text("subject").primaryKey(),
    /** As the person wrote it, trimmed; compared in lower case. */
    email: text("email").notNull(),
    emailVerifiedAt: instant("email_verified_at"),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    /** argon2id in the usual `$argon2id$v=19$…` notation. */
    passwordHash: text("password_hash").notNull(),
    passwordChangedAt: instant("password_changed_at").notNull(),
    /** In whole seconds, as providers tell it. */
    lastSignInAt: instant("last_sign_in_at"),
    /** In whole seconds; a sign-in of that second or before it is over. No two sign-ins around such an end share a second. */
    signInsEndedAt: instant("sign_ins_ended_at"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [uniqueIndex("accounts_email_key").on(sql`lower(${table.email})`)],
);

export type Account = typeof accounts.$inferSelect;

/** What the protocol remembers between requests: sessions, interactions, codes, tokens, grants. */
export const payloads = issuerSchema.table(
  "payloads",
  {
    kind: text("kind").notNull(),
    id: text("id").notNull(),
    payload: jsonb("payload").$type<Record<string, unknown>>().notNull(),
    grantId: text("grant_id"),
    userCode: text("user_code"),
    uid: text("uid"),
    /** Whose it is; a new password ends all of them. Interactions begin without. */
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

/** The signing keys, made once for all nodes and kept. */
export const keys = issuerSchema.table("keys", {
  id: text("id").primaryKey(),
  jwks: jsonb("jwks").$type<{ keys: Record<string, unknown>[] }>().notNull(),
  createdAt: instant("created_at").notNull(),
});

/** What the release of before counts here is counted in `limits` now; the release after this one drops the table. */
export const throttle = issuerSchema.table(
  "throttle",
  {
    key: text("key").primaryKey(),
    attempts: integer("attempts").notNull(),
    windowEndsAt: instant("window_ends_at").notNull(),
  },
  (table) => [index("throttle_window_ends_at_index").on(table.windowEndsAt)],
);

/** Ends of sign-ins that the client has not acknowledged yet, at most one for each account. */
export const logouts = issuerSchema.table("logouts", {
  subject: text("subject").primaryKey(),
  endedAt: instant("ended_at").notNull(),
  /** The browser session that made the change goes on. */
  keptSid: text("kept_sid"),
});

/** Single-use links in mails. Only the hash of a token is kept; using a link deletes its row. */
export const links = issuerSchema.table(
  "links",
  {
    tokenHash: text("token_hash").primaryKey(),
    purpose: text("purpose").$type<"confirm-address" | "reset-password" | "change-address">().notNull(),
    subject: text("subject")
      .notNull()
      .references(() => accounts.subject, { onDelete: "cascade" }),
    /** The address that the link confirms, when it is not the account's own. */
    newEmail: text("new_email"),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [index("links_subject_index").on(table.subject), index("links_expires_at_index").on(table.expiresAt)],
);

/** A code of an app beside the password, one for each account. Sealed: a copy of the table makes no codes. */
export const secondFactors = issuerSchema.table("second_factors", {
  subject: text("subject")
    .primaryKey()
    .references(() => accounts.subject, { onDelete: "cascade" }),
  secret: text("secret").notNull(),
  /** Null until the person has shown a first code of it. */
  confirmedAt: instant("confirmed_at"),
  /** The time step of the newest code that was used; that one and all before it are used up. */
  lastStep: bigint("last_step", { mode: "number" }),
  createdAt: instant("created_at").notNull(),
});

/** What signs in without the app, once each. Only hashes are kept. */
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
