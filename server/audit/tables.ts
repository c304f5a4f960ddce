import { index, json, snakeCase, text } from "drizzle-orm/pg-core";
import { id, instant } from "#server/db/columns.ts";

/** The audit log: who did what to whom. Append-only: the database refuses to change or delete a row. */
export const auditLog = snakeCase.table(
  "audit_log",
  {
    id: id(),
    /** The administrator's user id, or `system`. */
    actor: text().notNull(),
    /** The name of the actor's token, where another tool did it; the token itself may be gone. */
    token: text(),
    action: text().notNull(),
    subject: text().notNull(),
    before: json(),
    after: json(),
    reason: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index("audit_log_subject").on(table.subject, table.createdAt),
    index("audit_log_created_at").on(table.createdAt, table.id),
  ],
);

/** @internal */
export const addedByMigrations = ["trigger audit_log.append_only"];
