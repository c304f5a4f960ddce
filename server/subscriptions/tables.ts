import { index, snakeCase, text } from "drizzle-orm/pg-core";
import { instant } from "#server/db/columns.ts";
import { purchases } from "#server/purchases/tables.ts";

/** A link in a mail that opens one subscription's card page without sign-in. Only the hash of what it carries is kept. */
export const cardLinks = snakeCase.table(
  "card_links",
  {
    tokenHash: text().primaryKey(),
    purchaseId: text()
      .notNull()
      .references(() => purchases.id),
    expiresAt: instant().notNull(),
    usedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [index("card_links_purchase_id").on(table.purchaseId)],
);
