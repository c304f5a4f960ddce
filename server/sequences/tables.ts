import { isNull } from "drizzle-orm";
import { boolean, check, index, integer, snakeCase, text } from "drizzle-orm/pg-core";
import { type SequenceName, sequenceNames } from "#contract/admin/sequences.ts";
import { id, instant, isOneOf } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";

/** Emails that were decided, and those that the control group did not get. The id derives from all that makes one. */
export const sequenceEmails = snakeCase.table(
  "sequence_emails",
  {
    id: id(),
    userId: ofUser(),
    sequence: text().$type<SequenceName>().notNull(),
    /** From 0. */
    step: integer().notNull(),
    /** What started the sequence: each starts it once. */
    occasion: text().notNull(),
    isControl: boolean().notNull(),
    decidedAt: instant().notNull(),
    /** Null until the 3 days are over. */
    hasReturned: boolean(),
    /** Null until the 7 days are over. */
    hasBought: boolean(),
  },
  (table) => [
    check("sequence_emails_sequence", isOneOf(table.sequence, sequenceNames)),
    index("sequence_emails_user_id").on(table.userId, table.decidedAt),
    index("sequence_emails_decided_at").on(table.decidedAt),
    index("sequence_emails_returning").on(table.decidedAt).where(isNull(table.hasReturned)),
    index("sequence_emails_buying").on(table.decidedAt).where(isNull(table.hasBought)),
  ],
);
