import { index, snakeCase, text } from "drizzle-orm/pg-core";
import { moment } from "#server/db/columns.ts";
import { purchases } from "#server/purchases/tables.ts";

/** A link in a mail that opens one membership's card page without sign-in. Only the hash of what it carries is kept. */
export const cardLinks = snakeCase.table(
  "card_links",
  {
    tokenHash: text().primaryKey(),
    purchaseId: text()
      .notNull()
      .references(() => purchases.id),
    expiresAt: moment().notNull(),
    usedAt: moment(),
    createdAt: moment().notNull(),
  },
  (table) => [index("card_links_purchase_id").on(table.purchaseId)],
);
