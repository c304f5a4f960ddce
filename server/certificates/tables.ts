import { json, snakeCase, text } from "drizzle-orm/pg-core";
import type { CertificateFacts } from "#contract/certificates.ts";
import { instant } from "#server/db/columns.ts";
import { ofUser } from "#server/identity/tables.ts";

/** At most one for each student. */
export const certificates = snakeCase.table("certificates", {
  userId: ofUser().primaryKey(),
  code: text().notNull().unique(),
  name: text().notNull(),
  /** The oldest first, each until a correction. */
  pastNames: json().$type<readonly { readonly name: string; readonly until: string }[]>().notNull().default([]),
  facts: json().$type<CertificateFacts>().notNull(),
  issuedAt: instant().notNull(),
  /** By an administrator. Refunds and disputes are in their own table. */
  withdrawnAt: instant(),
  /** When an administrator made it valid again, whatever was returned until then. */
  restoredAt: instant(),
  /** When the student was mailed about the withdrawal that is in force. */
  withdrawalToldAt: instant(),
});

/** What is left of certificates whose students deleted their accounts. */
export const erasedCertificates = snakeCase.table("erased_certificates", {
  /** SHA-256, so that nobody reads the code here. */
  codeHash: text().primaryKey(),
  erasedAt: instant().notNull(),
});
